// Shutting an account ends every way to act as that person, at once and everywhere: sessions, tokens, approved clients,
// and by the views that decide access, open streams and runs. What it holds stays. Opening it again gives the account
// back, but not what was ended: the person signs in again.
import { AppError } from '../base/errors.ts';
import { endAccess, type EndAccessDeps } from '../identity/sessions/end-access.ts';
import type { Database, Transaction } from '../store/database.ts';
import { notify } from '../store/listen.ts';
import { lockOrganization } from '../tenancy/members/get-membership.ts';
import { askErasure } from './erasures.ts';

export interface ShutDeps extends EndAccessDeps {
  readonly db: Database;
}

/** Shutting a shut account has no effect. Throws `not_found`. */
export function disablePerson(deps: ShutDeps, userId: string): Promise<void> {
  return deps.db.transaction((tx) => shutAccount(deps, tx, userId));
}

/** Throws `not_found`, and `conflict` for an account that is being erased. */
export async function enablePerson({ db }: Pick<ShutDeps, 'db'>, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, userId);
    await openAccount(db, tx, userId);
  });
}

/** Under the lock of the person. Throws `conflict` for an account that is being erased. */
export async function openAccount(db: Database, tx: Transaction, userId: string): Promise<void> {
  const { rowCount } = await tx.query("select 1 from :schema.erasure where kind = 'person' and subject_id = $1", [
    userId,
  ]);
  if (rowCount > 0) throw new AppError('conflict');
  await tx.query('update :schema.identity_user set disabled_at = null, shut_by = null where id = $1', [userId]);
  await tellOrganizations(db, tx, userId);
}

/** Shuts the account now and has it erased. Throws `last_owner`, which names the organizations, and `not_found`. */
export async function deletePerson(deps: ShutDeps, userId: string, askedBy: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockPerson(tx, userId);
    // One at a time per organization, so that two owners cannot leave at once.
    const { rows: owned } = await tx.query<{ id: string }>(OWNED_BY, [userId]);
    for (const { id } of owned) await lockOrganization(deps.db, tx, id);
    const { rows } = await tx.query<{ id: string; slug: string; name: string }>(LAST_OWNER_OF, [userId]);
    if (rows.length > 0) throw new AppError('last_owner', { organizations: rows });
    await shutAccount(deps, tx, userId);
    await askErasure(tx, { kind: 'person', id: userId, askedBy, at: deps.clock() });
  });
}

const OWNED_BY = `select organization_id as id from :schema.organization_member where user_id = $1 and role = 'owner' order by 1`;

/** The organizations whose only owner they are, paused ones too: a shut account is no owner. */
const LAST_OWNER_OF = `
select o.id, o.slug, o.name from :schema.organization o
  join :schema.organization_member m on m.organization_id = o.id and m.user_id = $1 and m.role = 'owner'
 where o.deleted_at is null
   and not exists (
     select from :schema.organization_member other join :schema.identity_user u on u.id = other.user_id and u.disabled_at is null
      where other.organization_id = o.id and other.role = 'owner' and other.user_id <> $1)
 order by o.id`;

/**
 * `shutBy` is the organization that manages the account. Only what it has shut itself can it open again, so a shutting by
 * anyone else takes its place.
 */
export async function shutAccount(deps: ShutDeps, tx: Transaction, userId: string, shutBy?: string): Promise<void> {
  await lockPerson(tx, userId);
  await tx.query(
    `update :schema.identity_user
        set disabled_at = coalesce(disabled_at, $2), shut_by = case when disabled_at is null or $3::text is null then $3 else shut_by end
      where id = $1`,
    [userId, deps.clock(), shutBy ?? null],
  );
  await endAccess(tx, deps, { userId, sessions: 'all', sessionId: '', keepTokens: false });
  await tellOrganizations(deps.db, tx, userId);
}

/** Before the lock of an organization, wherever both are needed. Throws `not_found`. */
export async function lockPerson(tx: Transaction, userId: string): Promise<void> {
  const { rowCount } = await tx.query('select 1 from :schema.identity_user where id = $1 for no key update', [userId]);
  if (rowCount === 0) throw new AppError('not_found');
}

/** A membership that is written again makes every process read again who may do what. */
async function tellOrganizations(db: Database, tx: Transaction, userId: string): Promise<void> {
  const { rows } = await tx.query<{ organization_id: string }>(
    'update :schema.organization_member set role = role where user_id = $1 returning organization_id',
    [userId],
  );
  for (const { organization_id: id } of rows) await notify(tx, db, 'tenancy', id);
}
