// Tells a person by mail that a way to sign in to their account was added, changed or removed.
import type { Queryable } from '../../store/database.ts';
import type { IdentityMailer, SignInChange } from './identity-mailer.ts';

export async function tellOfSignIn(
  tx: Queryable,
  mailer: IdentityMailer,
  userId: string,
  what: SignInChange,
): Promise<void> {
  if (!mailer.configured) return;
  const { rows } = await tx.query<{ email: string }>('select email from :schema.identity_user where id = $1', [userId]);
  if (rows[0]) await mailer.queue(tx, { kind: 'sign-in-changed', to: rows[0].email, values: { what } });
}
