// A password begins a session, or the question for a one-time code. The question has no session: it is a secret that
// this browser keeps for five minutes and that takes five codes.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { makeChallenge, takeChallenge, tryChallenge } from '../factors/challenges.ts';
import { giveSecondFactor } from '../factors/give-second-factor.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { type Account, checkPassword } from '../passwords/check-password.ts';
import type { GuessLimit } from '../passwords/guess-limit.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { beginSession } from '../sessions/begin-session.ts';

export interface SignInDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;
  readonly passwords: Pick<Passwords, 'hashing'>;
  readonly guesses: GuessLimit;
}

/** The browser that signs in. */
export interface Visitor {
  readonly address: string;
  /** The key for rate limits. */
  readonly network: string;
  readonly userAgent: string;
}

export interface SignedIn {
  readonly user: Account;
  /** A `Set-Cookie`. */
  readonly session: string;
  readonly remember: boolean;
}

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
  /** Whether this browser has signed in to the account before. */
  readonly known: boolean;
}

/** Throws `invalid_credentials`, `account_disabled`, `rate_limited`. */
export async function signInByPassword(
  deps: SignInDeps,
  { email, password, remember, known }: PasswordSignIn,
  visitor: Visitor,
): Promise<SignedIn | { readonly question: string }> {
  const { db, clock } = deps;
  const user = await deps.guesses.guard({ email, network: visitor.network, known }, () =>
    checkPassword(deps, { email, password }),
  );
  const { rows } = await db.query<{ asks: boolean; disabled: boolean }>(
    `select u.disabled_at is not null as disabled, exists (select 1 from :schema.identity_one_time_code c
              where c.user_id = u.id and c.confirmed_at is not null) as asks
       from :schema.identity_user u where u.id = $1`,
    [user.id],
  );
  if (rows[0]?.disabled !== false) throw new AppError('account_disabled');
  if (rows[0].asks)
    return { question: await makeChallenge(db, clock, { kind: 'second-factor', userId: user.id, remember }) };
  return begin(deps, { user, remember, secondFactor: false }, visitor);
}

export interface SecondFactorSignIn {
  readonly question: string;
  readonly code: string;
  isKnown(email: string): boolean;
}

/** Throws `challenge_expired`, `invalid_code`, `account_disabled`, `rate_limited`. */
export async function signInBySecondFactor(
  deps: SignInDeps,
  { question, code, isKnown }: SecondFactorSignIn,
  visitor: Visitor,
): Promise<SignedIn> {
  const { db, clock } = deps;
  const asked = { kind: 'second-factor', secret: question } as const;
  const userId = (await tryChallenge(db, clock, asked))?.userId;
  const { rows } = await db.query<{ id: string; name: string; email: string }>(
    'select id, name, email from :schema.identity_user where id = $1',
    [userId ?? null],
  );
  const [user] = rows;
  if (!user) throw new AppError('challenge_expired');
  await giveSecondFactor(deps, { user, code, network: visitor.network, known: isKnown(user.email) });
  const taken = await takeChallenge(db, clock, asked);
  if (!taken) throw new AppError('challenge_expired');
  return begin(deps, { user, remember: taken.remember, secondFactor: true }, visitor);
}

async function begin(
  deps: SignInDeps,
  { user, remember, secondFactor }: { user: Account; remember: boolean; secondFactor: boolean },
  { address, userAgent }: Visitor,
): Promise<SignedIn> {
  const start = { userId: user.id, method: 'password', secondFactor, address, userAgent, remember } as const;
  return { user, remember, session: await beginSession(deps, start) };
}
