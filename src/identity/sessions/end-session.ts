import { AppError } from '../../base/errors.ts';
import type { Queryable, Transaction } from '../../store/database.ts';

export interface EndSessionDeps {
  /** Revokes the short-lived tokens that were made in the session. */
  readonly revokeTokensOfSession: (db: Queryable, userId: string, sessionId: string) => Promise<unknown>;
}

/** One session of a person, with what was made in it; a device that it approved and that has not signed in yet gets none. */
export async function endSession(
  tx: Transaction,
  { revokeTokensOfSession }: EndSessionDeps,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<void> {
  await revokeTokensOfSession(tx, userId, sessionId);
  const { rowCount } = await tx.query('delete from :schema.identity_session where id = $1 and user_id = $2', [
    sessionId,
    userId,
  ]);
  if (rowCount === 0) throw new AppError('not_found');
}
