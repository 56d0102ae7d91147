// Runs from enqueue to settle, compared with other queues on the same server: ours with its three receipts, through the
// processes of api, broker, driver and worker; pg-boss with one job per statement; graphile-worker; and the same two
// durable calls of the SDK on its reference network, which is in memory and stores nothing. With few outstanding the
// latency of one run counts, with many the throughput of the machine. Variants take turns in short rounds, so that
// other load on the machine affects all of them alike. The last lines show whether a run costs more after many are
// done.
import type { Database } from '../src/store/database.ts';
import { type JobsVariant, onGraphileWorker, onPgBoss, onReferenceNetwork } from './peers/job-queues.ts';
import { ourJobs, recordOnly } from './peers/our-jobs.ts';
import type { Aim } from './support/aims.ts';
import { median } from './support/median.ts';
import { startPostgres } from './support/postgres.ts';

/** Code is compiled by how often it ran, and the slowest variant runs least. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 5;
const ROUND_MS = 2_000;
/** How many runs are outstanding, and how many times the rate of pg-boss ours should be then. */
const OUTSTANDING = [
  [10, 1.2],
  [50, 1.6],
] as const;
const MOST_OUTSTANDING = 50;
/** As many as our three processes have together. */
const CONNECTIONS = 6;

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const aims: Aim[] = [];
  const postgres = await startPostgres();
  const open = (name: string, poolMax: number): Promise<Database> => postgres.open({ name, poolMax });
  const variants: JobsVariant[] = [];
  try {
    const db = await postgres.openMigrated();
    const ours = await ourJobs(open, postgres.url, MOST_OUTSTANDING);
    variants.push(
      await onPgBoss(postgres.url, CONNECTIONS),
      await onGraphileWorker(postgres.url, CONNECTIONS, MOST_OUTSTANDING),
      onReferenceNetwork(),
      await recordOnly(open),
      ours,
    );
    for (const [outstanding, atLeast] of OUTSTANDING) {
      const figure = await compare(variants, outstanding, report);
      aims.push({ work: `runs, ${outstanding} outstanding`, figure, unit: '× pg-boss', atLeast });
    }
    await compareGrowth(db, ours, report);
    await db.close();
  } finally {
    await Promise.all(variants.map((variant) => variant.close()));
    await postgres.stop();
  }
  return aims;
}

/** The first variant is what the others are measured against; returns the ratio of the last. */
async function compare(
  variants: readonly JobsVariant[],
  outstanding: number,
  report: (line: string) => void,
): Promise<number> {
  const rates = variants.map(() => [] as number[]);
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    for (const [position, variant] of variants.entries()) {
      const rate = await measure(variant, outstanding);
      if (round > 0) rates[position]?.push(rate);
    }
  }
  report(
    `jobs/s from enqueue to settle, ${outstanding} outstanding (ratio of the medians to pg-boss; ratios of single rounds)`,
  );
  const base = rates[0] ?? [];
  for (const [position, { name }] of variants.entries()) {
    const own = rates[position] ?? [];
    const ratios = own.map((rate, round) => rate / (base[round] ?? Number.NaN));
    report(
      `  ${name.padEnd(58)} ${median(own).toFixed(0).padStart(6)}  ${(median(own) / median(base)).toFixed(2)}×  (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
    );
  }
  return median(rates.at(-1) ?? []) / median(base);
}

/** The cost of a job must not grow with the number of jobs that are done. */
async function compareGrowth(db: Database, ours: JobsVariant, report: (line: string) => void): Promise<void> {
  const costs: number[] = [];
  for (const done of [1_000, 100_000]) {
    await fill(db, done);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await measure(ours, MOST_OUTSTANDING));
    costs.push(1000 / median(rates));
    report(
      `  ${`ours, a job with ${done.toLocaleString('en-US')} finished ones`.padEnd(58)} ${(costs.at(-1) ?? 0).toFixed(2).padStart(6)} ms`,
    );
  }
  report(
    `  ${'cost at 100,000 against 1,000'.padEnd(58)} ${((costs[1] ?? 0) / (costs[0] ?? 1)).toFixed(2).padStart(6)}×`,
  );
}

/** Finished jobs as they lie there after a long time: row, three receipts, two settled calls. */
async function fill(db: Database, count: number): Promise<void> {
  const ids = `select 'job_' || lpad(n::text, 26, '0') as id from generate_series(1, ${count}) n`;
  await db.query(
    `insert into :schema.job (id, kind, task, objective, request_hash, status, attempt, created_at, started_at, ended_at, head_idx, head_hash)
     select id, 'control', 'bench', 'bench', '', 'completed', 1, now(), now(), now(), 2, '' from (${ids}) i on conflict do nothing`,
  );
  await db.query(
    `with recursive chain as (
       select 'jobs/' || id as stream, 0 as idx, :schema.receipt_genesis('jobs/' || id) as prev from (${ids}) i
       union all select stream, idx + 1, sha256(prev || convert_to('{}', 'UTF8')) from chain where idx < 2)
     insert into :schema.receipt (stream, idx, prev, hash, body) select stream, idx, prev, sha256(prev || convert_to('{}', 'UTF8')), '{}' from chain on conflict do nothing`,
  );
  await db.query(
    `insert into :schema.broker_promise (id, state, param, value, tags, timeout_at, created_at, settled_at, armed)
     select id || child, 'resolved', '{}', '{}', '{}', 0, 0, 9e12::bigint, true from (${ids}) i cross join (values (''), (':1')) c (child) on conflict do nothing`,
  );
  await db.query(
    `insert into :schema.broker_task (id, state, version, resumes, releases, queue, lane, since)
     select id || child, 'fulfilled', 1, '[]', 0, 'any@worker', '.', 0 from (${ids}) i cross join (values (''), (':1')) c (child) on conflict do nothing`,
  );
}

async function measure({ run }: JobsVariant, outstanding: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: outstanding }, async () => {
      while (performance.now() - startedAt < ROUND_MS) {
        await run();
        done++;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
}
