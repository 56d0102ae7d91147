import type { Queryable } from '../store/database.ts';

/**
 * What is known about the account with an address: whose it is, when it was registered, and whether the address was
 * verified.
 */
export interface Account {
  readonly user: string;
  readonly name: string;
  readonly email: string;
  readonly verified: boolean;
  readonly registeredAt: string;
}

export async function findAccount(db: Queryable, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<{
    id: string;
    name: string;
    email: string;
    email_verified: boolean;
    created_at: Date;
  }>('select id, name, email, email_verified, created_at from :schema.identity_user where email = $1', [email]);
  return (
    rows[0] && {
      user: rows[0].id,
      name: rows[0].name,
      email: rows[0].email,
      verified: rows[0].email_verified,
      registeredAt: rows[0].created_at.toISOString(),
    }
  );
}

/** Undefined once the account is deleted. */
export async function findPerson(
  db: Queryable,
  userId: string,
): Promise<{ readonly id: string; readonly name: string; readonly email: string } | undefined> {
  const { rows } = await db.query<{ id: string; name: string; email: string }>(
    'select id, name, email from :schema.identity_user where id = $1',
    [userId],
  );
  return rows[0];
}
