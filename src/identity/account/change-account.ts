import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../store/database.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { makeLink, takeLink } from '../links/one-use-links.ts';
import type { Account } from '../passwords/check-password.ts';
import type { IdentityMailer } from './identity-mailer.ts';

export interface AccountDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'publicUrl'>;
  readonly mailer: IdentityMailer;
}

export async function renamePerson({ db, clock }: AccountDeps, userId: string, name: string): Promise<void> {
  await db.query('update :schema.identity_user set name = $2, updated_at = $3 where id = $1', [userId, name, clock()]);
}

/**
 * Sends a link to the new address. Whether another account has it already is said only to the person who opens that link.
 */
export async function askForAddress(deps: AccountDeps, userId: string, email: string): Promise<void> {
  const { db, clock, settings, mailer } = deps;
  const by = await findAddressManager(db, userId);
  if (by !== undefined) throw new AppError('address_managed', { by });
  if (!mailer.configured) throw new AppError('address_managed', { by: 'operator' });
  await db.transaction(async (tx) => {
    const secret = await makeLink(tx, clock, { kind: 'prove-address', userId, email });
    // After the hash, so that no server and no log of one sees it.
    const link = `${settings.publicUrl}/prove-address#${secret}`;
    await mailer.queue(tx, { kind: 'prove-address', to: email, values: { link } });
  });
}

/** Who else decides the address: the provider that signs the person in brings it along each time. */
async function findAddressManager(db: Queryable, userId: string): Promise<'provider' | undefined> {
  const { rowCount } = await db.query(
    "select 1 from :schema.identity_account where user_id = $1 and provider_id <> 'credential' limit 1",
    [userId],
  );
  return rowCount > 0 ? 'provider' : undefined;
}

/**
 * Opened by the person it was made for, the link changes the address; the old one is told, and links that were sent to
 * it stop working. Throws `not_found` and `user_exists`, and the link is then as it was.
 */
export async function proveAddress(
  { db, clock, mailer }: AccountDeps,
  user: Account,
  secret: string,
): Promise<Account> {
  try {
    return await db.transaction(async (tx) => {
      const link = await takeLink(tx, clock, { kind: 'prove-address', secret });
      if (link?.userId !== user.id) throw new AppError('not_found');
      const { rows } = await tx.query<{ email: string }>(
        'select email from :schema.identity_user where id = $1 for update',
        [user.id],
      );
      await tx.query(
        'update :schema.identity_user set email = $2, email_verified = true, updated_at = $3 where id = $1',
        [user.id, link.email, clock()],
      );
      await tx.query('delete from :schema.identity_link where user_id = $1', [user.id]);
      const old = rows[0]?.email;
      if (old !== undefined && old !== link.email)
        await mailer.queue(tx, { kind: 'address-changed', to: old, values: { address: link.email } });
      return { ...user, email: link.email };
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') throw new AppError('user_exists', {}, { cause: error });
    throw error;
  }
}
