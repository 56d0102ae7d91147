// The steps that the transition function takes: client requests and the broker's own steps.
import type { BrokerRequest } from './protocol.ts';
import { originOf } from './records.ts';

/** Each checks again whether it is due, so it may come late, early or twice. */
type OwnStep =
  | { readonly kind: 'promise.expire'; readonly data: { readonly id: string } }
  | { readonly kind: 'task.wake'; readonly data: { readonly id: string } }
  | { readonly kind: 'task.lose'; readonly data: { readonly id: string; readonly pid: string } };

export type Step = BrokerRequest | OwnStep;

/** The ids that a step names, of promises and of their tasks. */
export function namedIds(step: Step): string[] {
  switch (step.kind) {
    case 'promise.register_callback':
      return [step.data.awaited, step.data.awaiter];
    case 'promise.register_listener':
      return [step.data.awaited];
    case 'task.create':
      return [step.data.action.data.id];
    case 'task.fence':
      return [step.data.id, step.data.action.data.id];
    case 'task.suspend':
      return [step.data.id, ...step.data.actions.map(({ data }) => data.awaited)];
    case 'task.heartbeat':
      return step.data.tasks.map(({ id }) => id);
    default:
      return [step.data.id];
  }
}

export function namedOrigins(step: Step): string[] {
  return [...new Set(namedIds(step).map(originOf))].sort();
}

/**
 * Steps whose answer need not wait for the disk. If the database server crashes in that moment, they are undone along
 * with everything after them, and are repeated: a lost lease is refused at its next use and the task offered again, a
 * lost child is created by the replay, what is due by the clock is still due. That does not hold for work that a client
 * was told is accepted, finished, suspended or released: those steps wait.
 */
const REPEATABLE: readonly Step['kind'][] = [
  'promise.get',
  'task.get',
  'task.acquire',
  'task.fence',
  'task.heartbeat',
  'promise.register_listener',
  'promise.expire',
  'task.wake',
];

export function mustBeDurable({ kind }: Step): boolean {
  return !isRepeatable(kind);
}

export function isRepeatable(kind: string): boolean {
  return REPEATABLE.some((one) => one === kind);
}
