import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres, type RunningPostgres } from '../../src/postgres/launch.ts';
import { replayStream } from '../../src/receipts/verify-stream.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { poll } from '../support/poll.ts';

const SCHEMA = 'crash';
let directory: string;
let port: number;
let server: RunningPostgres;

async function startServer(): Promise<RunningPostgres> {
  const binaries = await findPostgresBinaries(import.meta.url);
  return poll(() =>
    launchPostgres({
      binaries,
      directory: join(directory, 'data'),
      port,
      password: 'test',
      adminPassword: 'test-admin',
      logFile: join(directory, 'postgres.log'),
    }).catch(() => undefined),
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-crash-'));
  port = await freePort();
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

it('loses no acknowledged receipt, and stores none twice, when PostgreSQL and the appenders are killed under load', async () => {
  const database = { url: server.url, schema: SCHEMA, poolMax: 2, applicationName: 'test', log: quiet };
  const first = await openDatabase(database);
  await migrate(first, await readMigrations(MIGRATIONS));
  await first.close();

  const acknowledged: { stream: string; index: number; hash: string }[] = [];
  let names = 0;
  const startAppender = (): ChildProcess => {
    const child = spawn(process.execPath, ['test/support/appender.ts', server.url, SCHEMA, String(names++)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [stream = '', index = '', hash = ''] = line.split(' ');
        acknowledged.push({ stream, index: Number(index), hash });
      }
    });
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  /** Waits until the load is really on, so that each kill happens in the middle of it. */
  const more = async (count: number): Promise<void> => {
    const enough = acknowledged.length + count;
    await poll(() => acknowledged.length >= enough);
  };

  const appenders = [startAppender(), startAppender(), startAppender()];
  for (let round = 0; round < 6; round++) {
    await more(300);
    if (round % 2 === 0) {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      server = await startServer();
    } else {
      const victim = appenders.shift();
      if (victim) await kill(victim);
      appenders.push(startAppender());
    }
  }
  await more(300);
  await Promise.all(appenders.map(kill));

  const db = await openDatabase({ ...database, url: server.url });
  const streams = [...new Set(acknowledged.map((receipt) => receipt.stream))];
  for (const stream of streams) {
    const stored = await replayStream(db, stream);
    const lost = acknowledged.filter(
      (receipt) => receipt.stream === stream && stored[receipt.index]?.hash.toString('hex') !== receipt.hash,
    );
    expect(lost).toEqual([]);
    const origins = stored.map((receipt) => (JSON.parse(receipt.text) as { body: { from: string } }).body.from);
    expect(new Set(origins).size).toBe(origins.length);
  }
  expect(acknowledged.length).toBeGreaterThan(2_000);
  await db.close();
});
