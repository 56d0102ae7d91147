import { AppError } from '../../base/errors.ts';
import type { GuessLimit } from '../passwords/guess-limit.ts';
import { acceptCode, type CodeDeps } from './one-time-code-secret.ts';
import { takeRecoveryCode } from './recovery-codes.ts';

export interface GivenFactor {
  readonly user: { readonly id: string; readonly email: string };
  /** A one-time code or a recovery code; either works once. */
  readonly code: string;
  /** The key for rate limits. */
  readonly network: string;
  /** Whether it is probably the account's owner. */
  readonly known: boolean;
}

/** Wrong codes count as wrong passwords do. Throws `invalid_code`, `rate_limited`. */
export function giveSecondFactor(
  deps: CodeDeps & { readonly guesses: GuessLimit },
  { user, code, network, known }: GivenFactor,
): Promise<void> {
  return deps.guesses.guard({ email: user.email, network, known }, async () => {
    const isRight =
      (await acceptCode(deps, { userId: user.id, code, confirmed: true })) ||
      (await takeRecoveryCode(deps.db, user.id, code));
    if (!isRight) throw new AppError('invalid_code');
  });
}
