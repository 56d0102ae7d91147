import { AppError } from '../../base/errors.ts';
import { type MintDeps, UNNAMED_MAX_SECONDS } from './mint-token.ts';
import { isUnnamedTokenOf } from './token-id.ts';

/** Revokes any token by its id. Revoking it again has no effect. */
export async function revokeToken({ db, clock }: Pick<MintDeps, 'db' | 'clock'>, tokenId: string): Promise<void> {
  const now = clock();
  await db.query(
    `with forgotten as (delete from :schema.connect_token where name is null and expires_at < $2)
     insert into :schema.connect_token (id, created_at, expires_at, revoked_at) values ($1, $2, $3, $2)
     on conflict (id) do update set revoked_at = least(connect_token.revoked_at, excluded.revoked_at), replaced_by = null`,
    [tokenId, now, new Date(now.getTime() + UNNAMED_MAX_SECONDS * 1000)],
  );
}

/** For a user's own tokens: a named one of theirs, or an unnamed one whose id proves that it is theirs. */
export async function revokeOwnToken(deps: MintDeps, userId: string, tokenId: string): Promise<void> {
  if (!isUnnamedTokenOf(deps.key, tokenId, userId)) {
    const { rowCount } = await deps.db.query('select 1 from :schema.connect_token where id = $1 and user_id = $2', [
      tokenId,
      userId,
    ]);
    if (rowCount === 0) throw new AppError('not_found');
  }
  await revokeToken(deps, tokenId);
}

/** Revokes every valid token of a user, except those made in the given session. */
export async function revokeTokensOf(
  deps: Pick<MintDeps, 'db' | 'clock'>,
  userId: string,
  exceptSession?: string,
): Promise<void> {
  const { rows } = await deps.db.query<{ id: string }>(
    `select id from :schema.connect_token where user_id = $1 and name is not null and (revoked_at is null or replaced_by is not null) and expires_at > $2
     union all
     select id from :schema.connect_token_short where user_id = $1 and expires_at > $2 and ($3::text is null or session_id <> $3)`,
    [userId, deps.clock(), exceptSession ?? null],
  );
  for (const { id } of rows) await revokeToken(deps, id);
}

/** Revokes every named token of a user for one organization; an unnamed one opens nothing without the membership. */
export async function revokeTokensIn(
  { db, clock }: Pick<MintDeps, 'db' | 'clock'>,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<void> {
  await db.query(
    `update :schema.connect_token set revoked_at = least(revoked_at, $3), replaced_by = null
      where user_id = $1 and organization_id = $2 and name is not null and (revoked_at is null or replaced_by is not null)`,
    [userId, organizationId, clock()],
  );
}

/** Revokes the short-lived tokens that were made in one session of a user. */
export async function revokeTokensOfSession(
  deps: Pick<MintDeps, 'db' | 'clock'>,
  userId: string,
  sessionId: string,
): Promise<void> {
  const { rows } = await deps.db.query<{ id: string }>(
    'select id from :schema.connect_token_short where user_id = $1 and session_id = $2 and expires_at > $3',
    [userId, sessionId, deps.clock()],
  );
  for (const { id } of rows) await revokeToken(deps, id);
}
