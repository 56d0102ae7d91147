import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { Passwords } from './passwords.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

interface AccountRow extends Record<string, unknown> {
  id: string;
  name: string;
  email: string;
  password: string | null;
}

/**
 * Throws `invalid_credentials`. Each call costs one hash, whether the account exists and has a password or not, so that
 * the time it takes says neither.
 */
export async function checkPassword(
  { db, passwords }: { readonly db: Queryable; readonly passwords: Pick<Passwords, 'hashing'> },
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Account> {
  const { rows } = await db.query<AccountRow>(
    `select u.id, u.name, u.email, a.password from :schema.identity_user u
       left join :schema.identity_account a on a.user_id = u.id and a.provider_id = 'credential' and a.account_id = u.id
      where u.email = $1`,
    [email],
  );
  const [row] = rows;
  if (!row?.password) {
    await passwords.hashing.hash(password);
    throw new AppError('invalid_credentials');
  }
  if (!(await passwords.hashing.verify({ hash: row.password, password }))) throw new AppError('invalid_credentials');
  return { id: row.id, name: row.name, email: row.email };
}
