// Changes a password. Both hashes are computed before the transaction, which writes only if the old hash is still the
// one that was checked. The calling session gets a new token, so a copy of the old one stops working too.
import { AppError } from '../../base/errors.ts';
import type { Database } from '../../store/database.ts';
import type { IdentityMailer } from '../account/identity-mailer.ts';
import { tellOfSignIn } from '../account/tell-of-sign-in.ts';
import { endAccess, type EndAccessDeps } from '../sessions/end-access.ts';
import type { Passwords } from './passwords.ts';
import { digestSecret } from '../secret-digests.ts';
import { newSessionToken } from '../sessions/session-cookie.ts';

export interface PasswordChange {
  readonly userId: string;
  readonly sessionId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly keepSessions: boolean;
  readonly keepTokens: boolean;
}

export interface ChangePasswordDeps extends EndAccessDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly mailer: IdentityMailer;
}

/** Returns the session's new token. Throws `invalid_credentials`. */
export async function changePassword(deps: ChangePasswordDeps, change: PasswordChange): Promise<string> {
  const { db, clock, passwords } = deps;
  const { userId, sessionId } = change;
  const { rows } = await db.query<{ id: string; password: string | null; email: string }>(
    `select a.id, a.password, u.email from :schema.identity_account a join :schema.identity_user u on u.id = a.user_id
      where a.user_id = $1 and a.provider_id = 'credential' and a.account_id = $1`,
    [userId],
  );
  const account = rows[0];
  const current = account?.password;
  if (!account || !current) throw new AppError('invalid_credentials');
  if (!(await passwords.hashing.verify({ hash: current, password: change.currentPassword })))
    throw new AppError('invalid_credentials');
  const hash = await passwords.hashing.hash(change.newPassword);
  const token = newSessionToken();
  await db.transaction(async (tx) => {
    const written = await tx.query(
      'update :schema.identity_account set password = $3, updated_at = $4 where id = $1 and password = $2',
      [account.id, current, hash, clock()],
    );
    if (written.rowCount === 0) throw new AppError('conflict');
    await endAccess(tx, deps, {
      userId,
      sessions: change.keepSessions ? 'none' : 'others',
      sessionId,
      keepTokens: change.keepTokens,
    });
    const renewed = await tx.query(
      'update :schema.identity_session set token = $2, updated_at = $3, proved_at = $3 where id = $1 and user_id = $4',
      [sessionId, digestSecret(token), clock(), userId],
    );
    // The session was ended in the meantime, so it may no longer change anything.
    if (renewed.rowCount === 0) throw new AppError('unauthenticated');
    // A link for a new password would undo this one.
    await tx.query("delete from :schema.identity_link where user_id = $1 and kind = 'reset-password'", [userId]);
    await tellOfSignIn(tx, deps.mailer, userId, 'password');
  });
  return token;
}
