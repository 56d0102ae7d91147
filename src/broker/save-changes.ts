// Writes what steps have changed and offers waiting tasks to streams, in one statement. It fails as a whole when an
// origin has changed since it was read.
import type { Queryable } from '../store/database.ts';
import { parseAddress, UNSERVED_QUEUE } from './address.ts';
import type { Changes } from './draft.ts';
import type { Loaded } from './load-state.ts';
import { isExternal, ownerOf, type PromiseRecord, targetOf, type Task } from './records.ts';

/** An offer that nobody has taken up by then is void, and the task is queued again. */
const OFFER_MS = 10_000;

export interface QueuedUnblock {
  readonly queue: string;
  readonly promise: string;
}

/** A queue to serve: its streams, and the tenant that was served last. */
export interface ServedQueue {
  readonly queue: string;
  readonly after: string;
  readonly pids: readonly string[];
  readonly credits: readonly number[];
}

export interface Offer {
  readonly queue: string;
  readonly id: string;
  readonly version: number;
  readonly lane: string;
  readonly pid: string;
}

export function hasChanges(changes: Changes): boolean {
  return Object.values(changes).some((list: readonly unknown[]) => list.length > 0);
}

/** PostgreSQL's word for "somebody else was faster". */
export function isOutrun(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40001' || code === '23505';
}

export async function saveChanges(on: Queryable, all: readonly Changes[], { state, revisions, now }: Loaded, unblocks: readonly QueuedUnblock[], queues: readonly ServedQueue[], durable: boolean): Promise<Offer[]> {
  const created = all.flatMap((changes) => changes.created);
  const settled = all.flatMap((changes) => changes.settled);
  const executed = new Set(all.flatMap(({ executes }) => executes).map(({ id }) => id));
  const born = new Map(created.map((promise) => [promise.id, promise]));
  const tasks = all.flatMap((changes) => changes.tasks).map((task) => taskRow(task, born.get(task.id) ?? state.promises.get(task.id), executed.has(task.id), now));
  const { rows } = await on.query<Offer & Record<string, unknown>>('select * from :schema.broker_save($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [
    JSON.stringify(revisions),
    json(created.map(promiseRow)),
    json(settled.map((promise) => ({ id: promise.id, state: promise.state, value: JSON.stringify(promise.value), settled_at: promise.settledAt }))),
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
  ]);
  return rows;
}

/** Nothing is told apart from an empty list, so that the statement can leave it out. */
function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length > 0 ? list : null;
}

function json(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}

const CLAIM = `
  select q.queue, c.task_id as id, c.task_version as version, c.task_lane as lane, c.stream_pid as pid
  from json_to_recordset($1::json) as q(queue text, after text, pids text[], credits int[])
  cross join lateral :schema.broker_claim(q.queue, q.after, q.pids, q.credits, floor(extract(epoch from clock_timestamp()) * 1000)::bigint, $2) c`;

/** Offers waiting tasks when there is nothing to save. */
export async function offerTasks(on: Queryable, queues: readonly ServedQueue[]): Promise<Offer[]> {
  const { rows } = await on.query<Offer & Record<string, unknown>>(CLAIM, [JSON.stringify(queues), OFFER_MS]);
  return rows;
}

/** The queue in which a promise's task waits. */
export function queueOf(promise: Pick<PromiseRecord, 'tags'> | undefined): string {
  return parseAddress(promise && targetOf(promise))?.queue ?? UNSERVED_QUEUE;
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

function taskRow(task: Task, promise: PromiseRecord | undefined, executed: boolean, now: number): Record<string, unknown> {
  const { id, state, version, releases } = task;
  return {
    id, state, version, releases,
    resumes: JSON.stringify(task.resumes),
    pid: task.pid ?? null,
    ttl: task.ttl ?? null,
    wake_at: task.expiresAt ?? task.dispatchAt ?? null,
    queue: queueOf(promise),
    prefer_pid: parseAddress(promise && targetOf(promise))?.preferPid ?? null,
    lane: `.${promise?.tags['service:tenant'] ?? ''}`.slice(0, 200),
    queued_at: executed ? now : null,
  };
}
