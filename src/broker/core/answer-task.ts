// The requests about tasks. A process proves by a task's version that it holds the current lease; once its promise is
// settled or timed out, a task is done, whatever its state was.
import { newPromise, createPromise, settlePromise } from './answer-promise.ts';
import type { StateDraft } from './draft.ts';
import type { BrokerAnswer, Body } from '../protocol/protocol.ts';
import {
  isAlive,
  isExternal,
  originOf,
  ownerOf,
  type PromiseRecord,
  targetOf,
  type Task,
  toTaskRecord,
} from '../protocol/records.ts';
import { dispatch, park, settle } from './settle.ts';

const PRELOAD_MAX = 200;

/**
 * The pause before a task is sent out again, by the number of releases in a row without progress; one release more than
 * there are pauses halts it. A worker that lacks a function releases its task at once and would otherwise be given it
 * again at once. Operators see halted tasks; `task.continue` lets them go on.
 */
export type ReleasePolicy = readonly number[];

export const RELEASE_POLICY: ReleasePolicy = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];

export function getTask(draft: StateDraft, { id }: Body<'task.get'>): BrokerAnswer {
  const task = draft.task(id);
  return task ? { status: 200, data: { task: toTaskRecord(task) } } : { status: 404, data: 'Task not found' };
}

export function createTask(
  draft: StateDraft,
  { action: { data }, pid, ttl }: Body<'task.create'>,
  now: number,
): BrokerAnswer {
  const existing = draft.promise(data.id);
  if (existing && targetOf(existing) === undefined) return { status: 422, data: 'Promise has no address' };
  const task = draft.task(data.id);
  if (existing && task?.state === 'pending') return held(draft, acquired(task, pid, ttl, now), existing);
  if (existing && task?.state === 'fulfilled') return held(draft, task, existing);
  if (existing) return { status: 409, data: task ? 'Task already exists' : 'Promise already exists' };
  const promise = newPromise(data, now);
  const born = { id: data.id, version: 0, resumes: [], releases: 0 } as const;
  draft.createPromise(promise);
  return held(
    draft,
    promise.state === 'pending'
      ? acquired({ ...born, state: 'pending' }, pid, ttl, now)
      : { ...born, state: 'fulfilled' },
    promise,
  );
}

export function acquireTask(
  draft: StateDraft,
  { id, version, pid, ttl }: Body<'task.acquire'>,
  now: number,
): BrokerAnswer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  if (!task || !promise) return { status: 404, data: 'Task not found' };
  if (task.state !== 'pending') return { status: 409, data: 'Task not in pending state' };
  if (task.version !== version) return { status: 409, data: 'Version mismatch' };
  return held(draft, acquired(task, pid, ttl, now), promise);
}

export function releaseTask(
  draft: StateDraft,
  { id, version }: Body<'task.release'>,
  now: number,
  policy: ReleasePolicy,
): BrokerAnswer {
  const lease = leaseOf(draft, id, version, now);
  if ('status' in lease) return lease;
  const releases = lease.task.releases + 1;
  const delayMs = policy[releases - 1];
  const task = { ...lease.task, releases };
  if (delayMs === undefined) draft.setTask(park(task, 'halted', task.resumes));
  else dispatch(draft, { task, promise: lease.promise }, now, now + delayMs);
  return { status: 200, data: {} };
}

export function suspendTask(
  draft: StateDraft,
  { id, version, actions }: Body<'task.suspend'>,
  now: number,
): BrokerAnswer {
  const lease = leaseOf(draft, id, version, now);
  if ('status' in lease) return lease;
  const awaited = actions.map(({ data }) => draft.promise(data.awaited));
  if (actions.some(({ data }) => originOf(data.awaited) !== originOf(id)))
    return { status: 422, data: 'Awaited and awaiter must share an origin' };
  if (!awaited.every((promise) => promise !== undefined && isExternal(promise)))
    return { status: 422, data: 'Awaited promise not found or not awaitable' };
  if (awaited.some((promise) => promise?.state !== 'pending')) {
    draft.setTask({ ...lease.task, resumes: [] });
    return { status: 300, data: { preload: preload(draft, id) } };
  }
  for (const { data } of actions) draft.addAwaiter(data.awaited, id);
  draft.setTask({ ...park(lease.task, 'suspended', []), releases: 0 });
  return { status: 200, data: {} };
}

