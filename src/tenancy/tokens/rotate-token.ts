// Replaces a named token: for a while both work, so that a program can be given the new one without a gap. Both belong to
// one line: what they spend counts for the same token and under the same cap.
import { AppError } from '../../base/errors.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Database } from '../../store/database.ts';
import { type MintDeps, mintToken, type MintedToken } from './mint-token.ts';
import { lifetimeSeconds, overlapSeconds } from './token-lifetime.ts';

interface TokenRow extends Record<string, unknown> {
  name: string;
  organization_id: string;
  workspace_id: string | null;
  scopes: Scope[];
  models: string[] | null;
  line_id: string | null;
  lifetime: number;
}

export interface Rotation {
  readonly overlap?: string | undefined;
  readonly expiresIn?: number | string | undefined;
}

export interface RotatedToken extends MintedToken {
  /** Until then the old token works. */
  readonly oldExpiresAt: Date;
}

/** A token that is revoked, expired or already replaced cannot be rotated. */
export async function rotateToken(
  deps: MintDeps & { readonly db: Database },
  userId: string,
  tokenId: string,
  { overlap, expiresIn }: Rotation,
): Promise<RotatedToken> {
  const seconds = overlapSeconds(overlap);
  return deps.db.transaction(async (tx) => {
    const { rows } = await tx.query<TokenRow & { live: boolean }>(
      `select name, organization_id, workspace_id, scopes, models, line_id, revoked_at is null and expires_at > $3 as live,
              extract(epoch from expires_at - created_at)::int as lifetime
         from :schema.connect_token where id = $1 and user_id = $2 and name is not null for update`,
      [tokenId, userId, deps.clock()],
    );
    const [old] = rows;
    if (!old) throw new AppError('not_found');
    if (!old.live) throw new AppError('token_not_active');
    const minted = await mintToken(
      { ...deps, db: tx },
      {
        userId,
        organizationId: old.organization_id,
        workspaceId: old.workspace_id ?? undefined,
        scopes: old.scopes,
        lifetimeSeconds: expiresIn === undefined ? old.lifetime : lifetimeSeconds(expiresIn, true),
        name: old.name,
        models: old.models ?? undefined,
        lineId: old.line_id ?? tokenId,
      },
    );
    const ended = await tx.query<{ revoked_at: Date }>(
      `update :schema.connect_token set revoked_at = least(expires_at, now() + make_interval(secs => $3)), replaced_by = $2
        where id = $1 returning revoked_at`,
      [tokenId, minted.id, seconds],
    );
    return { ...minted, oldExpiresAt: ended.rows[0]?.revoked_at ?? deps.clock() };
  });
}
