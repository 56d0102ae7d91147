// The people of an organization as its identity provider sees them: every member, also those that it did not make.
import type { Queryable } from '../../store/database.ts';
import { readFilter } from '../protocol/read-filter.ts';
import { type ListRequest, wants } from '../protocol/read-list-request.ts';
import type { UserRecord } from '../protocol/user-record.ts';
import { ScimError } from '../scim-error.ts';

export interface FoundUser {
  readonly id: string;
  /** Without its own record of the member, what membership shows. */
  readonly record: UserRecord;
  /** Of the account. */
  readonly name: string;
  readonly email: string;
  /** Whether the organization made the account. */
  readonly managed: boolean;
  readonly suspended: boolean;
  readonly role: string;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

interface UserRow extends Record<string, unknown> {
  id: string;
  name: string;
  email: string;
  managed: boolean;
  disabled: boolean;
  suspended: boolean;
  role: string;
  created_at: Date;
  user_name: string | null;
  external_id: string | null;
  display_name: string | null;
  given_name: string | null;
  family_name: string | null;
  formatted_name: string | null;
  record_email: string | null;
  changed_at: Date | null;
  groups: { id: string; name: string }[];
}

const FROM = `
  from :schema.organization_member m
  join :schema.identity_user u on u.id = m.user_id
  left join :schema.scim_user s on s.organization_id = m.organization_id and s.user_id = m.user_id
 where m.organization_id = $1`;

/** `$g`: whether the groups are read. */
const columns = (groups: boolean): string => `
select u.id, u.name, u.email, u.managed_by is not distinct from m.organization_id as managed, u.disabled_at is not null as disabled,
       m.suspended_at is not null as suspended, m.role, m.created_at,
       s.user_name, s.external_id, s.display_name, s.given_name, s.family_name, s.formatted_name, s.email as record_email, s.changed_at,
       ${groups ? GROUPS : "'[]'::jsonb"} as groups`;

const GROUPS = `coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.id)
         from :schema.scim_group g join :schema.workspace w on w.id = g.workspace_id
         join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id
        where g.organization_id = m.organization_id), '[]')`;

/** Whether the person has access here. That an account is shut is told to the organization that manages it only. */
const ACTIVE =
  'm.suspended_at is null and not (u.managed_by is not distinct from m.organization_id and u.disabled_at is not null)';

const FILTERS = {
  id: { type: 'string', sql: (value: string) => `m.user_id = ${value}` },
  username: { type: 'string', sql: (value: string) => `coalesce(lower(s.user_name), u.email) = lower(${value})` },
  externalid: { type: 'string', sql: (value: string) => `s.external_id = ${value}` },
  displayname: { type: 'string', sql: (value: string) => `lower(coalesce(s.display_name, u.name)) = lower(${value})` },
  emails: { type: 'string', sql: (value: string) => `coalesce(s.email, u.email) = lower(${value})` },
  'emails.value': { type: 'string', sql: (value: string) => `coalesce(s.email, u.email) = lower(${value})` },
  active: { type: 'boolean', sql: (value: string) => `(${ACTIVE}) = ${value}` },
} as const;

type FilterName = keyof typeof FILTERS;
const TYPES = Object.fromEntries(Object.entries(FILTERS).map(([name, { type }]) => [name, type])) as Record<
  FilterName,
  'string' | 'boolean'
>;

export async function listUsers(
  db: Queryable,
  organizationId: string,
  { filter, startIndex, count, attributes }: ListRequest,
): Promise<{ users: FoundUser[]; total: number }> {
  const conditions = filter === undefined ? [] : readFilter(filter, TYPES);
  const where = conditions.map(({ name }, at) => ` and ${FILTERS[name].sql(`$${at + 2}`)}`).join('');
  const values = [organizationId, ...conditions.map(({ value }) => value)];
  const { rows: counted } = await db.query<{ total: number }>(`select count(*) as total ${FROM}${where}`, values);
  const total = counted[0]?.total ?? 0;
  if (count === 0 || startIndex > total) return { users: [], total };
  const { rows } = await db.query<UserRow>(
    `${columns(wants(attributes, 'groups'))} ${FROM}${where} order by m.user_id limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, count, startIndex - 1],
  );
  return { users: rows.map(toUser), total };
}

/** An id of another organization is like one that never existed. */
export async function getUser(db: Queryable, organizationId: string, userId: string): Promise<FoundUser> {
  const { rows } = await db.query<UserRow>(`${columns(true)} ${FROM} and m.user_id = $2`, [organizationId, userId]);
  const [row] = rows;
  if (!row) throw new ScimError(404, 'The organization has no user with this id.');
  return toUser(row);
}

function toUser(row: UserRow): FoundUser {
  return {
    id: row.id,
    record: {
      userName: row.user_name ?? row.email,
      externalId: row.external_id ?? undefined,
      displayName: row.display_name ?? undefined,
      givenName: row.given_name ?? undefined,
      familyName: row.family_name ?? undefined,
      formattedName: row.formatted_name ?? undefined,
      email: row.record_email ?? undefined,
      active: !row.suspended && !(row.managed && row.disabled),
    },
    name: row.name,
    email: row.email,
    managed: row.managed,
    suspended: row.suspended,
    role: row.role,
    createdAt: row.created_at,
    changedAt: row.changed_at ?? row.created_at,
    groups: row.groups,
  };
}