export function fulfillTask(
  draft: StateDraft,
  { id, version, action: { data } }: Body<'task.fulfill'>,
  now: number,
): BrokerAnswer {
  const lease = leaseOf(draft, id, version, now);
  if ('status' in lease) return lease;
  const promise: PromiseRecord = { ...lease.promise, state: data.state, value: data.value, settledAt: now };
  settle(draft, promise, now);
  return { status: 200, data: { promise } };
}

/** Creates or settles another promise while the lease still holds. */
export function fenceTask(draft: StateDraft, { id, version, action }: Body<'task.fence'>, now: number): BrokerAnswer {
  const lease = leaseOf(draft, id, version, now);
  if ('status' in lease) return lease.status === 404 ? lease : { status: 409, data: 'Fence check failed' };
  const before = draft.promise(action.data.id)?.state;
  const { status, data } =
    action.kind === 'promise.create' ? createPromise(draft, action.data, now) : settlePromise(draft, action.data, now);
  const task = draft.task(id);
  // Only a change counts as progress: a replay requests again what is already there.
  if (task && task.releases > 0 && draft.promise(action.data.id)?.state !== before)
    draft.setTask({ ...task, releases: 0 });
  const { corrId, version: protocol } = action.head;
  return {
    status: 200,
    data: { action: { kind: action.kind, head: { corrId, status, version: protocol }, data }, preload: [] },
  };
}

export function haltTask(draft: StateDraft, { id }: Body<'task.halt'>): BrokerAnswer {
  const task = draft.task(id);
  if (!task) return { status: 404, data: 'Task not found' };
  if (task.state === 'fulfilled') return { status: 409, data: 'Task is fulfilled' };
  if (task.state !== 'halted') draft.setTask(park(task, 'halted', task.resumes));
  return { status: 200, data: {} };
}

export function continueTask(draft: StateDraft, { id }: Body<'task.continue'>, now: number): BrokerAnswer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  if (!task || !promise) return { status: 404, data: 'Task not found' };
  if (task.state !== 'halted') return { status: 409, data: 'Task is not halted' };
  dispatch(draft, { task: { ...task, releases: 0 }, promise }, now);
  return { status: 200, data: {} };
}

export function heartbeat(draft: StateDraft, { pid, tasks }: Body<'task.heartbeat'>, now: number): BrokerAnswer {
  for (const { id, version } of tasks) {
    const lease = leaseOf(draft, id, version, now);
    if ('status' in lease || lease.task.pid !== pid) continue;
    draft.setTask({ ...lease.task, expiresAt: now + (lease.task.ttl ?? 0) });
  }
  return { status: 200, data: {} };
}

function leaseOf(
  draft: StateDraft,
  id: string,
  version: number,
  now: number,
): { readonly task: Task; readonly promise: PromiseRecord } | BrokerAnswer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  if (!task) return { status: 404, data: 'Task not found' };
  if (task.state !== 'acquired' || !isAlive(promise, now)) return { status: 409, data: 'Task not acquired' };
  return task.version === version ? { task, promise } : { status: 409, data: 'Version mismatch' };
}

function acquired(task: Task, pid: string, ttl: number, now: number): Task {
  return {
    id: task.id,
    state: 'acquired',
    version: task.version + 1,
    resumes: [],
    pid,
    ttl,
    expiresAt: now + ttl,
    releases: task.releases,
  };
}

function held(draft: StateDraft, task: Task, promise: PromiseRecord): BrokerAnswer {
  draft.setTask(task);
  return { status: 200, data: { task: toTaskRecord(task), promise, preload: preload(draft, task.id) } };
}

/** Promises that the task's replay will request, to save round trips. Only a hint, so it may be incomplete. */
function preload(draft: StateDraft, id: string): PromiseRecord[] {
  const found: PromiseRecord[] = [];
  for (const promise of draft.allPromises()) {
    if (promise.id !== id && ownerOf(promise) === id) found.push(promise);
    if (found.length === PRELOAD_MAX) break;
  }
  return found;
}
