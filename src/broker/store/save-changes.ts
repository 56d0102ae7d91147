// Writes what steps have changed and gives waiting tasks to streams, in one statement. It fails as a whole if an origin has
// changed since it was read.
import type { Queryable } from '../../store/database.ts';
import { parseAddress } from '../protocol/address.ts';
import type { QueuedUnblock } from '../core/plan-delivery.ts';
import type { ServedQueue } from '../streams/local-queues.ts';
import type { Changes, State } from '../core/draft.ts';
import { type Loaded, type PromiseRow, toPromise } from './load-state.ts';
import { isExternal, ownerOf, type PromiseRecord, queueOf, targetOf, type Task } from '../protocol/records.ts';

/** An offer that is not accepted by then lapses, and the task is queued again. */
const OFFER_MS = 10_000;

/** A task for a stream: an offer, which it accepts with `task.acquire`, or given with its lease. */
export interface Offer {
  readonly queue: string;
  readonly id: string;
  /** The version to acquire. */
  readonly version: number;
  readonly lane: string;
  readonly pid: string;
  readonly given?: Given;
}

interface Given {
  /** Of the origin, after this write. */
  readonly revision: number;
  readonly task: Task;
  readonly promise: PromiseRecord;
  readonly preload: readonly PromiseRecord[];
}

/** What the streams of some queues got. */
export interface Giving {
  readonly offers: readonly Offer[];
  /** Queues in which tasks are left although a stream may have credit to spare: their tenants have their share. */
  readonly left: readonly string[];
}

export const NOTHING_GIVEN: Giving = { offers: [], left: [] };

type OfferRow = LeftRow | GivenRow;

interface LeftRow extends Record<string, unknown> {
  queue: string;
  id: null;
}

interface GivenRow extends Record<string, unknown> {
  queue: string;
  id: string;
  version: number;
  lane: string;
  pid: string;
  given: { revision: number; releases: number; ttl: number; promise: PromiseRow; owned: PromiseRow[] } | null;
}

/** What a step changed, and the state that it read. */
interface Written {
  readonly changes: Changes;
  readonly state: State;
}

export interface Save extends Pick<Loaded, 'revisions' | 'now'> {
  readonly written: readonly Written[];
  readonly unblocks?: readonly QueuedUnblock[];
  readonly queues?: readonly ServedQueue[];
  /** Whether the answers wait for the disk. */
  readonly durable: boolean;
}

export async function saveChanges(on: Queryable, save: Save): Promise<Giving> {
  const { written, revisions, now, unblocks = [], queues = [], durable } = save;
  const all = written.map(({ changes }) => changes);
  const created = all.flatMap((changes) => changes.created);
  const settled = all.flatMap((changes) => changes.settled);
  const executed = new Set(all.flatMap(({ executes }) => executes).map(({ id }) => id));
  const born = new Map(created.map((promise) => [promise.id, promise]));
  const tasks = written.flatMap(({ changes, state }) =>
    changes.tasks.map((task) =>
      taskRow(task, born.get(task.id) ?? state.promises.get(task.id), executed.has(task.id), now),
    ),
  );
  const { rows } = await on.query<OfferRow>(
    'select * from :schema.broker_save($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    [
      JSON.stringify(revisions),
      json(created.map(promiseRow)),
      json(
        settled.map((promise) => ({
          id: promise.id,
          state: promise.state,
          value: JSON.stringify(promise.value),
          settled_at: promise.settledAt,
        })),
      ),
      json(tasks),
      orNull(all.flatMap((changes) => changes.clearAwaiters)),
      orNull(all.flatMap((changes) => changes.forgetAwaiters)),
      json(all.flatMap((changes) => changes.addAwaiters)),
      orNull(all.flatMap((changes) => changes.clearListeners)),
      json(all.flatMap((changes) => changes.addListeners)),
      json(unblocks),
      json(queues),
      now,
      OFFER_MS,
      durable,
    ],
  );
  return toGiving(rows, now);
}

/** Null instead of an empty list, so that the function can skip the statement. */
function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length > 0 ? list : null;
}

