// Finds what is due by the clock. Each finding becomes a step, which checks again under the lock of its origin. Two things
// do not concern the steps and are written here: leases kept by a stream, and offers that no process accepted.
import type { Database, Queryable } from '../../store/database.ts';
import { findGoneProcesses } from './stream-rows.ts';
import { throughIndexes } from './through-indexes.ts';
import type { Step } from '../protocol/steps.ts';

export const STREAM_GRACE_MS = 2_000;
const BATCH = 200;
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** As when it became due for the first time. */
const ITS_PLACE = '(select p.created_at from :schema.broker_promise p where p.id = t.id)';

export interface Due {
  readonly promises: boolean;
  readonly tasks: boolean;
  readonly streams: boolean;
}

/** A cheap check whether anything is due. */
export async function findDue(on: Queryable): Promise<Due> {
  const { rows } = await on.query<Due & Record<string, unknown>>('select * from :schema.broker_due($1)', [
    STREAM_GRACE_MS,
  ]);
  return rows[0] ?? { promises: false, tasks: false, streams: false };
}

/** The steps to run and the queues to check. */
export async function findDueWork(db: Database, due: Due, isWarm: boolean): Promise<DueWork> {
  return throughIndexes(db, async (tx) => {
    const expired = due.promises ? await findExpiredPromises(tx) : [];
    if (due.tasks) await renewLeases(tx);
    const voided = due.tasks ? await voidOffers(tx) : [];
    const woken = due.tasks ? await findDueTasks(tx, isWarm) : [];
    const gone = due.streams && isWarm ? await findGoneWork(tx) : { steps: [], queues: [], streams: [] };
    return {
      steps: [...expired, ...woken, ...gone.steps],
      queues: [...voided, ...gone.queues],
      streams: gone.streams,
    };
  });
}

async function findExpiredPromises(on: Queryable): Promise<Step[]> {
  const { rows } = await on.query<{ id: string }>(
    `select id from :schema.broker_promise where armed and settled_at is null and timeout_at <= ${NOW} order by timeout_at limit ${BATCH}`,
  );
  return rows.map(({ id }) => ({ kind: 'promise.expire', data: { id } }));
}

/** Renews the leases of processes with a stream, including one that ended a moment ago. */
async function renewLeases(on: Queryable): Promise<number> {
  const { rowCount } = await on.query(
    `update :schema.broker_task t set wake_at = ${NOW} + t.ttl
     from (select d.id from (select id, pid from :schema.broker_task where wake_at <= ${NOW} and state = 'acquired' order by wake_at limit ${BATCH * 5}) d
           where exists (select from :schema.broker_stream s where s.pid = d.pid and s.keeps_leases)) due
     where t.id = due.id and t.state = 'acquired'`,
  );
  return rowCount;
}

/** Delayed tasks that are due and, if wanted, expired leases. */
async function findDueTasks(on: Queryable, leases: boolean): Promise<Step[]> {
  const { rows } = await on.query<{ id: string }>(
    `select id from :schema.broker_task where wake_at <= ${NOW} and offered_pid is null and ($1 or state = 'pending') order by wake_at limit ${BATCH}`,
    [leases],
  );
  return rows.map(({ id }) => ({ kind: 'task.wake', data: { id } }));
}

/** Puts tasks back whose offers lapsed. Returns their queues. */
async function voidOffers(on: Queryable): Promise<string[]> {
  const { rows } = await on.query<{ queue: string }>(
    `update :schema.broker_task t set queued_at = ${ITS_PLACE}, offered_pid = null, wake_at = null
     where id in (select id from :schema.broker_task where wake_at <= ${NOW} and state = 'pending' and offered_pid is not null limit ${BATCH} for update skip locked) returning queue`,
  );
  return [...new Set(rows.map(({ queue }) => queue))];
}

export interface DueWork {
  readonly steps: readonly Step[];
  readonly queues: readonly string[];
  /** Rows to delete after the steps: if this replica dies before, the next leader finds them again. */
  readonly streams: readonly string[];
}

/** The work of processes whose streams ended and did not come back: what they held and what they were offered. */
async function findGoneWork(on: Queryable): Promise<DueWork> {
  const { processes: gone, streams } = await findGoneProcesses(on, STREAM_GRACE_MS);
  if (gone.length === 0) return { steps: [], queues: [], streams };
  const { rows } = await on.query<{ queue: string }>(
    `update :schema.broker_task t set queued_at = ${ITS_PLACE}, offered_pid = null, wake_at = null
     where holder = any($1::text[]) and state = 'pending' and offered_pid = any($1::text[]) returning queue`,
    [gone.map(({ pid }) => pid)],
  );
  const held = await on.query<{ id: string; pid: string }>(
    "select id, pid from :schema.broker_task where holder = any($1::text[]) and state = 'acquired'",
    [gone.filter(({ keptLeases }) => keptLeases).map(({ pid }) => pid)],
  );
  return {
    steps: held.rows.map(({ id, pid }) => ({ kind: 'task.lose', data: { id, pid } })),
    queues: [...new Set(rows.map(({ queue }) => queue))],
    streams,
  };
}
