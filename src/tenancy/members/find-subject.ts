// Whom a cap may apply to: a member, a workspace or a named token of the organization.
import type { Queryable } from '../../store/database.ts';
import type { NamedKind } from '../find-names.ts';

const FIND: Readonly<Record<NamedKind, string>> = {
  member: 'select user_id as id from :schema.organization_member where organization_id = $1 and user_id = $2',
  workspace: 'select id from :schema.workspace where organization_id = $1 and (id = $2 or slug = $2)',
  // Tokens that replace each other are one subject.
  token:
    'select coalesce(line_id, id) as id from :schema.connect_token where organization_id = $1 and id = $2 and name is not null',
};

/** The id that usage is counted under; undefined if the organization has no such subject. */
export async function findSubject(
  db: Queryable,
  organizationId: string,
  { kind, id }: { readonly kind: NamedKind; readonly id: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(FIND[kind], [organizationId, id]);
  return rows[0]?.id;
}

/** The workspaces that a member is in, and their named tokens. */
export async function listSubjectsOf(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<{ workspaces: string[]; tokens: string[] }> {
  const { rows } = await db.query<{ workspaces: string[]; tokens: string[] }>(
    `select array(select w.workspace_id from :schema.member_workspace w where w.organization_id = $1 and w.user_id = $2 and w.is_member) as workspaces,
            array(select coalesce(t.line_id, t.id) from :schema.connect_token t where t.organization_id = $1 and t.user_id = $2 and t.name is not null) as tokens`,
    [organizationId, userId],
  );
  return rows[0] ?? { workspaces: [], tokens: [] };
}
