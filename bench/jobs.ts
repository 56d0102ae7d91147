// Runs from enqueue to settle, receipts included, through the broker, driver and worker in one process each way: our
// own figure, and its ratio to plain receipt appends on the same server. The last two lines show whether a run costs
// more when many are done.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../src/base/clock.ts';
import { connectRole } from '../src/broker/connect-role.ts';
import { createBroker } from '../src/broker/create-broker.ts';
import { brokerListener } from '../src/http/broker/listener.ts';
import { createDatabaseCheck } from '../src/http/runtime/health.ts';
import { serve } from '../src/http/serve.ts';
import { createDispatcher } from '../src/jobs/dispatch-job.ts';
import { createDrive, DRIVE, EXECUTE } from '../src/jobs/drive-job.ts';
import type { Engine } from '../src/jobs/engine.ts';
import { executeJob } from '../src/jobs/execute-job.ts';
import { insertJob } from '../src/jobs/insert-job.ts';
import { serveExecutions } from '../src/jobs/serve-executions.ts';
import { findPostgresBinaries } from '../src/postgres/binaries.ts';
import { launchPostgres } from '../src/postgres/launch.ts';
import { createReceiptWriter } from '../src/receipts/receipt-writer.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { openListener } from '../src/store/listen.ts';
import { migrate, readMigrations } from '../src/store/migrate.ts';
import { freePort } from '../test/support/free-port.ts';

const log = pino({ level: 'silent' });
const ROUND_MS = 4_000;
const OUTSTANDING = 10;
const RECEIPTS_A_JOB = 3;
const engine: Engine = async () => ({ done: true });
const engines = { chat: engine, control: engine, codex: engine };

export async function bench(report: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  const server = await launchPostgres({ binaries: await findPostgresBinaries(import.meta.url), directory: join(directory, 'data'), port: await freePort(), password: 'bench', logFile: join(directory, 'postgres.log') });
  const open = (name: string, poolMax: number): Promise<Database> => openDatabase({ url: server.url, schema: 'bench', poolMax, applicationName: name, log });
  try {
    const db = await open('bench', 4);
    await migrate(db, await readMigrations(join(import.meta.dirname, '..', 'migrations')));
    if (!isInstalled('pg-boss')) report('  pg-boss is not installed: no comparison with it');
    const appends = await measureAppends(db);
    report(`  ${'plain receipt appends/s, 16 callers'.padEnd(52)} ${appends.toFixed(0).padStart(7)}`);
    const direct = await measure(OUTSTANDING, () => runDirectly(db));
    report(`  ${'jobs/s, record only, no broker'.padEnd(52)} ${direct.toFixed(0).padStart(7)}  ${((direct * RECEIPTS_A_JOB) / appends).toFixed(2)}× of appends (three receipts a job)`);
    const through = await throughBroker(open);
    const brokered = await measure(OUTSTANDING, through.run);
    report(`  ${'jobs/s, enqueue → driver → worker → settle'.padEnd(52)} ${brokered.toFixed(0).padStart(7)}  ${((brokered * RECEIPTS_A_JOB) / appends).toFixed(2)}× of appends`);
    for (const done of [1_000, 100_000]) {
      await fill(db, done);
      const rate = await measure(OUTSTANDING, through.run);
      report(`  ${`the same, with ${done} finished jobs`.padEnd(52)} ${rate.toFixed(0).padStart(7)}  ${(rate / brokered).toFixed(2)}×`);
    }
    await through.close();
    await db.close();
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAppends(db: Database): Promise<number> {
  const writer = createReceiptWriter({ db, clock: systemClock });
  let turn = 0;
  const rate = await measure(16, () => writer.append(`many/${turn++ % 100}`, { kind: 'tool.called', actor: 'user:bench', body: { turn } }));
  await writer.drain();
  return rate;
}

async function runDirectly(db: Database): Promise<void> {
  const { job } = await insertJob(db, { kind: 'control', task: 'bench', objective: 'bench', actor: 'system:bench' });
  await executeJob({ db, log, actor: 'system:bench', engineOf: () => engine, artifactsDirectory: '/nowhere', onAppended: () => {} }, job.id, { taken: new AbortController() });
}

/** Every part as its own role has it, each with a pool of its own, over real HTTP; one process, so that one core is the measure. */
async function throughBroker(open: (name: string, poolMax: number) => Promise<Database>): Promise<{ run: () => Promise<void>; close: () => Promise<void> }> {
  const [brokerDb, apiDb, workerDb] = await Promise.all([open('broker', 2), open('api', 2), open('worker', 2)]);
  const broker = await createBroker({ db: brokerDb, log, retentionMs: 3_600_000 });
  const serving = await serve(brokerListener({ broker, token: undefined, version: '0', checkDatabase: createDatabaseCheck(brokerDb), log }), { port: await freePort() });
  const url = `http://127.0.0.1:${serving.port}`;
  const listener = openListener(workerDb, log);
  const ended = new Map<string, () => void>();
  const executions = serveExecutions({ db: workerDb, log, listener, actor: 'system:bench', engineOf: () => engine, artifactsDirectory: '/nowhere', onAppended: () => {}, concurrency: OUTSTANDING });
  const api = connectRole({ url, group: 'api', heartbeats: true, polls: false, log });
  const driver = connectRole({ url, group: 'driver', heartbeats: false, log, register: (resonate) => void resonate.register(DRIVE, createDrive({ chat: 'worker', control: 'worker', codex: 'worker' })) });
  const worker = connectRole({
    url, group: 'worker', heartbeats: false, log, credit: OUTSTANDING,
    register: (resonate) =>
      void resonate.register(EXECUTE, async (context: Parameters<typeof executions.execute>[0], argument: { job: string }) => {
        const outcome = await executions.execute(context, argument);
        ended.get(argument.job)?.();
        return outcome;
      }),
  });
  await Promise.all([driver.opened(), worker.opened()]);
  const dispatcher = createDispatcher({ db: apiDb, broker: api, driverGroup: 'driver', engines, log });
  return {
    async run() {
      const { job } = await insertJob(apiDb, { kind: 'control', task: 'bench', objective: 'bench', actor: 'system:bench' });
      const settled = new Promise<void>((resolve) => ended.set(job.id, resolve));
      dispatcher.dispatch(job);
      await settled;
      ended.delete(job.id);
    },
    async close() {
      await dispatcher.stop();
      await Promise.all([api.stop(), driver.stop(), worker.stop()]);
      executions.close();
      await listener.close();
      await Promise.all([broker.close(), serving.close()]);
      await Promise.all([brokerDb.close(), apiDb.close(), workerDb.close()]);
    },
  };
}

/** Finished jobs as they lie there after a long time. */
async function fill(db: Database, count: number): Promise<void> {
  await db.query(
    `insert into :schema.job (id, kind, task, objective, request_hash, status, attempt, created_at, started_at, ended_at, head_idx, head_hash)
     select 'job_' || lpad(n::text, 26, '0'), 'control', 'bench', 'bench', '', 'completed', 1, now(), now(), now(), 2, '' from generate_series(1, $1::int) n on conflict do nothing`,
    [count],
  );
  await db.query('analyze :schema.job');
}

async function measure(callers: number, call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - startedAt < ROUND_MS) {
        await call();
        done++;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
