// A cache of origins that this replica created and therefore knows completely: a step on one of them needs no read. An
// entry may be out of date because another replica has written; the revision that a write names detects that. So only
// steps that write are ever answered from here.
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import type { Changes, State } from '../core/draft.ts';
import type { PromiseRecord, Task } from '../protocol/records.ts';

interface KnownOrigin {
  readonly revision: number;
  readonly state: State;
}

export interface KnownOrigins {
  find(origin: string): KnownOrigin | undefined;
  /** An origin was written, from this revision to the next. A new one is known from now on. */
  written(origin: string, before: number, changes: Changes): void;
  /** A task of it was given to a process, which raised the revision to this one. */
  given(origin: string, revision: number, task: Task): void;
  forget(origin: string): void;
}

interface Entry {
  revision: number;
  bytes: number;
  readonly state: {
    promises: Map<string, PromiseRecord>;
    tasks: Map<string, Task>;
    awaiters: Map<string, string[]>;
    listeners: Map<string, string[]>;
  };
}

/** A larger origin is no longer cached; neither is the oldest one once the cache is full. */
const PROMISES_MAX = 100;
const ORIGINS_MAX = 10_000;
const BYTES_MAX = 32 * 1024 * 1024;

export function createKnownOrigins({
  originsMax = ORIGINS_MAX,
  bytesMax = BYTES_MAX,
}: { originsMax?: number; bytesMax?: number } = {}): KnownOrigins {
  const entries = createBoundedMap<string, Entry>(originsMax, { of: ({ bytes }) => bytes, most: bytesMax });

  function keep(origin: string, entry: Entry): void {
    entry.bytes = [...entry.state.promises.values()].reduce((sum, promise) => sum + sizeOf(promise), 0);
    entries.set(origin, entry);
  }

  return {
    find: (origin) => entries.get(origin),
    written(origin, before, changes) {
      const entry = before === 0 ? newEntry() : entries.get(origin);
      entries.delete(origin);
      if (entry?.revision !== before) return;
      entry.revision++;
      write(entry.state, changes);
      // Once its root has settled, an origin is hardly ever used again.
      if (entry.state.promises.get(origin)?.state === 'pending' && entry.state.promises.size <= PROMISES_MAX)
        keep(origin, entry);
    },
    given(origin, revision, task) {
      const entry = entries.get(origin);
      if (!entry) return;
      if (entry.revision !== revision - 1) return void entries.delete(origin);
      entry.revision = revision;
      entry.state.tasks.set(task.id, task);
    },
    forget: (origin) => void entries.delete(origin),
  };
}

function newEntry(): Entry {
  return {
    revision: 0,
    bytes: 0,
    state: { promises: new Map(), tasks: new Map(), awaiters: new Map(), listeners: new Map() },
  };
}

/** In the same order as the store: clear, forget, add. */
function write({ promises, tasks, awaiters, listeners }: Entry['state'], changes: Changes): void {
  for (const promise of [...changes.created, ...changes.settled]) promises.set(promise.id, promise);
  for (const task of changes.tasks) tasks.set(task.id, task);
  for (const id of changes.clearAwaiters) awaiters.delete(id);
  if (changes.forgetAwaiters.length > 0)
    for (const [awaited, waiting] of awaiters)
      awaiters.set(
        awaited,
        waiting.filter((awaiter) => !changes.forgetAwaiters.includes(awaiter)),
      );
  for (const { awaited, awaiter } of changes.addAwaiters)
    awaiters.set(awaited, [...(awaiters.get(awaited) ?? []), awaiter]);
  for (const id of changes.clearListeners) listeners.delete(id);
  for (const { promise, address } of changes.addListeners)
    listeners.set(promise, [...(listeners.get(promise) ?? []), address]);
}

function sizeOf({ param, value }: PromiseRecord): number {
  return 500 + (param.data?.length ?? 0) + (value.data?.length ?? 0);
}
