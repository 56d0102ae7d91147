import type { Scope, TokenOnWire } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../paging.ts';

interface TokenRow extends Record<string, unknown> {
  id: string;
  name: string;
  organization_id: string;
  workspace_id: string | null;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  models: string[] | null;
  line_id: string | null;
  replaced_by: string | null;
  used_at: Date | null;
}

export interface ListedTokens {
  readonly tokens: (TokenOnWire & { readonly line: string })[];
  readonly cursor?: string;
}

/** A person's named tokens, optionally of one organization, oldest first, including revoked and expired ones. */
export async function listTokens(
  db: Queryable,
  userId: string,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<ListedTokens> {
  const found = await db.query<TokenRow>(
    `select t.id, t.name, t.organization_id, t.workspace_id, t.scopes, t.created_at, t.expires_at, t.revoked_at, t.models, t.line_id, t.replaced_by, u.used_at
       from :schema.connect_token t left join :schema.connect_token_use u on u.id = t.id
      where t.user_id = $1 and t.name is not null and t.id > $2 and ($3::text is null or t.organization_id = $3) order by t.id limit $4`,
    [userId, readIdCursor(page.cursor, 'tok'), organizationId ?? null, rowsToRead(page)],
  );
  const { rows, ...more } = cutPage(found.rows, page, (row) => row.id);
  return { tokens: rows.map(toWire), ...more };
}

function toWire(row: TokenRow): ListedTokens['tokens'][number] {
  return {
    line: row.line_id ?? row.id,
    id: row.id,
    name: row.name,
    organization: row.organization_id,
    ...(row.workspace_id === null ? {} : { workspace: row.workspace_id }),
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at.toISOString() }),
    ...(row.models === null ? {} : { models: row.models }),
    ...(row.used_at === null ? {} : { lastUsedAt: row.used_at.toISOString() }),
    ...(row.replaced_by === null ? {} : { replacedBy: row.replaced_by }),
  };
}
