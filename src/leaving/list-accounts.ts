// What an operator sees of the deployment's people and organizations: who they are and in what state, never what they
// wrote.
import type { Queryable } from '../store/database.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../tenancy/paging.ts';

export interface ListRequest extends PageRequest {
  /** A part of the name or the address; of an organization, of its name or slug. Or a whole id. */
  readonly query?: string | undefined;
}

export type AccountState = 'open' | 'disabled' | 'deleted';

export interface ListedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly state: AccountState;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
  readonly organizations: readonly { readonly slug: string; readonly role: string }[];
}

export interface ListedOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly state: AccountState;
  readonly createdAt: string;
  readonly members: number;
  /** When a deleted one can no longer be brought back. */
  readonly erasedAt?: string;
}

const PEOPLE = `
select u.id, u.name, u.email, u.created_at, u.disabled_at is not null as disabled, e.subject_id is not null as deleted,
       (select max(s.updated_at) from :schema.identity_session s where s.user_id = u.id) as seen_at,
       coalesce((select jsonb_agg(jsonb_build_object('slug', o.slug, 'role', m.role) order by o.id)
          from :schema.organization_member m join :schema.organization o on o.id = m.organization_id where m.user_id = u.id), '[]') as organizations
  from :schema.identity_user u left join :schema.erasure e on e.kind = 'person' and e.subject_id = u.id
 where u.id > $1 and ($2 = '' or u.id = $2 or strpos(lower(u.name), $2) > 0 or strpos(u.email, $2) > 0)
 order by u.id limit $3`;

const ORGANIZATIONS = `
select o.id, o.slug, o.name, o.plan, o.created_at, o.disabled_at is not null as disabled, o.deleted_at is not null as deleted, e.due_at,
       (select count(*)::int from :schema.organization_member m where m.organization_id = o.id) as members
  from :schema.organization o left join :schema.erasure e on e.kind = 'organization' and e.subject_id = o.id
 where o.id > $1 and ($2 = '' or o.id = $2 or strpos(lower(o.name), $2) > 0 or strpos(o.slug, $2) > 0)
 order by o.id limit $3`;

interface State extends Record<string, unknown> {
  id: string;
  name: string;
  created_at: Date;
  disabled: boolean;
  deleted: boolean;
}

export async function listPeople(
  db: Queryable,
  request: ListRequest,
): Promise<{ people: ListedPerson[]; cursor?: string }> {
  const { rows, ...more } = await readPage<
    State & { email: string; seen_at: Date | null; organizations: { slug: string; role: string }[] }
  >(db, PEOPLE, 'usr', request);
  return {
    people: rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      state: stateOf(row),
      createdAt: row.created_at.toISOString(),
      ...(row.seen_at === null ? {} : { lastSeenAt: row.seen_at.toISOString() }),
      organizations: row.organizations,
    })),
    ...more,
  };
}

export async function listAllOrganizations(
  db: Queryable,
  request: ListRequest,
): Promise<{ organizations: ListedOrganization[]; cursor?: string }> {
  const { rows, ...more } = await readPage<
    State & { slug: string; plan: string; members: number; due_at: Date | null }
  >(db, ORGANIZATIONS, 'org', request);
  return {
    organizations: rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      plan: row.plan,
      state: stateOf(row),
      createdAt: row.created_at.toISOString(),
      members: row.members,
      ...(row.due_at === null ? {} : { erasedAt: row.due_at.toISOString() }),
    })),
    ...more,
  };
}

async function readPage<R extends State>(
  db: Queryable,
  sql: string,
  prefix: string,
  request: ListRequest,
): Promise<{ rows: readonly R[]; cursor?: string }> {
  const { rows } = await db.query<R>(sql, [
    readIdCursor(request.cursor, prefix),
    (request.query ?? '').trim().toLowerCase(),
    rowsToRead(request),
  ]);
  return cutPage(rows, request, ({ id }) => id);
}

const stateOf = ({ disabled, deleted }: State): AccountState => (deleted ? 'deleted' : disabled ? 'disabled' : 'open');
