// Groups: the named workspaces whose members the identity provider keeps. Other workspaces are not shown to it.
import type { Queryable } from '../../store/database.ts';
import { readFilter } from '../protocol/read-filter.ts';
import { type ListRequest, wants, type WantedAttributes } from '../protocol/read-list-request.ts';
import { ScimError } from '../scim-error.ts';

export interface FoundGroup {
  /** The workspace's. */
  readonly id: string;
  readonly externalId: string | undefined;
  readonly name: string;
  /** Undefined if they were not read. */
  readonly members: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

interface GroupRow extends Record<string, unknown> {
  id: string;
  external_id: string | null;
  name: string;
  created_at: Date;
  changed_at: Date;
  members: { id: string; name: string }[] | null;
}

const FROM = `
  from :schema.scim_group g join :schema.workspace w on w.id = g.workspace_id
 where g.organization_id = $1`;

const MEMBERS = `coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by u.id)
    from :schema.workspace_member m join :schema.identity_user u on u.id = m.user_id where m.workspace_id = w.id), '[]')`;

const select = (members: boolean): string =>
  `select w.id, w.name, w.created_at, g.external_id, g.changed_at, ${members ? MEMBERS : 'null'} as members ${FROM}`;

const hasMember = (value: string): string =>
  `exists (select from :schema.workspace_member m where m.workspace_id = w.id and m.user_id = ${value})`;

const FILTERS = {
  id: (value: string) => `w.id = ${value}`,
  externalid: (value: string) => `g.external_id = ${value}`,
  displayname: (value: string) => `lower(w.name) = lower(${value})`,
  members: hasMember,
  'members.value': hasMember,
} as const;

type FilterName = keyof typeof FILTERS;
const TYPES = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, 'string'])) as Record<FilterName, 'string'>;

export async function listGroups(
  db: Queryable,
  organizationId: string,
  { filter, startIndex, count, attributes }: ListRequest,
): Promise<{ groups: FoundGroup[]; total: number }> {
  const conditions = filter === undefined ? [] : readFilter(filter, TYPES);
  const where = conditions.map(({ name }, at) => ` and ${FILTERS[name](`$${at + 2}`)}`).join('');
  const values = [organizationId, ...conditions.map(({ value }) => value)];
  const { rows: counted } = await db.query<{ total: number }>(`select count(*) as total ${FROM}${where}`, values);
  const total = counted[0]?.total ?? 0;
  if (count === 0 || startIndex > total) return { groups: [], total };
  const { rows } = await db.query<GroupRow>(
    `${select(wants(attributes, 'members'))}${where} order by w.id limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, count, startIndex - 1],
  );
  return { groups: rows.map(toGroup), total };
}

/** An id of another organization is like one that never existed. */
export async function getGroup(
  db: Queryable,
  organizationId: string,
  { id, attributes }: { readonly id: string; readonly attributes?: WantedAttributes | undefined },
): Promise<FoundGroup> {
  const members = attributes === undefined || wants(attributes, 'members');
  const { rows } = await db.query<GroupRow>(`${select(members)} and w.id = $2`, [organizationId, id]);
  const [row] = rows;
  if (!row) throw new ScimError(404, 'The organization has no group with this id.');
  return toGroup(row);
}

function toGroup(row: GroupRow): FoundGroup {
  return {
    id: row.id,
    externalId: row.external_id ?? undefined,
    name: row.name,
    members: row.members ?? undefined,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
