// The broker without a database: its transition function over plain maps.
import { apply, type StepOutcome } from '../../../src/broker/core/apply.ts';
import type { Changes, State } from '../../../src/broker/core/draft.ts';
import type { PromiseRecord, Task } from '../../../src/broker/protocol/records.ts';
import type { ReleasePolicy } from '../../../src/broker/core/answer-task.ts';
import type { Step } from '../../../src/broker/protocol/steps.ts';

export interface Model {
  readonly state: State;
  step(now: number, step: Step): StepOutcome;
}

export function createModel(policy?: ReleasePolicy): Model {
  const state = {
    promises: new Map<string, PromiseRecord>(),
    tasks: new Map<string, Task>(),
    awaiters: new Map<string, string[]>(),
    listeners: new Map<string, string[]>(),
  };
  return {
    state,
    step(now, step) {
      const outcome = apply(now, state, step, policy);
      commit(state, outcome.changes);
      return outcome;
    },
  };
}

function commit(
  state: {
    promises: Map<string, PromiseRecord>;
    tasks: Map<string, Task>;
    awaiters: Map<string, string[]>;
    listeners: Map<string, string[]>;
  },
  changes: Changes,
): void {
  for (const promise of [...changes.created, ...changes.settled]) state.promises.set(promise.id, promise);
  for (const task of changes.tasks) state.tasks.set(task.id, task);
  for (const id of changes.clearAwaiters) state.awaiters.delete(id);
  for (const awaiter of changes.forgetAwaiters)
    for (const [id, awaiters] of state.awaiters)
      state.awaiters.set(
        id,
        awaiters.filter((known) => known !== awaiter),
      );
  for (const { awaited, awaiter } of changes.addAwaiters)
    state.awaiters.set(awaited, [...(state.awaiters.get(awaited) ?? []), awaiter]);
  for (const id of changes.clearListeners) state.listeners.delete(id);
  for (const { promise, address } of changes.addListeners)
    state.listeners.set(promise, [...(state.listeners.get(promise) ?? []), address]);
}
