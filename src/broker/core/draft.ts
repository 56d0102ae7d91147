// What one step reads and writes. A step sees its own writes; other steps see them once the changes are committed.
import type { PromiseRecord, Task } from '../protocol/records.ts';

/** The part of the store that a step may read. */
export interface State {
  readonly promises: ReadonlyMap<string, PromiseRecord>;
  readonly tasks: ReadonlyMap<string, Task>;
  /** Promise → tasks that are resumed when it settles. */
  readonly awaiters: ReadonlyMap<string, readonly string[]>;
  /** Promise → addresses that are notified when it settles. */
  readonly listeners: ReadonlyMap<string, readonly string[]>;
}

/** To be committed in this order: clear, forget, add. */
export interface Changes {
  readonly created: readonly PromiseRecord[];
  readonly settled: readonly PromiseRecord[];
  readonly tasks: readonly Task[];
  readonly clearAwaiters: readonly string[];
  readonly forgetAwaiters: readonly string[];
  readonly addAwaiters: readonly { readonly awaited: string; readonly awaiter: string }[];
  readonly clearListeners: readonly string[];
  readonly addListeners: readonly { readonly promise: string; readonly address: string }[];
  /** Tasks that are due at a worker now. */
  readonly executes: readonly { readonly id: string; readonly version: number }[];
  readonly unblocks: readonly { readonly address: string; readonly promise: PromiseRecord }[];
}

export interface StateDraft {
  promise(id: string): PromiseRecord | undefined;
  task(id: string): Task | undefined;
  awaiters(id: string): readonly string[];
  listeners(id: string): readonly string[];
  allPromises(): Iterable<PromiseRecord>;
  createPromise(promise: PromiseRecord): void;
  settlePromise(promise: PromiseRecord): void;
  setTask(task: Task): void;
  addAwaiter(awaited: string, awaiter: string): void;
  clearAwaiters(awaited: string): void;
  forgetAwaiter(awaiter: string): void;
  addListener(promise: string, address: string): void;
  clearListeners(promise: string): void;
  execute(task: Task): void;
  unblock(address: string, promise: PromiseRecord): void;
  readonly changes: Changes;
}

export function openDraft(state: State): StateDraft {
  const created = new Map<string, PromiseRecord>();
  const settled = new Map<string, PromiseRecord>();
  const tasks = new Map<string, Task>();
  const cleared = new Set<string>();
  const forgotten = new Set<string>();
  const clearedListeners = new Set<string>();
  const changes = {
    addAwaiters: [] as { awaited: string; awaiter: string }[],
    addListeners: [] as { promise: string; address: string }[],
    executes: [] as { id: string; version: number }[],
    unblocks: [] as { address: string; promise: PromiseRecord }[],
  };
  const promise = (id: string): PromiseRecord | undefined =>
    settled.get(id) ?? created.get(id) ?? state.promises.get(id);
  const awaiters = (id: string): readonly string[] => {
    const before = cleared.has(id) ? [] : (state.awaiters.get(id) ?? []).filter((awaiter) => !forgotten.has(awaiter));
    return [...before, ...changes.addAwaiters.filter(({ awaited }) => awaited === id).map(({ awaiter }) => awaiter)];
  };
  const listeners = (id: string): readonly string[] => [
    ...(clearedListeners.has(id) ? [] : (state.listeners.get(id) ?? [])),
    ...changes.addListeners.filter((added) => added.promise === id).map(({ address }) => address),
  ];
  return {
    promise,
    task: (id) => tasks.get(id) ?? state.tasks.get(id),
    awaiters,
    listeners,
    *allPromises() {
      for (const id of new Set([...state.promises.keys(), ...created.keys()])) {
        const found = promise(id);
        if (found) yield found;
      }
    },
    createPromise: (record) => void created.set(record.id, record),
    settlePromise: (record) => void settled.set(record.id, record),
    setTask: (task) => void tasks.set(task.id, task),
    addAwaiter(awaited, awaiter) {
      if (!awaiters(awaited).includes(awaiter)) changes.addAwaiters.push({ awaited, awaiter });
    },
    clearAwaiters: (awaited) => void cleared.add(awaited),
    forgetAwaiter: (awaiter) => void forgotten.add(awaiter),
    addListener(id, address) {
      if (!listeners(id).includes(address)) changes.addListeners.push({ promise: id, address });
    },
    clearListeners: (id) => void clearedListeners.add(id),
    execute: ({ id, version }) => void changes.executes.push({ id, version }),
    unblock: (address, record) => void changes.unblocks.push({ address, promise: record }),
    get changes() {
      // A promise that is created and settled by the same step is written once, as settled.
      const asCreated = [...created.values()].map((record) => settled.get(record.id) ?? record);
      return {
        ...changes,
        created: asCreated,
        settled: [...settled.values()].filter(({ id }) => !created.has(id)),
        tasks: [...tasks.values()],
        clearAwaiters: [...cleared],
        forgetAwaiters: [...forgotten],
        clearListeners: [...clearedListeners],
      };
    },
  };
}

export function hasChanges(changes: Changes): boolean {
  return Object.values(changes).some((list: readonly unknown[]) => list.length > 0);
}
