// A lost password: a link that works once takes its place. What goes with the old one ends as with a change of the
// password. It signs nobody in: that happens afterwards, with the new password and whatever else is asked there.
import { newId } from '../../base/ids.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { IdentityMailer } from '../account/identity-mailer.ts';
import { tellOfSignIn } from '../account/tell-of-sign-in.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { findLink, makeLink, takeLink } from '../links/one-use-links.ts';
import { endAccess, type EndAccessDeps } from '../sessions/end-access.ts';
import type { RequireGoodPassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';

const KIND = 'reset-password';

/** Someone who has a password and may sign in, or whose account was provisioned and has no way in yet; no one else is sent a link. */
export async function findResettable(
  db: Queryable,
  email: string,
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select u.id from :schema.identity_user u where u.email = $1 and u.disabled_at is null
        and (exists (select from :schema.identity_account a where a.user_id = u.id and a.provider_id = 'credential')
             or u.managed_by is not null and not exists (select from :schema.identity_account a where a.user_id = u.id))`,
    [email],
  );
  return rows[0] && { userId: rows[0].id, email };
}

/** Returns the secret for the link. */
export function makeResetLink(
  tx: Transaction,
  clock: Clock,
  person: { readonly userId: string; readonly email: string },
): Promise<string> {
  return makeLink(tx, clock, { kind: KIND, ...person });
}

export interface PasswordReset {
  readonly secret: string;
  readonly password: string;
  readonly keepTokens: boolean;
}

export interface ResetPasswordDeps extends EndAccessDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly requireGoodPassword: RequireGoodPassword;
  /** In the transaction of the change. */
  readonly mailer: IdentityMailer;
}

/** Returns the address of the account. Throws `link_invalid`, `account_disabled` and `password_refused`. */
export async function resetPassword(
  deps: ResetPasswordDeps,
  { secret, password, keepTokens }: PasswordReset,
): Promise<string> {
  const { db, clock, passwords, requireGoodPassword } = deps;
  // Before anything is hashed, so that only a link costs the work. It stays while the password is refused.
  const link = await findLink(db, clock, { kind: KIND, secret });
  if (!link) throw new AppError('link_invalid');
  const { rows } = await db.query<{ name: string; email: string; disabled: boolean }>(
    'select name, email, disabled_at is not null as disabled from :schema.identity_user where id = $1',
    [link.userId],
  );
  const [user] = rows;
  // The address was changed since: a link that was sent to the old one no longer proves anything.
  if (!user || user.email !== link.email) throw new AppError('link_invalid');
  if (user.disabled) throw new AppError('account_disabled');
  requireGoodPassword(password, user);
  const hash = await passwords.hashing.hash(password);
  await db.transaction(async (tx) => {
    if (!(await takeLink(tx, clock, { kind: KIND, secret }))) throw new AppError('link_invalid');
    await writePassword(tx, { userId: link.userId, hash, at: clock() });
    await endAccess(tx, deps, { userId: link.userId, sessions: 'all', sessionId: '', keepTokens });
    await tellOfSignIn(tx, deps.mailer, link.userId, 'password');
  });
  return user.email;
}

/** An operator's link also gives a password to an account that had none. */
async function writePassword(
  tx: Transaction,
  { userId, hash, at }: { userId: string; hash: string; at: Date },
): Promise<void> {
  const { rowCount } = await tx.query(
    "update :schema.identity_account set password = $2, updated_at = $3 where user_id = $1 and provider_id = 'credential' and account_id = $1",
    [userId, hash, at],
  );
  if (rowCount > 0) return;
  await tx.query(
    `insert into :schema.identity_account (id, user_id, account_id, provider_id, password, created_at, updated_at)
     values ($1, $2, $2, 'credential', $3, $4, $4)`,
    [newId('acc'), userId, hash, at],
  );
}
