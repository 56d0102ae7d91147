// Says something to a run for a caller: a run that works reads it before its next step; one that has ended is gone on with
// by a new run, which has its conversation and, while they are kept, its files. A run acts with the authority of the person
// who started it, so nobody else speaks to it while it works; the new run acts with the authority of the caller.
import { AppError } from '../../base/errors.ts';
import { findUsableProject } from '../../documents/projects/projects.ts';
import { findKeptFiles } from '../../runs/record/find-kept-files.ts';
import { getRun } from '../../runs/record/find-runs.ts';
import { addMessageOnce, findSaid, type SaidMessage } from '../../runs/record/messages.ts';
import { type Run, streamOf } from '../../runs/record/run.ts';
import { isFinal } from '../../runs/record/run-states.ts';
import { connectScopes } from '../../runs/record/run-authority.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { startForCaller, type StartForCallerDeps } from './start-for-caller.ts';

export interface SayForCallerDeps extends StartForCallerDeps {
  readonly artifactsDirectory: string;
}

interface Said {
  readonly id: string;
  readonly text: string;
  /** Refuses to go on without the files that the ended run left. */
  readonly files?: 'required' | undefined;
  /** The same request again says nothing twice, and starts no second run. */
  readonly idempotencyKey?: string | undefined;
}

export async function sayForCaller(
  deps: SayForCallerDeps,
  caller: Caller,
  { id, text, files, idempotencyKey }: Said,
): Promise<{ readonly message: SaidMessage } | { readonly run: Run }> {
  const { db, announcer } = deps;
  const run = await getRun(db, caller, id);
  const said = { text, createdBy: caller.userId, key: idempotencyKey };
  if (run.kind === 'control') throw new AppError('run_takes_no_messages', { kind: run.kind });
  if (!isFinal(run.status)) {
    if (run.createdBy !== caller.userId) throw new AppError('workspace_authority_required', { speaks: true });
    // A token that may do less must not decide what one that may do more does.
    for (const scope of connectScopes(run)) requireScope(caller, scope);
    const message = await addMessageOnce(db, run, said);
    if (message) {
      announcer.announce([{ stream: streamOf(run) }]);
      return { message };
    }
    // It has ended since it was read.
  }
  const earlier = await findSaid(db, run, said);
  if (earlier) return { message: earlier };
  if (files === 'required' && (await findKeptFiles(db, deps.artifactsDirectory, run)) === undefined)
    throw new AppError('snapshot_gone');
  return {
    run: await startForCaller(deps, caller, { ...(await toContinue(deps, caller, run, text)), idempotencyKey }),
  };
}

/** All that the earlier run was asked for but its objective. A project that the caller may not use is no longer counted for. */
async function toContinue({ db }: SayForCallerDeps, { userId }: Caller, run: Run, text: string) {
  const project = run.projectId === undefined ? undefined : await findUsableProject(db, userId, run.projectId);
  return {
    objective: text,
    kind: run.kind,
    workspace: run.workspaceId,
    fundingWorkspace: run.fundingWorkspaceId,
    model: run.model,
    capabilities: run.capabilities,
    project: project?.workspace === run.workspaceId ? project?.id : undefined,
    environment: run.environment,
    deliver: run.deliver,
    continues: run.id,
  };
}
