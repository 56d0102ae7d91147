// The tasks that this process holds, as far as it knows. A task that it dropped without the broker knowing is given back,
// because an open stream would keep its lease for ever. A task that came with its lease is kept until the SDK acquires it.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../telemetry/log.ts';
import type { AcquiredTask, NamedTask } from '../protocol/messages.ts';
import { PROTOCOL_VERSION } from '../protocol/protocol.ts';
import type { PersistentPost } from './persistent-post.ts';
import type { WireRequest } from './post-request.ts';

export interface HeldTasks {
  /** Tasks that this process works on, with the versions of their leases. */
  readonly held: ReadonlyMap<string, number>;
  /** A task came over the stream with its lease; the version is the one that the SDK will acquire. */
  given(task: NamedTask, acquired: AcquiredTask): void;
  /** The answer to `task.acquire` for a task that came with its lease. */
  takeGiven(id: string, version: number): AcquiredTask | undefined;
  /** A `task.acquire` is under way. */
  acquiring(id: string): void;
  acquireEnded(id: string): void;
  /** The broker has granted a lease with this answer. */
  acquired(id: string, version: number, data: unknown): void;
  /** This process has finished with it, and the broker knows. */
  released(id: string, version: number): void;
  /** This process has finished with it, and the broker may not know. */
  letGo(id: string, version: number): void;
  /** Returns the task in the background if the broker still takes it to be held by this process. */
  giveBack(id: string, version: number): void;
  /** Gives back the tasks that the broker takes to be here and are not, unless they arrive within a moment. */
  compare(tasks: readonly NamedTask[]): void;
}

export interface HeldTasksDeps {
  readonly pid: string;
  readonly post: PersistentPost;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** How long a task that the broker has listed may still be in transit. */
const IN_TRANSIT_MS = 1_000;

export function createHeldTasks({ pid, post, stopping, log }: HeldTasksDeps): HeldTasks {
  const held = new Map<string, number>();
  const acquiring = new Set<string>();
  const given = new Map<string, AcquiredTask>();

  async function returnTask(id: string, version: number): Promise<void> {
    const { data } = await post.persist(request('task.get', { id }), Infinity);
    const { task } = data as { task?: { state: string; version: number; pid?: string } };
    if (task?.state === 'acquired' && task.version === version && task.pid === pid)
      await post.persist(request('task.release', { id, version }), Infinity);
  }

  function giveBack(id: string, version: number): void {
    returnTask(id, version).catch((error: unknown) => {
      if (!stopping.aborted) log.warn({ err: error, task: id }, 'could not give task back');
    });
  }

  function letGo(id: string, version: number): void {
    held.delete(id);
    giveBack(id, version);
  }

  return {
    held,
    given({ id, version }, acquired) {
      held.set(id, version + 1);
      given.set(id, acquired);
    },
    takeGiven(id, version) {
      const acquired = given.get(id);
      if (!acquired || acquired.task['version'] !== version + 1) return undefined;
      given.delete(id);
      if (!isReadable(acquired)) letGo(id, version + 1);
      return acquired;
    },
    acquiring: (id) => void acquiring.add(id),
    acquireEnded: (id) => void acquiring.delete(id),
    acquired(id, version, data) {
      held.set(id, version);
      if (!isReadable(data)) letGo(id, version);
    },
    released(id, version) {
      if (held.get(id) === version) held.delete(id);
    },
    letGo,
    giveBack,
    compare(tasks) {
      const isMissing = ({ id, version }: NamedTask): boolean => held.get(id) !== version && !acquiring.has(id);
      if (!tasks.some(isMissing)) return;
      setTimeout(() => {
        if (!stopping.aborted) for (const task of tasks.filter(isMissing)) giveBack(task.id, task.version);
      }, IN_TRANSIT_MS).unref();
    },
  };
}

function request(kind: string, data: unknown): WireRequest {
  return { kind, head: { corrId: randomUUID(), version: PROTOCOL_VERSION }, data };
}

/** The SDK silently drops a task whose parameters it cannot decode. */
function isReadable(data: unknown): boolean {
  const { param, value } = (data as { promise: { param: { data?: string }; value: { data?: string } } }).promise;
  try {
    for (const text of [param.data, value.data]) if (text) JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
