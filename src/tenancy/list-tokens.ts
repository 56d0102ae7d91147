import type { Scope, TokenOnWire } from '../contract/tokens.ts';
import type { Queryable } from '../store/database.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from './paging.ts';

interface TokenRow extends Record<string, unknown> {
  id: string;
  name: string;
  organization_id: string;
  workspace_id: string | null;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

/** A person's named tokens, optionally of one organization, oldest first, including revoked and expired ones. */
export async function listTokens(
  db: Queryable,
  userId: string,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<{ tokens: TokenOnWire[]; cursor?: string }> {
  const found = await db.query<TokenRow>(
    `select id, name, organization_id, workspace_id, scopes, created_at, expires_at, revoked_at from :schema.connect_token
      where user_id = $1 and name is not null and id > $2 and ($3::text is null or organization_id = $3) order by id limit $4`,
    [userId, readIdCursor(page.cursor, 'tok'), organizationId ?? null, rowsToRead(page)],
  );
  const { rows, ...more } = cutPage(found.rows, page, (row) => row.id);
  return { tokens: rows.map(toWire), ...more };
}

function toWire(row: TokenRow): TokenOnWire {
  return {
    id: row.id,
    name: row.name,
    organization: row.organization_id,
    ...(row.workspace_id === null ? {} : { workspace: row.workspace_id }),
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at.toISOString() }),
  };
}
