// Memberships that the groups of an OpenID provider give. What the table of groups names, it manages: it adds, changes and,
// once the group is gone, removes again what it gave, and takes over what people gave before. It never touches a last
// owner, and nothing in organizations that it does not name.
import type { Role } from '../../contract/common.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { countSeats } from '../organizations/seats.ts';
import { PLANS } from '../organizations/plans.ts';
import { isLastOwner } from './change-member.ts';
import { lockOrganization } from './get-membership.ts';
import type { Plan } from './membership.ts';

const GIVER = 'openid';

export interface WantedMembership {
  /** Its slug. */
  readonly organization: string;
  /** Undefined: none. */
  readonly role: Role | undefined;
  /** Named ones, by slug. */
  readonly workspaces: ReadonlyMap<string, Role>;
}

export type NotGiven = 'no such organization' | 'no seat left' | 'last owner';

interface Held {
  readonly role: Role;
  readonly given: boolean;
}

interface State {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly member: Held | undefined;
  /** Named workspaces that the table names, or in which the person is because of it. */
  readonly workspaces: readonly { readonly id: string; readonly slug: string; readonly held: Held | undefined }[];
}

/** Returns what could not be given, by organization. */
export async function giveMemberships(
  db: Database,
  userId: string,
  wanted: readonly WantedMembership[],
): Promise<ReadonlyMap<string, NotGiven>> {
  const notGiven = new Map<string, NotGiven>();
  for (const want of wanted) {
    const state = await findState(db, userId, want);
    const reason = !state
      ? want.role && 'no such organization'
      : isAsWanted(state, want)
        ? undefined
        : await db.transaction((tx) => give(db, tx, { userId, want, organizationId: state.organizationId }));
    if (reason) notGiven.set(want.organization, reason);
  }
  return notGiven;
}

async function give(
  db: Database,
  tx: Transaction,
  { userId, want, organizationId }: { userId: string; want: WantedMembership; organizationId: string },
): Promise<NotGiven | undefined> {
  await lockOrganization(db, tx, organizationId);
  const state = await findState(tx, userId, want);
  if (!state) return undefined;
  const { member } = state;
  const loses = member?.role === 'owner' && want.role !== 'owner' && (want.role !== undefined || member.given);
  if (loses && (await isLastOwner(tx, organizationId, userId))) return 'last owner';
  if (want.role === undefined) {
    if (member?.given) await removeMember(tx, organizationId, userId);
    else await setWorkspaces(tx, state, userId, new Map());
    return undefined;
  }
  if (!member && (await countSeats(tx, organizationId)) >= PLANS[state.plan].seats) return 'no seat left';
  await tx.query(
    `insert into :schema.organization_member (organization_id, user_id, role, given_by) values ($1, $2, $3, $4)
     on conflict (organization_id, user_id) do update set role = excluded.role, given_by = excluded.given_by`,
    [organizationId, userId, want.role, GIVER],
  );
  await setWorkspaces(tx, state, userId, want.workspaces);
  return undefined;
}

/** A foreign key removes their workspace memberships too. */
async function removeMember(tx: Transaction, organizationId: string, userId: string): Promise<void> {
  await tx.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
  ]);
}

async function setWorkspaces(
  tx: Transaction,
  { organizationId, workspaces }: State,
  userId: string,
  wanted: ReadonlyMap<string, Role>,
): Promise<void> {
  for (const { id, slug, held } of workspaces) {
    const role = wanted.get(slug);
    if (role !== undefined)
      await tx.query(
        `insert into :schema.workspace_member (workspace_id, user_id, organization_id, role, given_by) values ($1, $2, $3, $4, $5)
         on conflict (workspace_id, user_id) do update set role = excluded.role, given_by = excluded.given_by`,
        [id, userId, organizationId, role, GIVER],
      );
    else if (held?.given)
      await tx.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [id, userId]);
  }
}

function isAsWanted({ member, workspaces }: State, want: WantedMembership): boolean {
  const isAs = (held: Held | undefined, role: Role | undefined): boolean =>
    role === undefined ? !held?.given : held?.role === role && held.given;
  return isAs(member, want.role) && workspaces.every(({ slug, held }) => isAs(held, want.workspaces.get(slug)));
}

async function findState(db: Queryable, userId: string, want: WantedMembership): Promise<State | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    plan: Plan;
    role: Role | null;
    given_by: string | null;
    workspace_id: string | null;
    slug: string;
    workspace_role: Role | null;
    workspace_given_by: string | null;
  }>(
    `select o.id as organization_id, o.plan, m.role, m.given_by, w.id as workspace_id, w.slug, wm.role as workspace_role, wm.given_by as workspace_given_by
       from :schema.organization o
       left join :schema.organization_member m on m.organization_id = o.id and m.user_id = $1
       left join (:schema.workspace w left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = $1)
         on w.organization_id = o.id and (w.slug = any($3) or wm.given_by = $4)
      where o.slug = $2 and o.deleted_at is null`,
    [userId, want.organization, [...want.workspaces.keys()], GIVER],
  );
  const [first] = rows;
  if (!first) return undefined;
  return {
    organizationId: first.organization_id,
    plan: first.plan,
    member: toHeld(first.role, first.given_by),
    workspaces: rows.flatMap(({ workspace_id: id, slug, workspace_role: role, workspace_given_by: givenBy }) =>
      id === null ? [] : [{ id, slug, held: toHeld(role, givenBy) }],
    ),
  };
}

function toHeld(role: Role | null, givenBy: string | null): Held | undefined {
  return role === null ? undefined : { role, given: givenBy === GIVER };
}
