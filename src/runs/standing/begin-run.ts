// Starts the run of a schedule or trigger, for the person who made it. Order: what they may still do, what the run needs,
// the run. One that its owner has lost the right to is paused; one that is refused again and again too.
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { MOST_REFUSALS, type StandingPause } from '../../contract/standing/standing-runs.ts';
import type { Announcer } from '../../receipts/announce-appends.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import type { Dispatcher } from '../delivery/dispatch-run.ts';
import { type StartDeps, startRun } from '../delivery/start-run.ts';
import { findStarted } from '../record/insert-run.ts';
import { findLostAuthority } from '../record/run-authority.ts';
import { type Run, streamOf } from '../record/run.ts';
import type { StandingRun } from './standing-run.ts';

export interface BeginDeps extends StartDeps {
  readonly announcer: Announcer;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
}

export type Begun =
  | { readonly outcome: 'started'; readonly run: Run }
  | {
      readonly outcome: 'refused';
      readonly code: ErrorCode;
      readonly details: Readonly<Record<string, unknown>>;
      readonly paused?: StandingPause;
    };

export interface BeginRequest {
  /** With what is filled into it. */
  readonly objective: string;
  /** The same each time that this one run is started, in every process. */
  readonly idempotencyKey: string;
}

/** Throws what may pass by itself, such as a lost database: the caller tries again, and gets the same run. */
export async function beginRun(deps: BeginDeps, standing: StandingRun, request: BeginRequest): Promise<Begun> {
  const { db } = deps;
  // Started by an attempt that did not live to say so: it stays, whatever was changed or lost since.
  const started = await findStarted(db, standing, request.idempotencyKey);
  if (started) {
    await db.query(STARTED, [standing.id, started.id]);
    return { outcome: 'started', run: started };
  }
  const lost = await findLostAuthority(db, standing);
  // An operator lifts that again; until then nothing starts, which does not count as a refusal.
  if (lost === 'organization_paused') return { outcome: 'refused', code: 'organization_paused', details: {} };
  if (lost !== undefined) {
    await db.query(AUTHORITY_LOST, [standing.id]);
    return { outcome: 'refused', code: 'authority_lost', details: {}, paused: 'authority_lost' };
  }
  try {
    const run = await start(deps, standing, request);
    await db.query(STARTED, [standing.id, run.id]);
    return { outcome: 'started', run };
  } catch (error) {
    if (!(error instanceof AppError) || PASSING.includes(error.code)) throw error;
    const { rows } = await db.query<{ paused: 'refused' | null }>(REFUSED, [standing.id, MOST_REFUSALS]);
    return {
      outcome: 'refused',
      code: error.code,
      details: error.details,
      ...(rows[0]?.paused ? { paused: rows[0].paused } : {}),
    };
  }
}

/** Nobody's refusal: the caller tries again. */
const PASSING: readonly ErrorCode[] = ['internal', 'unavailable', 'conflict'];

const STARTED = 'update :schema.standing_run set last_job = $2, refusals = 0 where id = $1';
/** Addresses that subscribed are told of a paused schedule in the same statement. Both pause only what is not paused. */
function pausing(update: string): string {
  return `
with moved as (update :schema.standing_run ${update} where id = $1 and paused_reason is null
               returning id, kind, organization_id, workspace_id, paused_reason)
select m.paused_reason as paused, (
  select count(:schema.announce_event(s.organization_id, s.workspace_id, 'schedule.paused', jsonb_build_object('schedule', s.id, 'reason', s.paused_reason)))
    from moved s where s.kind = 'schedule' and s.paused_reason is not null) as told from moved m`;
}
const AUTHORITY_LOST = pausing("set paused_reason = 'authority_lost', paused_at = now()");
const REFUSED = pausing(`set refusals = refusals + 1,
    paused_reason = case when refusals + 1 >= $2 then 'refused' end, paused_at = case when refusals + 1 >= $2 then now() end`);

async function start(deps: BeginDeps, standing: StandingRun, request: BeginRequest): Promise<Run> {
  const { organizationId, workspaceId, createdBy, run: planned, authority } = standing;
  const person = { userId: createdBy, organizationId };
  const membership = await findMembership(deps.db, { ...person, workspaceId });
  if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  if (planned.fundingWorkspaceId !== undefined) {
    const funding = await findMembership(deps.db, { ...person, workspaceId: planned.fundingWorkspaceId });
    if (!funding?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  }
  const { run, isNew } = await startRun(deps, membership, {
    ...planned,
    ...request,
    authority,
    startedBy: standing.id,
  });
  if (isNew) {
    deps.announcer.announce([{ stream: streamOf(run) }]);
    if (run.waitingReason === undefined) deps.dispatcher.dispatch(run);
  }
  return run;
}
