// Whose account a sign-in at the provider is. The provider's subject decides, never the address: addresses change hands. An
// account that has the address but not the subject is not opened; its owner has to prove that it is theirs first.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Queryable } from '../../store/database.ts';
import type { ProviderPerson } from './read-claims.ts';

export type Resolved =
  | { readonly kind: 'account'; readonly userId: string }
  /** There is an account with this address that is not connected. */
  | { readonly kind: 'link'; readonly email: string };

/** Throws `account_disabled` and `openid_address_unverified`. */
export async function resolvePerson(db: Database, clock: Clock, person: ProviderPerson): Promise<Resolved> {
  const known = await findConnected(db, person);
  if (known) return { kind: 'account', userId: known };
  const { email } = person;
  if (email === undefined) throw new AppError('openid_address_unverified');
  return db.transaction(async (tx): Promise<Resolved> => {
    const userId = newId('usr');
    const made = await tx.query(
      `insert into :schema.identity_user (id, name, email, email_verified, created_at, updated_at)
       values ($1, $2, $3, true, $4, $4) on conflict (email) do nothing`,
      [userId, person.name, email, clock()],
    );
    if (made.rowCount > 0) {
      await connect(tx, clock, userId, person);
      return { kind: 'account', userId };
    }
    // Two sign-ins at once: the other one was first.
    const meanwhile = await findConnected(tx, person);
    if (meanwhile) return { kind: 'account', userId: meanwhile };
    await requireOpen(tx, email);
    const unclaimed = await findUnclaimed(tx, email);
    if (unclaimed === undefined) return { kind: 'link', email };
    await connect(tx, clock, unclaimed, person);
    await tx.query('update :schema.identity_user set email_verified = true where id = $1', [unclaimed]);
    return { kind: 'account', userId: unclaimed };
  });
}

/** Connects an account that has been proven, and says that its address is verified. Throws `openid_link_gone`. */
export async function connectAccount(
  db: Database,
  clock: Clock,
  userId: string,
  person: { readonly issuer: string; readonly subject: string; readonly email: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await connect(tx, clock, userId, person);
    if ((await findConnected(tx, person)) !== userId) throw new AppError('openid_link_gone');
    await tx.query('update :schema.identity_user set email_verified = true where id = $1 and email = $2', [
      userId,
      person.email,
    ]);
  });
}

/** Whether the account is connected to this subject. */
export async function isConnected(
  db: Queryable,
  userId: string,
  person: Pick<ProviderPerson, 'issuer' | 'subject'>,
): Promise<boolean> {
  return (await findConnected(db, person)) === userId;
}

async function findConnected(
  db: Queryable,
  { issuer, subject }: Pick<ProviderPerson, 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string; disabled: boolean }>(
    `select u.id, u.disabled_at is not null as disabled from :schema.identity_account a
       join :schema.identity_user u on u.id = a.user_id where a.provider_id = $1 and a.account_id = $2`,
    [issuer, subject],
  );
  if (rows[0]?.disabled) throw new AppError('account_disabled');
  return rows[0]?.id;
}

async function connect(
  tx: Queryable,
  clock: Clock,
  userId: string,
  { issuer, subject }: Pick<ProviderPerson, 'issuer' | 'subject'>,
): Promise<void> {
  await tx.query(
    `insert into :schema.identity_account (id, user_id, account_id, provider_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5) on conflict (provider_id, account_id) do nothing`,
    [newId('acc'), userId, subject, issuer, clock()],
  );
}

/** Provisioning made the account and no one has a way into it yet, so there is nothing that a proof would protect. */
async function findUnclaimed(tx: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select u.id from :schema.identity_user u where u.email = $1 and u.managed_by is not null
        and not exists (select from :schema.identity_account a where a.user_id = u.id)
        and not exists (select from :schema.identity_passkey k where k.user_id = u.id) for update`,
    [email],
  );
  return rows[0]?.id;
}

async function requireOpen(tx: Queryable, email: string): Promise<void> {
  const { rowCount } = await tx.query(
    'select 1 from :schema.identity_user where email = $1 and disabled_at is not null',
    [email],
  );
  if (rowCount > 0) throw new AppError('account_disabled');
}
