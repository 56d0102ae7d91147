import type { JobOnWire } from '../../contract/jobs.ts';
import type { Confinement } from '../../contract/sandbox-limits.ts';
import type { Waiting } from './explain-waiting.ts';
import { type Job, streamOf } from '../record/job.ts';

/** A person's run as the interface shows it. */
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
