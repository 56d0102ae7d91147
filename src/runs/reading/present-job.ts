// A person's run as the interface shows it, and why it waits: the row says so, or else the broker is asked about its call.
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import type { WaitingReason as BrokerReason } from '../../broker/protocol/figures.ts';
import type { JobOnWire } from '../../contract/jobs.ts';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import { callId } from '../delivery/dispatch-job.ts';
import { type Job, streamOf } from '../record/job.ts';
import { isFinal } from '../record/job-states.ts';
import { isWaitingReason, WAITING_REASONS, type WaitingReason } from '../record/waiting-reasons.ts';

export function presentJob(job: Job, waiting: Waiting | undefined, sandbox?: Confinement): JobOnWire {
  return {
    id: job.id,
    organization: job.organizationId ?? '',
    workspace: job.workspaceId ?? '',
    kind: job.kind,
    objective: job.objective,
    status: job.status,
    createdAt: job.createdAt.toISOString(),
    ...(job.startedAt ? { startedAt: job.startedAt.toISOString() } : {}),
    ...(job.endedAt ? { endedAt: job.endedAt.toISOString() } : {}),
    attempt: job.attempt,
    ...(job.result === undefined ? {} : { result: job.result }),
    ...(job.error === undefined ? {} : { error: job.error }),
    stream: streamOf(job),
    createdBy: job.createdBy ?? '',
    ...(job.model === undefined ? {} : { model: job.model }),
    capabilities: [...job.capabilities],
    ...(job.authority.startedWith === undefined
      ? {}
      : { startedWith: job.authority.startedWith, scopes: [...job.authority.scopes] }),
    ...(job.fundingWorkspaceId === undefined ? {} : { fundingWorkspace: job.fundingWorkspaceId }),
    ...(waiting ? { waiting: { ...waiting } } : {}),
    ...(sandbox ? { sandbox } : {}),
  };
}

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

/** From the row alone: for lists, which do not ask the broker. */
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

function explain(reason: WaitingReason, error?: string): Waiting {
  return { reason, message: error === undefined ? WAITING_REASONS[reason] : `${WAITING_REASONS[reason]} (${error})` };
}
