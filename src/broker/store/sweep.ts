// What is due by the clock. Reading is all that happens here; each finding becomes a step, which looks again under
// the lock of its origin. Two things concern rows the steps do not care for and are written right away: leases kept
// by a stream, and offers that nobody took up.
import type { Queryable } from '../../store/database.ts';
import { findGoneProcesses } from './stream-rows.ts';
import type { Step } from '../protocol/steps.ts';

export const STREAM_GRACE_MS = 2_000;
const BATCH = 200;
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

export interface Due {
  readonly promises: boolean;
  readonly tasks: boolean;
  readonly streams: boolean;
}

/** One look that says whether a closer one is worth it. */
export async function findDue(on: Queryable): Promise<Due> {
  const { rows } = await on.query<Due & Record<string, unknown>>('select * from :schema.broker_due($1)', [
    STREAM_GRACE_MS,
  ]);
  return rows[0] ?? { promises: false, tasks: false, streams: false };
}

export async function findExpiredPromises(on: Queryable): Promise<Step[]> {
  const { rows } = await on.query<{ id: string }>(
    `select id from :schema.broker_promise where armed and settled_at is null and timeout_at <= ${NOW} order by timeout_at limit ${BATCH}`,
  );
  return rows.map(({ id }) => ({ kind: 'promise.expire', data: { id } }));
}

/** Keeps the leases of processes that prove by a stream that they live. One that ended a moment ago is still there. */
export async function renewLeases(on: Queryable): Promise<number> {
  const { rowCount } = await on.query(
    `update :schema.broker_task t set wake_at = ${NOW} + t.ttl
     from (select d.id from (select id, pid from :schema.broker_task where wake_at <= ${NOW} and state = 'acquired' order by wake_at limit ${BATCH * 5}) d
           where exists (select from :schema.broker_stream s where s.pid = d.pid and s.keeps_leases)) due
     where t.id = due.id and t.state = 'acquired'`,
  );
  return rowCount;
}

/** Tasks whose pause is over and, if wanted, leases that ran out. */
export async function findDueTasks(on: Queryable, leases: boolean): Promise<Step[]> {
  const { rows } = await on.query<{ id: string }>(
    `select id from :schema.broker_task where wake_at <= ${NOW} and offered_pid is null and ($1 or state = 'pending') order by wake_at limit ${BATCH}`,
    [leases],
  );
  return rows.map(({ id }) => ({ kind: 'task.wake', data: { id } }));
}

/** Puts back what was offered and not taken up. Returns the queues. */
export async function voidOffers(on: Queryable): Promise<string[]> {
  const { rows } = await on.query<{ queue: string }>(
    `update :schema.broker_task set queued_at = ${NOW}, offered_pid = null, wake_at = null
     where id in (select id from :schema.broker_task where wake_at <= ${NOW} and state = 'pending' and offered_pid is not null limit ${BATCH} for update skip locked) returning queue`,
  );
  return [...new Set(rows.map(({ queue }) => queue))];
}

export interface GoneWork {
  readonly steps: readonly Step[];
  readonly queues: readonly string[];
  /** Their rows, to be forgotten after the steps: a replica that dies before leaves them to the next one. */
  readonly streams: readonly string[];
}

/** What processes held or were offered whose streams ended and did not come back. */
export async function findGoneWork(on: Queryable): Promise<GoneWork> {
  const { processes: gone, streams } = await findGoneProcesses(on, STREAM_GRACE_MS);
  if (gone.length === 0) return { steps: [], queues: [], streams };
  const { rows } = await on.query<{ queue: string }>(
    `update :schema.broker_task set queued_at = ${NOW}, offered_pid = null, wake_at = null
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
