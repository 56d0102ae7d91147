// Whether an account may be created. Every refusal is the same, so that a stranger cannot tell whether an invitation
// exists, has ended or is addressed to someone else.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { SignUpRules } from './sign-up-rules.ts';

export interface NewPerson {
  readonly email: string;
  /** The id in the invitation's link. */
  readonly invitation?: string | undefined;
}

export async function requireSignUp(
  db: Queryable,
  clock: Clock,
  signUp: SignUpRules['signUp'],
  { email, invitation }: NewPerson,
): Promise<void> {
  if (signUp === 'open') return;
  if (signUp === 'invited' && invitation !== undefined && (await isInvited(db, clock, email, invitation))) return;
  throw new AppError('sign_up_closed');
}

async function isInvited(db: Queryable, clock: Clock, email: string, invitation: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from :schema.invitation where id = $1 and email = $2 and accepted_at is null and expires_at > $3',
    [invitation, email, clock()],
  );
  return rowCount > 0;
}
