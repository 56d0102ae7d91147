// Requests that are invalid whatever the stored state: refused before anything is read.
import { listenerAddress } from '../protocol/address.ts';
import type { BrokerAnswer } from '../protocol/protocol.ts';
import { targetOf } from '../protocol/records.ts';
import type { Step } from '../protocol/steps.ts';

export function validateStep(step: Step): BrokerAnswer | undefined {
  const reason = reasonOf(step);
  return reason === undefined ? undefined : { status: reason === UNSERVED ? 501 : 400, data: reason };
}

const UNSERVED = 'Address not served';

function reasonOf(step: Step): string | undefined {
  switch (step.kind) {
    case 'promise.register_callback':
      return step.data.awaited === step.data.awaiter ? 'Awaited and awaiter must be different' : undefined;
    case 'promise.register_listener': {
      const address = listenerAddress(step.data.address);
      return address === 'served' ? undefined : address === 'unserved' ? UNSERVED : 'Invalid address';
    }
    case 'task.create':
      return targetOf(step.data.action.data) === undefined ? 'Action must have a resonate:target tag' : undefined;
    case 'task.suspend': {
      const { id, actions } = step.data;
      if (actions.length === 0) return 'Actions list must not be empty';
      if (actions.some(({ data }) => data.awaiter !== id)) return 'Awaiter must be the suspending task';
      return actions.some(({ data }) => data.awaited === id) ? 'Task cannot await its own promise' : undefined;
    }
    case 'task.fulfill':
      return step.data.action.data.id === step.data.id ? undefined : 'Promise ID must match task ID';
    case 'task.fence':
      return step.data.action.data.id === step.data.id ? 'Fenced action must name another promise' : undefined;
    default:
      return undefined;
  }
}
