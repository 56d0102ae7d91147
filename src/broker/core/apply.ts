// The broker's one transition function: takes a step and the state that it may read, returns an answer and the changes to
// write. No clock and no I/O; the caller makes sure that no other step runs on the same origins.
import { createPromise, getPromise, registerCallback, registerListener, settlePromise } from './answer-promise.ts';
import {
  acquireTask,
  continueTask,
  createTask,
  fenceTask,
  fulfillTask,
  getTask,
  haltTask,
  heartbeat,
  RELEASE_POLICY,
  type ReleasePolicy,
  releaseTask,
  suspendTask,
} from './answer-task.ts';
import { type Changes, type StateDraft, openDraft, type State } from './draft.ts';
import { validateStep } from './validate-step.ts';
import type { BrokerAnswer } from '../protocol/protocol.ts';
import { isAlive } from '../protocol/records.ts';
import { dispatch, touch } from './settle.ts';
import { namedIds, type Step } from '../protocol/steps.ts';

export interface StepOutcome {
  readonly answer: BrokerAnswer;
  readonly changes: Changes;
}

export function apply(now: number, state: State, step: Step, policy: ReleasePolicy = RELEASE_POLICY): StepOutcome {
  const draft = openDraft(state);
  const refusal = validateStep(step);
  if (refusal) return { answer: refusal, changes: draft.changes };
  // A heartbeat writes only leases: it respects deadlines that have passed without recording them.
  if (step.kind !== 'task.heartbeat') for (const id of namedIds(step)) touch(draft, id, now);
  const answer = answerStep(draft, step, now, policy);
  return { answer, changes: draft.changes };
}

function answerStep(draft: StateDraft, step: Step, now: number, policy: ReleasePolicy): BrokerAnswer {
  switch (step.kind) {
    case 'promise.get':
      return getPromise(draft, step.data);
    case 'promise.create':
      return createPromise(draft, step.data, now);
    case 'promise.settle':
      return settlePromise(draft, step.data, now);
    case 'promise.register_callback':
      return registerCallback(draft, step.data, now);
    case 'promise.register_listener':
      return registerListener(draft, step.data);
    case 'task.get':
      return getTask(draft, step.data);
    case 'task.create':
      return createTask(draft, step.data, now);
    case 'task.acquire':
      return acquireTask(draft, step.data, now);
    case 'task.release':
      return releaseTask(draft, step.data, now, policy);
    case 'task.suspend':
      return suspendTask(draft, step.data, now);
    case 'task.halt':
      return haltTask(draft, step.data);
    case 'task.continue':
      return continueTask(draft, step.data, now);
    case 'task.fulfill':
      return fulfillTask(draft, step.data, now);
    case 'task.fence':
      return fenceTask(draft, step.data, now);
    case 'task.heartbeat':
      return heartbeat(draft, step.data, now);
    case 'promise.expire':
      return { status: 200, data: {} };
    case 'task.wake':
      return wakeTask(draft, step.data.id, now);
    case 'task.lose':
      return loseTask(draft, step.data.id, step.data.pid, now);
  }
}

/** A task whose lease has expired goes back to the queue; a delayed task that is due is sent out. */
function wakeTask(draft: StateDraft, id: string, now: number): BrokerAnswer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  const due = task?.state === 'acquired' ? task.expiresAt : task?.state === 'pending' ? task.dispatchAt : undefined;
  if (task && due !== undefined && due <= now && isAlive(promise, now)) dispatch(draft, { task, promise }, now);
  return { status: 200, data: {} };
}

/** The process that holds the task is gone. */
function loseTask(draft: StateDraft, id: string, pid: string, now: number): BrokerAnswer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  if (task?.state === 'acquired' && task.pid === pid && isAlive(promise, now)) dispatch(draft, { task, promise }, now);
  return { status: 200, data: {} };
}
