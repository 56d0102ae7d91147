import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { leaveOut, needs } from '../../test/support/needs.ts';
import { packageRoot } from '../process/package-root.ts';
import { findPostgresBinaries } from './binaries.ts';
import { launchPostgres, type PostgresOptions, type RunningPostgres } from './launch.ts';
import { chooseRunAs } from './run-as.ts';

let root: string;
let options: PostgresOptions;
const started: RunningPostgres[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-launch-'));
  options = {
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(root, 'postgres'),
    port: await freePort(),
    password: 'a/b?c',
    adminPassword: "it's 'quoted'",
    logFile: join(root, 'postgres.log'),
  };
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(root, { recursive: true, force: true });
});

const launch = async (more: Partial<PostgresOptions> = {}): Promise<RunningPostgres> => {
  const server = await launchPostgres({ ...options, ...more });
  started.push(server);
  return server;
};

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps its data over a stop and a second start', async () => {
    const first = await launch();
    await ask(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const second = await launch();
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(second.adopted).toBe(false);
  });

  it('adopts a server that still runs, whatever port is asked for now', async () => {
    const first = await launch();
    const second = await launch({ port: await freePort() });
    expect(second).toMatchObject({ adopted: true, pid: first.pid, port: first.port });
    await second.stop();
    await first.exited;
  });

  it('recovers what was committed when it was killed, and tells that it is gone', async () => {
    const first = await launch();
    await ask(first.url, 'create table kept as select 7 as n');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await launch();
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('waits for what a killed server left behind', async () => {
    const first = await launch();
    const busy = new pg.Client({ connectionString: first.url });
    busy.on('error', () => {});
    await busy.connect();
    process.kill(first.pid, 'SIGKILL');
    const second = await launch();
    expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await busy.end().catch(() => {});
  });

  it('starts although an unrelated process now has the number in an old pid file', async () => {
    const first = await launch();
    await first.stop();
    await writeFile(
      join(options.directory, 'postmaster.pid'),
      `${process.pid}\n${options.directory}\n0\n${options.port}\n\n127.0.0.1\n\n\n`,
      { mode: 0o600 },
    );
    expect((await launch()).adopted).toBe(false);
  });

  it(
    'starts although the number in an old pid file is that of a zombie, which nobody reaps',
    needs('linux'),
    async () => {
      await (await launch()).stop();
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 1000'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [line] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(line.toString());
        await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
        await writeFile(
          join(options.directory, 'postmaster.pid'),
          `${pid}\n${options.directory}\n0\n${options.port}\n\n127.0.0.1\n\n\n`,
          { mode: 0o600 },
        );
        expect((await launch()).adopted).toBe(false);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('starts although the number in an old pid file is that of a server of another directory', async () => {
    const other = await launch({
      directory: join(root, 'other'),
      port: await freePort(),
      adminPassword: 'of the other',
    });
    await (await launch()).stop();
    await writeFile(
      join(options.directory, 'postmaster.pid'),
      `${other.pid}\n${options.directory}\n0\n${other.port}\n\n127.0.0.1\n\n\n`,
      { mode: 0o600 },
    );
    expect((await launch()).adopted).toBe(false);
  });

  it('says so when the password is not the one the cluster was made with', async () => {
    await (await launch()).stop();
    await expect(launch({ adminPassword: 'another' })).rejects.toThrow('a different password');
  });

  it('starts afresh after an initialization that was cut short', async () => {
    await mkdir(`${options.directory}.new/base`, { recursive: true });
    expect(await ask((await launch()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('stops while it is still starting', async () => {
    await expect(launch({ signal: AbortSignal.abort() })).rejects.toThrow('stopped while');
  });
});

describe('the embedded PostgreSQL under root', needs('root'), () => {
  // The programs of PostgreSQL are in the checkout, which the user nobody must be able to reach.
  it(
    'runs as nobody where user namespaces are refused, and goes back',
    leaveOut(
      isOpenToAll(packageRoot()) ? undefined : 'the checkout is in a directory that other users cannot pass',
      'impossible',
    ),
    async () => {
      const first = await launch({ runAs: 'nobody' });
      expect(await ask(first.url, 'create table kept as select 7 as n')).toEqual([]);
      expect((await stat(options.directory)).uid).toBe(65_534);
      await first.stop();
      const second = await launch({ runAs: chooseRunAs() });
      expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    },
  );

  it('names the directory that nobody cannot reach', async () => {
    await mkdir(join(root, 'closed'), { mode: 0o700 });
    await mkdir(join(root, 'closed', 'data'), { mode: 0o700 });
    await expect(launch({ runAs: 'nobody', directory: join(root, 'closed', 'data', 'postgres') })).rejects.toThrow(
      'the user nobody cannot reach',
    );
  });
});

function isOpenToAll(directory: string): boolean {
  return (
    (statSync(directory).mode & 0o001) !== 0 && (dirname(directory) === directory || isOpenToAll(dirname(directory)))
  );
}
