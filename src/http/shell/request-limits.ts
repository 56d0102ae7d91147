// Requests per minute of one network (base/caller-network.ts). They leave room for an office behind one address and
// only bound what strangers can make the service do: passwords are protected by the limit on wrong guesses
// (identity/guess-limit.ts), the machine by the cost class `hashing` (http/shell/cost-classes.ts).
import { THIS_MACHINE } from '../../base/caller-network.ts';
import { AppError } from '../../base/errors.ts';
import { createAttemptLimit, type RateLimit } from '../../timing/rate-limit.ts';

const PER_MINUTE = {
  'sign-up': 60,
  'sign-in': 120,
  password: 30,
  account: 600,
  'device-code': 120,
  'device-answer': 120,
  'oauth-register': 60,
  'oauth-authorize': 300,
  'oauth-token': 600,
} as const satisfies Record<string, number>;

/** Local callers are not strangers, and a local proxy that is not configured as trusted stands for all its visitors. */
const MORE_FROM_THIS_MACHINE = 10;

export type LimitName = keyof typeof PER_MINUTE;

export interface RequestLimits {
  /** Throws `rate_limited`. */
  check(name: LimitName, network: string): void;
}

export function createRequestLimits(): RequestLimits {
  const make = (times: number) =>
    new Map<string, RateLimit>(
      Object.entries(PER_MINUTE).map(([name, max]) => [
        name,
        createAttemptLimit({ max: max * times, windowMs: 60_000 }),
      ]),
    );
  const [fromElsewhere, fromHere] = [make(1), make(MORE_FROM_THIS_MACHINE)];
  return {
    check: (name, network) =>
      refuseWhile((network === THIS_MACHINE ? fromHere : fromElsewhere).get(name)?.take(network)),
  };
}

export function refuseWhile(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds });
}
