// Starts a run for a caller, and hands it to the broker.
import { AppError } from '../../base/errors.ts';
import type { Project } from '../../contract/projects.ts';
import { findUsableProject } from '../../documents/projects/projects.ts';
import type { Announcer } from '../../receipts/announce-appends.ts';
import type { Dispatcher } from '../../runs/delivery/dispatch-run.ts';
import { type StartDeps, startRun } from '../../runs/delivery/start-run.ts';
import { readAuthority } from '../../runs/record/run-authority.ts';
import { type Delivery, type Run, streamOf } from '../../runs/record/run.ts';
import type { RunKind } from '../../runs/record/run-states.ts';
import type { Database } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';

export interface StartForCallerDeps extends StartDeps {
  readonly db: Database;
  readonly announcer: Announcer;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
}

interface Wanted {
  readonly objective: string;
  readonly kind?: RunKind | undefined;
  readonly workspace?: string | undefined;
  readonly fundingWorkspace?: string | undefined;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly deliver?: Delivery | undefined;
  /** The run that it goes on with. */
  readonly continues?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The recipe that it is started from. */
  readonly startedBy?: string | undefined;
}

export async function startForCaller(deps: StartForCallerDeps, caller: Caller, wanted: Wanted): Promise<Run> {
  const { db, announcer, dispatcher } = deps;
  const { objective, kind = 'chat', model, capabilities, idempotencyKey, fundingWorkspace } = wanted;
  const membership = await getMember(db, caller, wanted.workspace);
  const funding = fundingWorkspace === undefined ? undefined : await getMember(db, caller, fundingWorkspace);
  const project = wanted.project === undefined ? undefined : await getProjectIn(db, membership, wanted.project);
  const { run, isNew } = await startRun(deps, membership, {
    objective,
    kind,
    model,
    capabilities,
    idempotencyKey,
    startedBy: wanted.startedBy,
    fundingWorkspaceId: funding?.workspaceId,
    projectId: project?.id,
    environment: wanted.environment,
    deliver: wanted.deliver,
    continues: wanted.continues,
    authority: await readAuthority(db, caller),
  });
  if (isNew) {
    announcer.announce([{ stream: streamOf(run) }]);
    if (run.waitingReason === undefined) dispatcher.dispatch(run);
  }
  return run;
}

export async function getMember(db: Database, caller: Caller, workspace: string | undefined): Promise<Membership> {
  const membership = await findCallerMembership(db, caller, workspace);
  if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return membership;
}

/** One of another workspace is as unknown as one that the caller may not use. */
async function getProjectIn(db: Database, { userId, workspaceId }: Membership, id: string): Promise<Project> {
  const project = await findUsableProject(db, userId, id);
  if (project?.workspace !== workspaceId) throw new AppError('not_found');
  return project;
}
