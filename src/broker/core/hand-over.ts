// A task that became due goes straight to a stream with credit: it is written as acquired, in the same statement as the
// change that made it due, and never enters its queue. Only when no task waits in the queue already: tenants take turns
// in the store.
import { parseAddress } from '../protocol/address.ts';
import type { Changes, State } from './draft.ts';
import { isAlive, ownerOf, type PromiseRecord, targetOf, type Task, toTaskRecord } from '../protocol/records.ts';
import type { AcquiredTask } from '../protocol/messages.ts';
import type { LocalStream } from '../streams/local-streams.ts';

export interface HandedOver {
  readonly stream: LocalStream;
  readonly id: string;
  /** The version that `task.acquire` would have named. */
  readonly version: number;
  readonly acquired: AcquiredTask;
}

/** A stream with credit to spare, the preferred process first. The task counts against its credit from then on. */
export type ChooseStream = (task: string, queue: string, preferPid: string | undefined) => LocalStream | undefined;

const PRELOAD_MAX = 200;

export function handOver(
  changes: Changes,
  state: State,
  now: number,
  choose: ChooseStream,
): { readonly changes: Changes; readonly handed: readonly HandedOver[] } {
  if (changes.executes.length === 0) return { changes, handed: [] };
  const promises = new Map([
    ...state.promises,
    ...[...changes.created, ...changes.settled].map((promise) => [promise.id, promise] as const),
  ]);
  const handed: HandedOver[] = [];
  const tasks = changes.tasks.map((task) => {
    const promise = promises.get(task.id);
    const to =
      changes.executes.some(({ id }) => id === task.id) && isAlive(promise, now)
        ? parseAddress(targetOf(promise))
        : undefined;
    const stream = to && choose(task.id, to.queue, to.preferPid);
    if (!stream || !promise) return task;
    const acquired = acquiredBy(stream, task, now);
    handed.push({
      stream,
      id: task.id,
      version: task.version,
      acquired: { task: toTaskRecord(acquired), promise, preload: preloadOf(task.id, promises.values()) },
    });
    return acquired;
  });
  if (handed.length === 0) return { changes, handed };
  const executes = changes.executes.filter(({ id }) => !handed.some((one) => one.id === id));
  return { changes: { ...changes, tasks, executes }, handed };
}

function acquiredBy({ pid, leaseMs = 0 }: LocalStream, { id, version, releases }: Task, now: number): Task {
  return {
    id,
    state: 'acquired',
    version: version + 1,
    resumes: [],
    pid,
    ttl: leaseMs,
    expiresAt: now + leaseMs,
    releases,
  };
}

/** Promises that the task's replay will request, without the parameters of its own calls. Only a hint, so it may be incomplete. */
function preloadOf(id: string, promises: Iterable<PromiseRecord>): PromiseRecord[] {
  const owned: PromiseRecord[] = [];
  for (const promise of promises) {
    if (promise.id !== id && ownerOf(promise) === id) owned.push({ ...promise, param: {} });
    if (owned.length === PRELOAD_MAX) break;
  }
  return owned;
}
