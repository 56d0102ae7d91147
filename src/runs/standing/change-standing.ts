// Making, changing and deleting schedules and triggers. What one may start is checked as it is for a run that starts now,
// when it is saved and each time it starts. A token that may do less must not decide what one that may
// do more will run, so a change by its maker replaces the authority that it acts with.
import { newId } from '../../base/ids.ts';
import type { StandingRequest } from '../../contract/standing/standing-runs.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { requireDeliveryScope, requireStartable, type StartableDeps } from '../delivery/start-run.ts';
import { readAuthority } from '../record/run-authority.ts';
import type { RunAuthority } from '../record/run.ts';
import {
  PLANNED_COLUMNS,
  plannedParameters,
  type PlannedRun,
  plannedValues,
  planRun,
  presentPlannedRun,
} from './planned-run.ts';
import type { StandingKind, StandingRun } from './standing-run.ts';

export interface StandingWish {
  readonly name: string;
  readonly workspaceId: string;
  readonly run: PlannedRun;
  readonly authority: RunAuthority;
}

export interface WishDeps extends StartableDeps {
  readonly db: Queryable;
}

/**
 * What the caller wants to be started, with the authority of their token. A workspace that is not named is the one that
 * it has, or the caller's.
 */
export async function readWish(
  deps: WishDeps,
  caller: Caller,
  { name, run, before }: { readonly name: string; readonly run: StandingRequest; readonly before?: StandingRun },
): Promise<StandingWish> {
  const membership = await getMember(deps.db, caller, run.workspace ?? before?.workspaceId);
  const funding =
    run.fundingWorkspace === undefined ? undefined : await getMember(deps.db, caller, run.fundingWorkspace);
  const planned = planRun(run, funding?.workspaceId);
  await requireStartable(deps, membership, planned);
  const authority = await readAuthority(deps.db, caller);
  requireDeliveryScope(planned, authority);
  return { name, workspaceId: membership.workspaceId, run: planned, authority };
}

async function getMember(db: Queryable, caller: Caller, workspace: string | undefined): Promise<Membership> {
  const membership = await findCallerMembership(db, caller, workspace);
  if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return membership;
}

const INSERT = `
insert into :schema.standing_run (id, kind, organization_id, workspace_id, created_by, name, enabled, scopes, started_with, token_id, grant_id,
    ${PLANNED_COLUMNS.join(', ')}, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${plannedParameters(12)}, now())`;

export interface NewStanding extends StandingWish {
  readonly kind: StandingKind;
  /** The prefix of its id. */
  readonly prefix: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly enabled: boolean;
}

/** Returns the id. The row of its kind belongs to the same transaction. */
export async function insertStanding(tx: Transaction, wanted: NewStanding): Promise<string> {
  const id = newId(wanted.prefix);
  await tx.query(INSERT, [
    id,
    wanted.kind,
    wanted.organizationId,
    wanted.workspaceId,
    wanted.userId,
    wanted.name,
    wanted.enabled,
    ...authorityValues(wanted.authority),
    ...plannedValues(wanted.run),
  ]);
  return id;
}

const CHANGE = `
update :schema.standing_run set workspace_id = $2, name = $3, scopes = $4, started_with = $5, token_id = $6, grant_id = $7,
    (${PLANNED_COLUMNS.join(', ')}) = (${plannedParameters(8)})
  where id = $1`;

/** Of one that the transaction has locked. */
export async function changeStanding(tx: Transaction, id: string, wanted: StandingWish): Promise<void> {
  await tx.query(CHANGE, [
    id,
    wanted.workspaceId,
    wanted.name,
    ...authorityValues(wanted.authority),
    ...plannedValues(wanted.run),
  ]);
}

/** In the order of both statements. */
function authorityValues({ scopes, startedWith, tokenId, grantId }: RunAuthority): unknown[] {
  return [scopes, startedWith, tokenId ?? null, grantId ?? null];
}

const TURN_ON =
  'update :schema.standing_run set enabled = true, paused_reason = null, paused_at = null, refusals = 0 where id = $1';
const TURN_OFF = 'update :schema.standing_run set enabled = false where id = $1';

/** Turning it on ends a pause. */
export async function switchStanding(tx: Transaction, id: string, enabled: boolean): Promise<void> {
  await tx.query(enabled ? TURN_ON : TURN_OFF, [id]);
}

export async function removeStanding(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from :schema.standing_run where id = $1', [id]);
}

/** The run of one, as a request for it would say it: what a change that leaves it out goes on with. */
export function requestOf({ workspaceId, run }: StandingRun): StandingRequest {
  return presentPlannedRun(run, workspaceId);
}

/** How a schedule or trigger begins on the wire. */
export function presentStanding(one: StandingRun) {
  return {
    id: one.id,
    name: one.name,
    run: presentPlannedRun(one.run, one.workspaceId),
    enabled: one.enabled,
    ...(one.paused ? { paused: { reason: one.paused.reason, at: one.paused.at.toISOString() } } : {}),
    ...(one.lastRun === undefined ? {} : { lastRun: one.lastRun }),
    createdBy: one.createdBy,
    createdAt: one.createdAt.toISOString(),
  };
}
