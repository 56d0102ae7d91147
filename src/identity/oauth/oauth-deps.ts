import type { Clock } from '../../base/clock.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Database, Queryable } from '../../store/database.ts';

/** Mints the connect token of a grant. Refuses if the person is no longer a member. */
type MintToken = (wanted: {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId?: string;
  readonly scopes: readonly Scope[];
  readonly lifetimeSeconds: number;
}) => Promise<{ readonly id: string; readonly token: string; readonly expiresAt: Date }>;

/** Within a transaction or on its own. */
export type RevokeToken = (db: Queryable, tokenId: string) => Promise<unknown>;

export interface OAuthDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mintToken: MintToken;
  readonly revokeToken: RevokeToken;
}

export interface TokenAnswer {
  readonly accessToken: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
  readonly refreshToken?: string;
}
