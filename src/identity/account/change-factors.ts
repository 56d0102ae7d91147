// Adds and removes the ways to sign in. Each change is told to the person by mail, in the transaction that makes it.
import { AppError } from '../../base/errors.ts';
import type { MadePasskey } from '../../contract/account/account.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { acceptCode, type CodeDeps } from '../factors/one-time-code-secret.ts';
import { makeRecoveryCodes } from '../factors/recovery-codes.ts';
import type { PasskeyDeps } from '../factors/passkeys.ts';
import { insertPasskey, verifyNewPasskey } from '../factors/register-passkey.ts';
import { removeWayIn } from '../factors/sign-in-ways.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import type { GuessLimit } from '../passwords/guess-limit.ts';
import type { Account } from '../passwords/check-password.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { tellOfSignIn } from './tell-of-sign-in.ts';
import type { IdentityMailer } from './identity-mailer.ts';

export interface FactorDeps extends Omit<PasskeyDeps, 'db' | 'settings'>, Omit<CodeDeps, 'db' | 'settings'> {
  readonly db: Database;
  readonly settings: IdentitySettings;
  readonly mailer: IdentityMailer;
  readonly guesses: GuessLimit;
  readonly passwords: Pick<Passwords, 'hashing'>;
}

/** The person and the calling session. */
export interface SessionHolder {
  readonly user: Account;
  readonly sessionId: string;
}

/** The session has shown the factor that was just set up. */
export async function strengthenSession(
  tx: Pick<Transaction, 'query'>,
  { user, sessionId }: SessionHolder,
): Promise<void> {
  await tx.query('update :schema.identity_session set second_factor = true where id = $1 and user_id = $2', [
    sessionId,
    user.id,
  ]);
}

export async function addPasskey(
  deps: FactorDeps,
  caller: SessionHolder,
  { name, passkey }: { readonly name: string; readonly passkey: MadePasskey },
): Promise<void> {
  const made = await verifyNewPasskey(deps, caller.user.id, passkey);
  await deps.db.transaction(async (tx) => {
    await insertPasskey({ ...deps, db: tx }, caller.user.id, { name, made });
    await strengthenSession(tx, caller);
    await tellOfSignIn(tx, deps.mailer, caller.user.id, 'passkey-added');
  });
}

export async function removePasskey({ db, mailer }: FactorDeps, userId: string, passkeyId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await removeWayIn(tx, userId, async () => {
      const { rowCount } = await tx.query('delete from :schema.identity_passkey where id = $1 and user_id = $2', [
        passkeyId,
        userId,
      ]);
      if (rowCount === 0) throw new AppError('not_found');
    });
    await tellOfSignIn(tx, mailer, userId, 'passkey-removed');
  });
}

/** Throws `invalid_code`, and `one_time_codes_missing` when nothing waits for a code. */
export async function confirmOneTimeCodes(
  deps: FactorDeps,
  caller: SessionHolder,
  { code, network }: { readonly code: string; readonly network: string },
): Promise<string[]> {
  const { db, mailer, guesses } = deps;
  const { user } = caller;
  const { rowCount } = await db.query(
    'select 1 from :schema.identity_one_time_code where user_id = $1 and confirmed_at is null',
    [user.id],
  );
  if (rowCount === 0) throw new AppError('one_time_codes_missing');
  return guesses.guard({ email: user.email, network, known: true }, () =>
    db.transaction(async (tx) => {
      if (!(await acceptCode({ ...deps, db: tx }, { userId: user.id, code, confirmed: false })))
        throw new AppError('invalid_code');
      await strengthenSession(tx, caller);
      await tellOfSignIn(tx, mailer, user.id, 'codes-added');
      return makeRecoveryCodes(tx, user.id);
    }),
  );
}

export async function removeOneTimeCodes(
  { db, mailer }: Pick<FactorDeps, 'db' | 'mailer'>,
  userId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await removeWayIn(tx, userId, async () => {
      const { rowCount } = await tx.query('delete from :schema.identity_one_time_code where user_id = $1', [userId]);
      if (rowCount === 0) throw new AppError('one_time_codes_missing');
      await tx.query('delete from :schema.identity_recovery_code where user_id = $1', [userId]);
    });
    await tellOfSignIn(tx, mailer, userId, 'codes-removed');
  });
}

export function renewRecoveryCodes({ db, mailer }: FactorDeps, userId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      'select 1 from :schema.identity_one_time_code where user_id = $1 and confirmed_at is not null for update',
      [userId],
    );
    if (rowCount === 0) throw new AppError('one_time_codes_missing');
    await tellOfSignIn(tx, mailer, userId, 'recovery-codes');
    return makeRecoveryCodes(tx, userId);
  });
}

/** For an account that has none. Throws `password_exists`. */
export async function setPassword(deps: FactorDeps, userId: string, password: string): Promise<void> {
  const { db, clock, mailer, passwords } = deps;
  const hash = await passwords.hashing.hash(password);
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `insert into :schema.identity_account as a (id, user_id, account_id, provider_id, password, created_at, updated_at)
       values ($1, $2, $2, 'credential', $3, $4, $4)
       on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = excluded.updated_at
         where a.password is null`,
      [newId('acc'), userId, hash, clock()],
    );
    if (rowCount === 0) throw new AppError('password_exists');
    await tellOfSignIn(tx, mailer, userId, 'password-set');
  });
}

/** With it go links that would set a new one. */
export async function removePassword({ db, mailer }: FactorDeps, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await removeWayIn(tx, userId, async () => {
      const { rowCount } = await tx.query(
        "delete from :schema.identity_account where user_id = $1 and provider_id = 'credential'",
        [userId],
      );
      if (rowCount === 0) throw new AppError('not_found');
      await tx.query("delete from :schema.identity_link where user_id = $1 and kind = 'reset-password'", [userId]);
    });
    await tellOfSignIn(tx, mailer, userId, 'password-removed');
  });
}
