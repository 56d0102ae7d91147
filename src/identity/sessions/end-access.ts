// Ends every way to act as a person: their sessions and, unless they are kept, their tokens, the clients they approved
// and pending device sign-ins. It happens in the transaction of the change that causes it.
import type { Clock } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import type { RevokeToken } from '../oauth/oauth-deps.ts';
import { revokeGrantsOf } from '../oauth/revoke-grant.ts';

export interface EndAccessDeps {
  readonly clock: Clock;
  readonly revokeToken: RevokeToken;
  /** Revokes every token of the person, except the short-lived ones of the calling session. */
  readonly revokeTokensOf: (db: Queryable, userId: string, exceptSession: string | undefined) => Promise<unknown>;
}

export interface Ending {
  readonly userId: string;
  readonly sessions: 'all' | 'others' | 'none';
  /** The calling session. */
  readonly sessionId: string;
  readonly keepTokens: boolean;
}

export async function endAccess(
  tx: Transaction,
  deps: EndAccessDeps,
  { userId, sessions, sessionId, keepTokens }: Ending,
): Promise<void> {
  const staying = sessions === 'all' ? undefined : sessionId;
  if (sessions !== 'none') {
    await tx.query('delete from :schema.identity_session where user_id = $1 and ($2::text is null or id <> $2)', [
      userId,
      staying ?? null,
    ]);
    // An approved device code that is not redeemed yet would become a session.
    await tx.query('delete from :schema.identity_device_code where user_id = $1', [userId]);
  }
  if (keepTokens) return;
  await revokeGrantsOf(tx, deps, userId);
  await deps.revokeTokensOf(tx, userId, staying);
}
