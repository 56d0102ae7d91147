// How a person can sign in. Removals take turns per person, so that two of them cannot each leave the other's way as
// the last one.
import { AppError } from '../../base/errors.ts';
import type { SignInWays } from '../../contract/account/account.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import { listPasskeys } from './passkeys.ts';

interface WaysRow extends Record<string, unknown> {
  password: boolean;
  provider: boolean;
  confirmed_at: Date | null;
  recovery_codes: number;
}

export async function readSignInWays(db: Queryable, userId: string): Promise<Omit<SignInWays, 'session'>> {
  const { rows } = await db.query<WaysRow>(
    `select exists (select 1 from :schema.identity_account a where a.user_id = $1 and a.provider_id = 'credential' and a.password is not null) as password,
            exists (select 1 from :schema.identity_account a where a.user_id = $1 and a.provider_id <> 'credential') as provider,
            (select c.confirmed_at from :schema.identity_one_time_code c where c.user_id = $1) as confirmed_at,
            (select count(*)::int from :schema.identity_recovery_code r where r.user_id = $1) as recovery_codes`,
    [userId],
  );
  const [row] = rows;
  return {
    password: row?.password === true,
    provider: row?.provider === true,
    passkeys: await listPasskeys(db, userId),
    oneTimeCodes: row?.confirmed_at
      ? { since: row.confirmed_at.toISOString(), recoveryCodes: row.recovery_codes }
      : null,
  };
}

/** Throws `last_way_in` if nothing would be left, and then nothing has changed. */
export async function removeWayIn(tx: Transaction, userId: string, remove: () => Promise<void>): Promise<void> {
  await tx.query('select 1 from :schema.identity_user where id = $1 for no key update', [userId]);
  await remove();
  const { password, provider, passkeys, oneTimeCodes } = await readSignInWays(tx, userId);
  if (!password && !provider && passkeys.length === 0) throw new AppError('last_way_in');
  // Sessions had a second factor because the account did.
  if (passkeys.length === 0 && oneTimeCodes === null)
    await tx.query('update :schema.identity_session set second_factor = false where user_id = $1 and second_factor', [
      userId,
    ]);
}
