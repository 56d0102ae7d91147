// Other queues, each used as its documentation recommends, one job per statement.
import { type Context, Never, Resonate } from '@resonatehq/sdk';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';

export interface JobsVariant {
  readonly name: string;
  /** One job from enqueue to settle. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'bench';
const TIMEOUT_MS = 600_000;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Its workers poll twice a second at most, so jobs are fetched here as soon as they are sent: its best case. */
export async function onPgBoss(url: string, connections: number): Promise<JobsVariant> {
  const boss = new PgBoss({ connectionString: url, max: connections, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    name: 'pg-boss, one job per statement',
    async run() {
      await boss.send(QUEUE, { bench: true });
      // A neighbour that is fetching at this moment may hold the row and then leave it.
      let jobs = await boss.fetch(QUEUE);
      while (jobs.length === 0) jobs = await boss.fetch(QUEUE);
      for (const { id } of jobs) await boss.complete(QUEUE, id, { done: true });
    },
    close: () => boss.stop({ graceful: false }),
  };
}

export async function onGraphileWorker(url: string, connections: number, concurrency: number): Promise<JobsVariant> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const logger = new Logger(() => () => {});
  const ended = new Map<string, () => void>();
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger,
    taskList: { bench: async (_payload, { job }) => ended.get(job.key ?? '')?.() },
  });
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  let count = 0;
  return {
    name: 'graphile-worker',
    async run() {
      const jobKey = `bench-${count++}`;
      const settled = new Promise<void>((resolve) => ended.set(jobKey, resolve));
      await utils.addJob('bench', {}, { jobKey });
      await settled;
      ended.delete(jobKey);
    },
    async close() {
      await runner.stop();
      await utils.release();
      await pool.end();
    },
  };
}

/** The same two hops, in memory. */
export function onReferenceNetwork(): JobsVariant {
  const resonate = new Resonate({ logger: SILENT, group: 'all' });
  const options = { target: 'all', timeout: TIMEOUT_MS, retryPolicy: new Never() };
  resonate.register('drive', function* (context: Context): Generator<unknown, unknown, unknown> {
    return yield* context.rpc('work', context.options(options));
  });
  resonate.register('work', async () => ({ done: true }));
  let count = 0;
  return {
    name: 'the SDK on its reference network: no disk, no receipts',
    async run() {
      await (await resonate.beginRpc(`bench-${count++}`, 'drive', resonate.options(options))).result();
    },
    close: () => resonate.stop(),
  };
}
