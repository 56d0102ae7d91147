// The names of members, workspaces, tokens and projects in records that outlive them. Someone who has left the organization keeps
// their name there; a removed workspace or token keeps the name it had; a deleted account leaves none.
import type { Queryable } from '../store/database.ts';

export type NamedKind = 'member' | 'workspace' | 'token';

const FIND: Readonly<Record<NamedKind, string>> = {
  member: 'select id, name from :schema.identity_user where id = any ($1)',
  workspace: `select id, name from :schema.workspace where id = any ($1)
    union all select id, name from :schema.removed_name where id = any ($1)`,
  token: `select id, name from :schema.connect_token where id = any ($1) and name is not null
    union all select id, name from :schema.removed_name where id = any ($1)`,
};

const UNKNOWN: Readonly<Record<NamedKind, string>> = {
  member: 'Removed member',
  workspace: 'Removed workspace',
  token: 'Removed token',
};

/** For the empty id. */
const NONE: Readonly<Record<NamedKind, string>> = {
  member: 'Not recorded',
  workspace: 'Not recorded',
  token: 'No named token',
};

/** A project that its manager alone has is nameless to everyone else. */
export async function findProjectNames(
  db: Queryable,
  reader: string,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, name from :schema.project where id = any ($1) and (sharing <> 'private' or coalesce(managed_by, created_by) = $2)`,
    [[...new Set(ids)], reader],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === '' ? 'No project' : (names.get(id) ?? 'Private or deleted project'));
}

export async function findNames(
  db: Queryable,
  kind: NamedKind,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const asked = [...new Set(ids)].filter((id) => id !== '');
  const { rows } =
    asked.length === 0 ? { rows: [] } : await db.query<{ id: string; name: string }>(FIND[kind], [asked]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === '' ? NONE[kind] : (names.get(id) ?? UNKNOWN[kind]));
}
