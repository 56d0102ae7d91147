// Making, changing and deleting triggers.
import { AppError } from '../../base/errors.ts';
import type { StandingRequest } from '../../contract/standing/standing-runs.ts';
import { TRIGGER_LIMITS, type TriggerSource } from '../../contract/standing/trigger-rules.ts';
import type { TriggerCondition } from '../../contract/standing/triggers.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import {
  changeStanding,
  insertStanding,
  readWish,
  removeStanding,
  requestOf,
  switchStanding,
  type WishDeps,
} from '../standing/change-standing.ts';
import { getStanding, requireMaker } from '../standing/find-standing.ts';
import { placeholdersOf } from './fill-objective.ts';
import { type RunTrigger, TRIGGERS } from './trigger.ts';
import { chooseSecret, replaceSecret, requireSealingKey } from './trigger-secrets.ts';

export interface TriggerDeps extends Omit<WishDeps, 'db'> {
  readonly db: Database;
  readonly sealingKey: Buffer | undefined;
  /** How many a workspace may have. */
  readonly mostTriggers: number;
}

export interface NewTrigger {
  readonly name: string;
  readonly run: StandingRequest;
  readonly source: TriggerSource;
  readonly filter?: readonly TriggerCondition[] | undefined;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

export interface MadeTrigger {
  readonly trigger: RunTrigger;
  /** Made by us: it is shown once. */
  readonly secret: string | undefined;
}

export async function createTrigger(deps: TriggerDeps, caller: Caller, wanted: NewTrigger): Promise<MadeTrigger> {
  const { organizationId } = caller;
  if (organizationId === undefined) throw new AppError('workspace_membership_required');
  const sealingKey = requireSealingKey(deps.sealingKey);
  requirePlaceholders(wanted.run);
  const wish = await readWish(deps, caller, wanted);
  const chosen = chooseSecret(wanted.source, wanted.secret);
  return deps.db.transaction(async (tx) => {
    await requireRoom(tx, wish.workspaceId, deps.mostTriggers);
    const { kind, prefix } = TRIGGERS;
    const { userId } = caller;
    const id = await insertStanding(tx, {
      ...wish,
      kind,
      prefix,
      organizationId,
      userId,
      enabled: wanted.enabled ?? true,
    });
    await tx.query('insert into :schema.run_trigger (id, source, filter) values ($1, $2, $3)', [
      id,
      wanted.source,
      JSON.stringify(wanted.filter ?? []),
    ]);
    if (chosen) await replaceSecret(tx, sealingKey, id, chosen.secret);
    const { one } = await getStanding(tx, TRIGGERS, caller, { id });
    return { trigger: one, secret: chosen?.made === true ? chosen.secret : undefined };
  });
}

/** Counted one after another, so that two that are made at once see each other. */
async function requireRoom(tx: Transaction, workspaceId: string, most: number): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('triggers of ' || $1, 0))", [workspaceId]);
  const { rows } = await tx.query<{ made: number }>(
    "select count(*)::int as made from :schema.standing_run where workspace_id = $1 and kind = 'trigger'",
    [workspaceId],
  );
  if ((rows[0]?.made ?? 0) >= most) throw new AppError('too_many_triggers', { limit: most });
}

export interface TriggerChange {
  readonly name?: string | undefined;
  readonly run?: StandingRequest | undefined;
  readonly filter?: readonly TriggerCondition[] | undefined;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** Owners and admins may turn one off that is not theirs, and nothing else. */
export async function changeTrigger(
  deps: TriggerDeps,
  caller: Caller,
  { id, ...change }: TriggerChange & { readonly id: string },
): Promise<RunTrigger> {
  const { one: before, right } = await getStanding(deps.db, TRIGGERS, caller, { id });
  const { enabled, ...rest } = change;
  const onlyTurnsOff = enabled === false && Object.values(rest).every((part) => part === undefined);
  if (!onlyTurnsOff) requireMaker(right);
  if (rest.run) requirePlaceholders(rest.run);
  const run = rest.run ?? requestOf(before);
  const wish = onlyTurnsOff ? undefined : await readWish(deps, caller, { name: rest.name ?? before.name, run, before });
  const chosen = rest.secret === undefined ? undefined : chooseSecret(before.source, rest.secret);
  return deps.db.transaction(async (tx) => {
    await getStanding(tx, TRIGGERS, caller, { id, lock: true });
    if (wish) {
      if (wish.workspaceId !== before.workspaceId) await requireRoom(tx, wish.workspaceId, deps.mostTriggers);
      await changeStanding(tx, id, wish);
    }
    if (rest.filter)
      await tx.query('update :schema.run_trigger set filter = $2 where id = $1', [id, JSON.stringify(rest.filter)]);
    if (chosen) await replaceSecret(tx, requireSealingKey(deps.sealingKey), id, chosen.secret);
    if (enabled !== undefined) await switchStanding(tx, id, enabled);
    return (await getStanding(tx, TRIGGERS, caller, { id })).one;
  });
}

/** A new secret; the one before counts for a day more. What the sender makes has to be given. */
export async function rotateSecret(
  deps: TriggerDeps,
  caller: Caller,
  { id, secret: given }: { readonly id: string; readonly secret?: string | undefined },
): Promise<MadeTrigger> {
  const sealingKey = requireSealingKey(deps.sealingKey);
  return deps.db.transaction(async (tx) => {
    const { one: trigger, right } = await getStanding(tx, TRIGGERS, caller, { id, lock: true });
    requireMaker(right);
    const chosen = chooseSecret(trigger.source, given);
    if (!chosen)
      throw new AppError('invalid_request', { secret: `is made by ${trigger.source}: give the one that it shows` });
    await replaceSecret(tx, sealingKey, id, chosen.secret);
    return { trigger, secret: chosen.made ? chosen.secret : undefined };
  });
}

export async function removeTrigger(db: Database, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await getStanding(tx, TRIGGERS, caller, { id, lock: true });
    await removeStanding(tx, id);
  });
}

function requirePlaceholders({ objective }: StandingRequest): void {
  if (placeholdersOf(objective).length > TRIGGER_LIMITS.placeholders)
    throw new AppError('invalid_request', {
      'run.objective': `has more than ${TRIGGER_LIMITS.placeholders} placeholders`,
    });
}
