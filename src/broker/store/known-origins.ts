// Origins that this replica has seen from their birth on and therefore knows completely: a step on one of them needs
// no reading. What is known may be out of date, because another replica has written; the revision that a write names
// finds that out. So nothing but a step that writes is ever answered from here.
import type { Changes, State } from '../core/draft.ts';
import type { PromiseRecord, Task } from '../protocol/records.ts';

export interface KnownOrigin {
  readonly revision: number;
  readonly state: State;
}

export interface KnownOrigins {
  find(origin: string): KnownOrigin | undefined;
  /** An origin was written, from this revision to the next. One that had none is known from now on. */
  written(origin: string, before: number, changes: Changes): void;
  /** A task of it was given to a process, which made this its revision. */
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

/** A lineage that grows beyond this is read each time again; so is the oldest, once all together hold too much. */
const PROMISES_MAX = 100;
const ORIGINS_MAX = 10_000;
const BYTES_MAX = 32 * 1024 * 1024;

export function createKnownOrigins({
  originsMax = ORIGINS_MAX,
  bytesMax = BYTES_MAX,
}: { originsMax?: number; bytesMax?: number } = {}): KnownOrigins {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function forget(origin: string): void {
    bytes -= entries.get(origin)?.bytes ?? 0;
    entries.delete(origin);
  }

  function keep(origin: string, entry: Entry): void {
    entry.bytes = [...entry.state.promises.values()].reduce((sum, promise) => sum + sizeOf(promise), 0);
    entries.set(origin, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax && entries.size <= originsMax) return;
      forget(oldest);
    }
  }

  return {
    find: (origin) => entries.get(origin),
    written(origin, before, changes) {
      const entry = before === 0 ? newEntry() : entries.get(origin);
      forget(origin);
      if (entry?.revision !== before) return;
      entry.revision++;
      write(entry.state, changes);
      // Once its root is over hardly anybody asks for it again.
      if (entry.state.promises.get(origin)?.state === 'pending' && entry.state.promises.size <= PROMISES_MAX)
        keep(origin, entry);
    },
    given(origin, revision, task) {
      const entry = entries.get(origin);
      if (!entry) return;
      if (entry.revision !== revision - 1) return forget(origin);
      entry.revision = revision;
      entry.state.tasks.set(task.id, task);
    },
    forget,
  };
}

function newEntry(): Entry {
  return {
    revision: 0,
    bytes: 0,
    state: { promises: new Map(), tasks: new Map(), awaiters: new Map(), listeners: new Map() },
  };
}

/** As the store has it: clear, forget, add. */
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
