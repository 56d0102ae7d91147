// A deleted organization is shut at once: its members find it gone, its tokens open nothing, its runs end. Its owners can
// bring it back until the day on which it is erased. One that an operator pauses is as shut, but says so.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { ShutOrganization } from '../contract/leaving/leaving.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { lockOrganization } from '../tenancy/members/get-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { askErasure, withdrawErasure } from './erasures.ts';

export interface OrganizationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  /** How long a deleted organization can be brought back. */
  readonly deletionDays: number;
}

type Shutting = Pick<OrganizationDeps, 'db' | 'clock'>;

const DAY_MS = 86_400_000;

/** `name` is what the person typed: it must be the organization's. Returns when it is erased. */
export async function deleteOwnOrganization(
  deps: OrganizationDeps,
  membership: Pick<Membership, 'organizationId' | 'organizationRole' | 'organizationName' | 'userId'>,
  name: string,
): Promise<Date> {
  if (name !== membership.organizationName)
    throw new AppError('invalid_request', { name: 'is not the name of this organization' });
  return deleteOrganization(deps, membership.organizationId, `user:${membership.userId}`, membership.userId);
}

/**
 * By id; `ownerId` must still own it when its turn comes. Deleting a deleted one has no effect. Its owners are told.
 * Throws `not_found`. Returns when it is erased.
 */
export function deleteOrganization(
  { db, clock, mailer, deletionDays }: OrganizationDeps,
  id: string,
  askedBy: string,
  ownerId?: string,
): Promise<Date> {
  return db.transaction(async (tx) => {
    await lockOrganization(db, tx, id);
    if (ownerId !== undefined && !(await isOwner(tx, id, ownerId))) throw new AppError('owner_required');
    const owners = await ownersOf(tx, id);
    const at = clock();
    const { rows } = await tx.query<{ name: string; is_new: boolean }>(
      `update :schema.organization set deleted_at = coalesce(deleted_at, $2) where id = $1
       returning name, deleted_at = $2 as is_new`,
      [id, at],
    );
    const [organization] = rows;
    if (!organization) throw new AppError('not_found');
    const dueAt = await askErasure(tx, {
      kind: 'organization',
      id,
      askedBy,
      at,
      dueAt: new Date(at.getTime() + deletionDays * DAY_MS),
    });
    await tellMembers(tx, id);
    const values = { organization: organization.name, erasedOn: dueAt.toISOString().slice(0, 10) };
    if (organization.is_new)
      for (const to of owners) await mailer.queue(tx, { kind: 'organization-deleted', to, values });
    return dueAt;
  });
}

/** By id. Throws `not_found` for one that is not deleted, or that is being erased. */
export async function restoreOrganization({ db, clock }: Shutting, id: string): Promise<void> {
  await db.transaction((tx) => restore(db, tx, id, clock()));
}

/** For a person who owns it; to everyone else it does not exist. */
export async function restoreOwnOrganization({ db, clock }: Shutting, userId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await isOwner(tx, id, userId))) throw new AppError('not_found');
    await restore(db, tx, id, clock());
  });
}

async function restore(db: Database, tx: Transaction, id: string, now: Date): Promise<void> {
  await lockOrganization(db, tx, id);
  if (!(await withdrawErasure(tx, { kind: 'organization', id }, now))) throw new AppError('not_found');
  await tx.query('update :schema.organization set deleted_at = null where id = $1', [id]);
  await tellMembers(tx, id);
}

/** By id: an operator pauses it, or lets it go on. Throws `not_found`. */
export async function disableOrganization({ db, clock }: Shutting, id: string, disabled: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(db, tx, id);
    const { rowCount } = await tx.query(
      'update :schema.organization set disabled_at = case when $2 then coalesce(disabled_at, $3) end where id = $1',
      [id, disabled, clock()],
    );
    if (rowCount === 0) throw new AppError('not_found');
    await tellMembers(tx, id);
  });
}

const SHUT_OF = `
select o.id, o.slug, o.name, o.deleted_at, e.due_at from :schema.organization o
  join :schema.organization_member m on m.organization_id = o.id and m.user_id = $1
  left join :schema.erasure e on e.kind = 'organization' and e.subject_id = o.id and e.finished_at is null and e.due_at > $2
 where (o.deleted_at is not null and e.subject_id is not null and m.role = 'owner')
    or (o.deleted_at is null and o.disabled_at is not null) order by o.id`;

/** Those of a person that are paused and, if they own it, those that they can still bring back. */
export async function listShutOrganizations(db: Queryable, userId: string, now: Date): Promise<ShutOrganization[]> {
  const { rows } = await db.query<{
    id: string;
    slug: string;
    name: string;
    deleted_at: Date | null;
    due_at: Date | null;
  }>(SHUT_OF, [userId, now]);
  return rows.map(({ deleted_at: deletedAt, due_at: dueAt, ...organization }) =>
    deletedAt && dueAt
      ? { ...organization, state: 'deleted', deletedAt: deletedAt.toISOString(), erasedAt: dueAt.toISOString() }
      : { ...organization, state: 'paused' },
  );
}

async function isOwner(tx: Transaction, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select 1 from :schema.organization_member where organization_id = $1 and user_id = $2 and role = 'owner'",
    [id, userId],
  );
  return rowCount > 0;
}

async function ownersOf(tx: Transaction, id: string): Promise<string[]> {
  const { rows } = await tx.query<{ email: string }>(
    `select u.email from :schema.organization_member m join :schema.identity_user u on u.id = m.user_id
      where m.organization_id = $1 and m.role = 'owner' and u.disabled_at is null order by u.id`,
    [id],
  );
  return rows.map(({ email }) => email);
}

/** A membership that is written again makes every process read again who may do what. */
async function tellMembers(tx: Transaction, id: string): Promise<void> {
  await tx.query('update :schema.organization_member set role = role where organization_id = $1', [id]);
}
