// What follows when a promise settles: its own task is done, the tasks that await it are resumed, its listeners are
// notified. The order matters: a task is done before anything could resume it.
import type { StateDraft } from './draft.ts';
import { isAlive, isTimer, type PromiseRecord, type Task, timedOut } from '../protocol/records.ts';

export function settle(draft: StateDraft, promise: PromiseRecord, now: number): void {
  draft.settlePromise(promise);
  finishTask(draft, promise.id);
  for (const awaiter of draft.awaiters(promise.id)) resume(draft, awaiter, promise.id, now);
  draft.clearAwaiters(promise.id);
  for (const address of draft.listeners(promise.id)) draft.unblock(address, promise);
  draft.clearListeners(promise.id);
}

/** Records a timeout if the deadline has passed. */
export function touch(draft: StateDraft, id: string, now: number): void {
  const promise = draft.promise(id);
  if (promise?.state === 'pending' && !isAlive(promise, now)) settle(draft, timedOut(promise), now);
}

export interface Dispatched {
  readonly task: Task;
  readonly promise: PromiseRecord;
}

/** Makes a task pending, due at a worker now or later. Timers are never executed, so nothing is sent for them. */
export function dispatch(draft: StateDraft, { task, promise }: Dispatched, now: number, at = now): void {
  const { pid: _pid, ttl: _ttl, expiresAt: _expiresAt, dispatchAt: _dispatchAt, ...rest } = task;
  const pending: Task = { ...rest, state: 'pending' };
  if (isTimer(promise)) return draft.setTask(pending);
  if (at > now) return draft.setTask({ ...pending, dispatchAt: at });
  draft.setTask(pending);
  draft.execute(pending);
}

/** A task that no process holds and that is not due. */
export function park(task: Task, state: 'suspended' | 'halted' | 'fulfilled', resumes: readonly string[]): Task {
  return { id: task.id, state, version: task.version, resumes, releases: task.releases };
}

function finishTask(draft: StateDraft, id: string): void {
  const task = draft.task(id);
  if (!task || task.state === 'fulfilled') return;
  draft.setTask(park(task, 'fulfilled', []));
  draft.forgetAwaiter(id);
}

/** An awaiter past its own deadline is not resumed: the timeout will finish it. */
function resume(draft: StateDraft, awaiter: string, awaited: string, now: number): void {
  const task = draft.task(awaiter);
  const promise = draft.promise(awaiter);
  if (!task || task.state === 'fulfilled' || !isAlive(promise, now)) return;
  if (task.state === 'suspended') dispatch(draft, { task: { ...task, resumes: [awaited] }, promise }, now);
  else if (!task.resumes.includes(awaited)) draft.setTask({ ...task, resumes: [...task.resumes, awaited] });
}
