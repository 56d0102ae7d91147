// The accounts behind the users of an organization. One that the organization made is its own: it may rename it, shut it
// and open it again. One that was there before is only a member, and nothing here changes it.
import { newId } from '../../base/ids.ts';
import { dropLinks } from '../../identity/links/one-use-links.ts';
import { openAccount } from '../../leaving/shut-person.ts';
import { withdrawErasure } from '../../leaving/erasures.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import { addressOf, nameOf, type UserRecord } from '../protocol/user-record.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { ScimError } from '../scim-error.ts';

export interface FoundAccount {
  readonly id: string;
  readonly managedBy: string | undefined;
  readonly disabled: boolean;
  /** The organization that shut it. */
  readonly shutBy: string | undefined;
}

interface AccountRow extends Record<string, unknown> {
  id: string;
  managed_by: string | null;
  disabled: boolean;
  shut_by: string | null;
}

const ACCOUNT = 'select id, managed_by, disabled_at is not null as disabled, shut_by from :schema.identity_user';

export async function findAccount(
  db: Queryable,
  by: { readonly email: string } | { readonly id: string },
): Promise<FoundAccount | undefined> {
  const { rows } =
    'id' in by
      ? await db.query<AccountRow>(`${ACCOUNT} where id = $1`, [by.id])
      : await db.query<AccountRow>(`${ACCOUNT} where email = $1`, [by.email]);
  const [row] = rows;
  return (
    row && {
      id: row.id,
      managedBy: row.managed_by ?? undefined,
      disabled: row.disabled,
      shutBy: row.shut_by ?? undefined,
    }
  );
}

/** Without a password or anything else to sign in with. */
export async function insertAccount(
  { rules }: Pick<ScimDeps, 'rules'>,
  tx: Transaction,
  organizationId: string,
  record: UserRecord,
): Promise<string> {
  if (rules.signUp === 'closed')
    throw new ScimError(
      403,
      'This service creates no accounts: SERVICE_SIGN_UP is closed. Ask its operator to set it to invited.',
    );
  const id = newId('usr');
  const { rowCount } = await tx.query(
    'insert into :schema.identity_user (id, name, email, managed_by) values ($1, $2, $3, $4) on conflict (email) do nothing',
    [id, nameOf(record), addressOf(record), organizationId],
  );
  if (rowCount === 0) throw new ScimError('uniqueness', 'An account with this address has just been made. Try again.');
  return id;
}

/**
 * Writes name and address of an account that the organization manages, while it is a member of no other: what others rely
 * on is not changed from here. A link that was sent to the address before no longer opens anything.
 */
export async function renameAccount(
  tx: Transaction,
  organizationId: string,
  userId: string,
  record: UserRecord,
): Promise<void> {
  if (await isElsewhere(tx, organizationId, userId)) return;
  const email = addressOf(record);
  const { rowCount: taken } = await tx.query('select 1 from :schema.identity_user where email = $1 and id <> $2', [
    email,
    userId,
  ]);
  if (taken > 0) throw new ScimError('uniqueness', 'Another account has this address.');
  const { rowCount: moved } = await tx.query(
    'update :schema.identity_user set email = $2, email_verified = false, updated_at = now() where id = $1 and email <> $2',
    [userId, email],
  );
  if (moved > 0) await dropLinks(tx, userId);
  await tx.query('update :schema.identity_user set name = $2, updated_at = now() where id = $1 and name <> $2', [
    userId,
    nameOf(record),
  ]);
}

export async function isElsewhere(db: Queryable, organizationId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from :schema.organization_member where user_id = $1 and organization_id <> $2 limit 1',
    [userId, organizationId],
  );
  return rowCount > 0;
}

/** Opens an account that this organization has shut, also one that it deleted a while ago. */
export async function reopenAccount(
  { db, clock }: Pick<ScimDeps, 'db' | 'clock'>,
  tx: Transaction,
  organizationId: string,
  { id, disabled, shutBy }: FoundAccount,
): Promise<void> {
  if (!disabled) return;
  if (shutBy !== organizationId)
    throw new ScimError(403, 'This account was shut by its owner or by the operator of the service, who can open it.');
  await withdrawErasure(tx, { kind: 'person', id }, clock());
  await openAccount(db, tx, id);
}
