// Everything dies at random while 500 runs are under way: worker, driver, api, broker, PostgreSQL, now and then all of
// them. Afterwards every run has ended once, on a chain that verifies.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres, type PostgresOptions, type RunningPostgres } from '../../src/postgres/launch.ts';
import { verifyStream } from '../../src/receipts/verify-stream.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type JobProcess, type JobStand, openJobStand, type Part } from '../support/job-stand.ts';

const JOBS = 500;
const CHAOS_MS = 60_000;
const RECOVERY_MS = 30_000;
const PARTS: readonly Part[] = ['broker', 'api', 'driver', 'worker-chat', 'worker-control'];

let directory: string;
let postgres: RunningPostgres;
let settings: PostgresOptions;
let db: Database;
let stand: JobStand;
const alive = new Map<Part, JobProcess>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-job-faults-'));
  settings = { binaries: await findPostgresBinaries(import.meta.url), directory: join(directory, 'data'), port: await freePort(), password: 'faults', logFile: join(directory, 'postgres.log') };
  postgres = await launchPostgres(settings);
  db = await openDatabase({ url: postgres.url, schema: 'faults', poolMax: 4, applicationName: 'test', log: quiet });
  await migrate(db, await readMigrations(MIGRATIONS));
  stand = await openJobStand({ own: { url: postgres.url, db } });
  for (const part of PARTS) await restart(part);
});
afterAll(async () => {
  await stand?.close();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function restart(part: Part): Promise<void> {
  await alive.get(part)?.stop('SIGKILL');
  alive.set(part, await stand.start(part));
}

async function restartPostgres(): Promise<void> {
  postgres.kill();
  await postgres.exited;
  postgres = await launchPostgres(settings);
}

/** Asks until it is told that the run is recorded; the key makes it one run. */
async function startSurely(at: number): Promise<string> {
  for (;;) {
    const objective = at % 5 === 0 ? 'fail' : `sleep ${at % 7 * 30}`;
    const answer = await stand.request('POST', '/agents/factory/jobs', { body: { objective, kind: at % 2 === 0 ? 'chat' : 'control', idempotencyKey: `run-${at}` } }).catch(() => undefined);
    if (answer?.status === 202) return answer.body.job.id;
    await sleep(200);
  }
}

it('every run ends in exactly one final status with exactly one final receipt, and all chains verify', async () => {
  const starting = (async () => {
    const ids: string[] = [];
    for (let at = 0; at < JOBS; at += 10) {
      ids.push(...(await Promise.all(Array.from({ length: 10 }, (_, offset) => startSurely(at + offset)))));
      await sleep(CHAOS_MS / (JOBS / 10) / 2);
    }
    return ids;
  })();
  const until = performance.now() + CHAOS_MS;
  for (let round = 0; performance.now() < until; round++) {
    await sleep(500 + Math.random() * 1_500);
    if (round % 9 === 8) await Promise.all([restartPostgres(), ...PARTS.map((part) => alive.get(part)?.stop('SIGKILL'))]).then(() => Promise.all(PARTS.map(restart)));
    else if (round % 5 === 4) await restartPostgres();
    else await restart(PARTS[Math.floor(Math.random() * PARTS.length)] ?? 'broker');
  }
  const ids = await starting;
  expect(new Set(ids).size).toBe(JOBS);

  const open = async (): Promise<number> => (await db.query('select 1 from :schema.job where id = any($1) and ended_at is null', [ids])).rowCount;
  await expect.poll(open, { timeout: RECOVERY_MS, interval: 500 }).toBe(0);

  const { rows } = await db.query<{ id: string; status: string; attempt: number; head_idx: number; head_hash: Buffer; finals: number }>(
    `select j.id, j.status, j.attempt, j.head_idx, j.head_hash,
       (select count(*) from :schema.receipt r where r.stream = 'jobs/' || j.id and r.body ~ '"kind":"job\\.(completed|failed|aborted)"') as finals
     from :schema.job j where j.id = any($1)`,
    [ids],
  );
  expect(rows).toHaveLength(JOBS);
  for (const row of rows) {
    expect(row).toMatchObject({ finals: 1 });
    expect(row.attempt).toBeLessThanOrEqual(3);
    expect((await verifyStream(db, `jobs/${row.id}`, [{ index: row.head_idx, hash: row.head_hash }])).fault).toBeUndefined();
  }
  expect(rows.filter(({ status }) => status === 'completed').length).toBeGreaterThan(JOBS / 2);
});
