import type { GrantPage } from '../../contract/grants.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';

interface Row extends Record<string, unknown> {
  id: string;
  client_id: string;
  client_name: string;
  organization_id: string;
  workspace_id: string | null;
  scopes: Scope[];
  created_at: Date;
  used_at: Date;
}

/** The active grants of a person, newest first; `cursor` is the last id of the previous page. */
export async function listGrants(
  db: Queryable,
  userId: string,
  { cursor, limit = 50 }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<GrantPage> {
  const { rows } = await db.query<Row>(
    `select id, client_id, client_name, organization_id, workspace_id, scopes, created_at, used_at
       from :schema.oauth_grant
      where user_id = $1 and revoked_at is null and ($2::text is null or id < $2)
      order by id desc limit $3`,
    [userId, cursor ?? null, limit + 1],
  );
  const grants = rows.slice(0, limit).map((row) => ({
    id: row.id,
    client: { id: row.client_id, name: row.client_name },
    organization: row.organization_id,
    ...(row.workspace_id === null ? {} : { workspace: row.workspace_id }),
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    usedAt: row.used_at.toISOString(),
  }));
  const last = grants.at(-1);
  return { grants, ...(rows.length > limit && last ? { cursor: last.id } : {}) };
}
