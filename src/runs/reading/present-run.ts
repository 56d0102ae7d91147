// A person's run as the interface shows it, and why it waits: the row says so, or else the broker is asked about its call.
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import type { WaitingReason as BrokerReason } from '../../broker/protocol/figures.ts';
import type { JobOnWire, MessageOnWire } from '../../contract/jobs.ts';
import type { ChangesCount } from '../../contract/patches/run-changes.ts';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import { callId } from '../delivery/dispatch-run.ts';
import type { RunMessage } from '../record/messages.ts';
import { type Run, streamOf } from '../record/run.ts';
import { isFinal } from '../record/run-states.ts';
import { isWaitingReason, WAITING_REASONS, type WaitingReason } from '../record/waiting-reasons.ts';

/** What is read only where a single run is shown. */
interface ReadAlone {
  readonly sandbox?: Confinement | undefined;
  readonly changes?: ChangesCount | undefined;
}

export function presentRun(run: Run, waiting: Waiting | undefined, { sandbox, changes }: ReadAlone = {}): JobOnWire {
  return {
    id: run.id,
    organization: run.organizationId ?? '',
    workspace: run.workspaceId ?? '',
    kind: run.kind,
    objective: run.objective,
    status: run.status,
    createdAt: run.createdAt.toISOString(),
    ...(run.startedAt ? { startedAt: run.startedAt.toISOString() } : {}),
    ...(run.endedAt ? { endedAt: run.endedAt.toISOString() } : {}),
    attempt: run.attempt,
    ...(run.result === undefined ? {} : { result: run.result }),
    ...(run.error === undefined ? {} : { error: run.error }),
    stream: streamOf(run),
    createdBy: run.createdBy ?? '',
    ...(run.model === undefined ? {} : { model: run.model }),
    capabilities: [...run.capabilities],
    ...(run.authority.startedWith === undefined
      ? {}
      : { startedWith: run.authority.startedWith, scopes: [...run.authority.scopes] }),
    ...(run.fundingWorkspaceId === undefined ? {} : { fundingWorkspace: run.fundingWorkspaceId }),
    ...(run.projectId === undefined ? {} : { project: run.projectId }),
    ...(run.startedBy === undefined ? {} : { startedBy: run.startedBy }),
    ...(run.continues === undefined ? {} : { continues: run.continues }),
    ...(run.environment === undefined ? {} : { environment: run.environment }),
    ...(run.deliver === undefined ? {} : { deliver: run.deliver }),
    ...(waiting ? { waiting: { ...waiting } } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(changes ? { changes } : {}),
  };
}

export function presentMessage({ id, text, createdAt, createdBy }: RunMessage, read: boolean): MessageOnWire {
  return { id, text, at: createdAt.toISOString(), by: createdBy, read };
}

export interface Waiting {
  readonly reason: WaitingReason;
  readonly message: string;
}

const FROM_BROKER = {
  'no stream connected': 'no_worker',
  'no credit': 'workers_busy',
  'tenant has its share': 'share_used',
  'being delivered': 'delivering',
  'backing off': 'delivering',
  delayed: 'delivering',
  halted: 'no_worker',
  'waiting for its deadline': 'delivering',
  'address not served': 'no_worker',
} as const satisfies Record<BrokerReason, WaitingReason>;

/** From the row alone: for lists, which do not ask the broker. */
export function storedWaiting(run: Run): Waiting | undefined {
  if (isFinal(run.status)) return undefined;
  if (isWaitingReason(run.waitingReason)) return explain(run.waitingReason, run.error);
  return run.status === 'queued' ? explain('dispatching') : undefined;
}

export async function explainWaiting(
  run: Run,
  broker: Pick<FiguresClient, 'waiting'> | undefined,
): Promise<Waiting | undefined> {
  const stored = storedWaiting(run);
  if (stored?.reason !== 'dispatching' || !broker) return stored;
  const [task] = await broker.waiting(callId(run)).catch(() => []);
  return task ? explain(FROM_BROKER[task.reason]) : stored;
}

function explain(reason: WaitingReason, error?: string): Waiting {
  return { reason, message: error === undefined ? WAITING_REASONS[reason] : `${WAITING_REASONS[reason]} (${error})` };
}
