// Why a job waits, as far as it can be known: what the row says, else what the broker says of its call.
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import type { WaitingReason as BrokerReason } from '../../broker/store/read-figures.ts';
import { callId } from '../delivery/dispatch-job.ts';
import type { Job } from '../record/job.ts';
import { isFinal } from '../record/job-states.ts';
import { isWaitingReason, WAITING_REASONS, type WaitingReason } from '../record/waiting-reasons.ts';

export interface Waiting {
  readonly reason: WaitingReason;
  readonly message: string;
}

const FROM_BROKER = {
  'no stream connected': 'no_worker',
  'no credit': 'workers_busy',
  'being delivered': 'delivering',
  'backing off': 'delivering',
  delayed: 'delivering',
  halted: 'no_worker',
  'waiting for its deadline': 'delivering',
  'address not served': 'no_worker',
} as const satisfies Record<BrokerReason, WaitingReason>;

/** What the row alone tells: for lists, where nobody is asked. */
export function storedWaiting(job: Job): Waiting | undefined {
  if (isFinal(job.status)) return undefined;
  if (isWaitingReason(job.waitingReason)) return explain(job.waitingReason, job.error);
  return job.status === 'queued' ? explain('dispatching') : undefined;
}

export async function explainWaiting(
  job: Job,
  broker: Pick<FiguresClient, 'waiting'> | undefined,
): Promise<Waiting | undefined> {
  const stored = storedWaiting(job);
  if (stored?.reason !== 'dispatching' || !broker) return stored;
  const [task] = await broker.waiting(callId(job)).catch(() => []);
  return task ? explain(FROM_BROKER[task.reason]) : stored;
}

/** With what exactly is wrong, where the row tells. */
function explain(reason: WaitingReason, error?: string): Waiting {
  return { reason, message: error === undefined ? WAITING_REASONS[reason] : `${WAITING_REASONS[reason]} (${error})` };
}
