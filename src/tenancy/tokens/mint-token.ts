import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Queryable } from '../../store/database.ts';
import { newTokenId } from './token-id.ts';

export interface MintDeps {
  readonly db: Queryable;
  /** From `connectKey(config)`. */
  readonly key: KeyObject;
  readonly clock: Clock;
}

export interface TokenGrant {
  readonly userId: string;
  readonly organizationId: string;
  /** Restricts the token to this workspace. */
  readonly workspaceId?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly lifetimeSeconds: number;
  /** A named token is recorded (without the token itself) and listed for its owner; an unnamed one leaves no row. */
  readonly name?: string | undefined;
  /**
   * Restricts the token to these connections, by their capability keys; for runs that name the connections they need.
   */
  readonly capabilities?: readonly string[] | undefined;
  /** Restricts a named token to models whose names match one of these patterns. */
  readonly models?: readonly string[] | undefined;
  /** The first of the named tokens that replaced each other; this one if absent. */
  readonly lineId?: string | undefined;
}

export interface MintedToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** How long the revocation of an unnamed token is remembered, and so how long such a token may live. */
export const UNNAMED_MAX_SECONDS = 86_400;

/** Signs without checking: whether the user may have the token is up to the caller (see create-token.ts). */
export async function mintToken({ db, key, clock }: MintDeps, grant: TokenGrant): Promise<MintedToken> {
  const { userId, organizationId, workspaceId, lifetimeSeconds, name, capabilities, models, lineId } = grant;
  if (name === undefined && lifetimeSeconds > UNNAMED_MAX_SECONDS)
    throw new RangeError('a token that lives longer than a day needs a name');
  const now = clock();
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = new Date((issuedAt + lifetimeSeconds) * 1000);
  const id = newTokenId(key, userId, name !== undefined, now);
  const scopes = [...new Set(grant.scopes)];
  const token = await new SignJWT({
    org: organizationId,
    ...(workspaceId === undefined ? {} : { ws: workspaceId }),
    scope: scopes.join(' '),
    ...(capabilities === undefined ? {} : { cap: capabilities }),
    ...(models === undefined ? {} : { models }),
    ...(lineId === undefined ? {} : { line: lineId }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setAudience('connect')
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
  if (name !== undefined) {
    await db.query(
      'insert into :schema.connect_token (id, user_id, organization_id, workspace_id, name, scopes, created_at, expires_at, models, line_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [id, userId, organizationId, workspaceId ?? null, name, scopes, now, expiresAt, models ?? null, lineId ?? id],
    );
  }
  return { id, token, expiresAt };
}
