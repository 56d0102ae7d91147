// The broker's one transition function: a step and what it may look at, in; an answer and what to write, out.
// No clock and no I/O; whoever calls it holds the lock of every origin the step names.
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
  releaseTask,
  suspendTask,
} from './answer-task.ts';
import { type Changes, type Draft, openDraft, type State } from './draft.ts';
import { findNonsense } from './validate-step.ts';
import type { Answer } from '../protocol/protocol.ts';
import { isAlive } from '../protocol/records.ts';
import { RELEASE_POLICY, type ReleasePolicy } from './release-policy.ts';
import { dispatch, touch } from './settle.ts';
import { namedIds, type Step } from '../protocol/steps.ts';

export interface Outcome {
  readonly answer: Answer;
  readonly changes: Changes;
}

export function apply(now: number, state: State, step: Step, policy: ReleasePolicy = RELEASE_POLICY): Outcome {
  const draft = openDraft(state);
  const nonsense = findNonsense(step);
  if (nonsense) return { answer: nonsense, changes: draft.changes };
  // A heartbeat writes nothing but leases; it looks at deadlines without writing them down.
  if (step.kind !== 'task.heartbeat') for (const id of namedIds(step)) touch(draft, id, now);
  const answer = answerStep(draft, step, now, policy);
  return { answer, changes: draft.changes };
}

function answerStep(draft: Draft, step: Step, now: number, policy: ReleasePolicy): Answer {
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

/** A lease that ran out goes back to the queue; a task whose time has come is sent out. */
function wakeTask(draft: Draft, id: string, now: number): Answer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  const due = task?.state === 'acquired' ? task.expiresAt : task?.state === 'pending' ? task.dispatchAt : undefined;
  if (task && due !== undefined && due <= now && isAlive(promise, now)) dispatch(draft, task, promise, now, now);
  return { status: 200, data: {} };
}

/** Whoever holds it is gone. */
function loseTask(draft: Draft, id: string, pid: string, now: number): Answer {
  const task = draft.task(id);
  const promise = draft.promise(id);
  if (task?.state === 'acquired' && task.pid === pid && isAlive(promise, now)) dispatch(draft, task, promise, now, now);
  return { status: 200, data: {} };
}