function json(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}

const GIVE = `
  select q.queue, c.task_id as id, c.task_version as version, c.task_lane as lane, c.stream_pid as pid, c.given
  from json_to_recordset($1::json) as q(queue text, after text, pids text[], credits int[], ttls bigint[], share int)
  cross join lateral :schema.broker_give(q.queue, q.after, q.pids, q.credits, q.ttls, q.share, $2::bigint, $3) c`;

/** Gives waiting tasks to streams when there is nothing to save. */
export async function giveTasks(on: Queryable, queues: readonly ServedQueue[], now: number): Promise<Giving> {
  const { rows } = await on.query<OfferRow>(GIVE, [JSON.stringify(queues), now, OFFER_MS]);
  return toGiving(rows, now);
}

const TAKE_UNBLOCKS = `
  with taken as (
    delete from :schema.broker_unblock u using (
      select k.queue, k.promise from unnest($1::text[]) as q(queue)
      cross join lateral (select * from :schema.broker_unblock b where b.queue = q.queue order by b.promise limit 500 for update skip locked) k
    ) k where u.queue = k.queue and u.promise = k.promise
    returning u.queue, u.promise
  )
  select t.queue, p.id, p.state, p.param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at
  from taken t cross join lateral (select * from :schema.broker_promise k where k.id = t.promise offset 0) p`;

/** Removes and returns the queued messages to listeners in these queues. */
export async function takeUnblocks(
  on: Queryable,
  queues: readonly string[],
): Promise<{ queue: string; promise: PromiseRecord }[]> {
  const { rows } = await on.query<PromiseRow & { queue: string } & Record<string, unknown>>(TAKE_UNBLOCKS, [queues]);
  return rows.map((row) => ({ queue: row.queue, promise: toPromise(row) }));
}

function toGiving(rows: readonly OfferRow[], now: number): Giving {
  if (rows.length === 0) return NOTHING_GIVEN;
  return {
    offers: rows.flatMap((row) => (row.id === null ? [] : [toOffer(row, now)])),
    left: rows.flatMap(({ id, queue }) => (id === null ? [queue] : [])),
  };
}

function toOffer({ given, ...offer }: GivenRow, now: number): Offer {
  if (!given) return offer;
  const { revision, releases, ttl, promise, owned } = given;
  const task: Task = {
    id: offer.id,
    state: 'acquired',
    version: offer.version + 1,
    resumes: [],
    pid: offer.pid,
    ttl,
    expiresAt: now + ttl,
    releases,
  };
  return {
    ...offer,
    given: {
      revision,
      task,
      promise: toPromise(promise),
      preload: owned.filter(({ id }) => id !== offer.id).map(toPromise),
    },
  };
}

function promiseRow(promise: PromiseRecord): Record<string, unknown> {
  return {
    id: promise.id,
    state: promise.state,
    param: JSON.stringify(promise.param),
    value: JSON.stringify(promise.value),
    tags: JSON.stringify(promise.tags),
    timeout_at: promise.timeoutAt,
    created_at: promise.createdAt,
    settled_at: promise.settledAt ?? null,
    owner: ownerOf(promise) ?? null,
    armed: isExternal(promise),
  };
}

function taskRow(
  task: Task,
  promise: PromiseRecord | undefined,
  executed: boolean,
  now: number,
): Record<string, unknown> {
  const { id, state, version, releases } = task;
  return {
    id,
    state,
    version,
    releases,
    resumes: JSON.stringify(task.resumes),
    pid: task.pid ?? null,
    ttl: task.ttl ?? null,
    wake_at: task.expiresAt ?? task.dispatchAt ?? null,
    queue: queueOf(promise),
    prefer_pid: parseAddress(promise && targetOf(promise))?.preferPid ?? null,
    lane: `.${promise?.tags['service:tenant'] ?? ''}`.slice(0, 200),
    // Its place: work that comes back, because its process was lost or gave it back, is before what came later.
    queued_at: executed ? (promise?.createdAt ?? now) : null,
  };
}
