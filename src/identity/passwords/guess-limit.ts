// Limits guesses of passwords and codes. Strangers share one small allowance per account across all addresses, so guessing from many
// addresses is stopped like guessing from one. A browser that has signed in to the account before carries a marker
// cookie and uses a separate allowance: strangers who use theirs up lock the person out of new browsers for 15 minutes,
// but never out of known ones.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { THIS_MACHINE } from '../../net/caller-network.ts';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { type AttemptLimit, createAttemptLimit } from '../../timing/rate-limit.ts';
import type { IdentitySettings } from '../identity-settings.ts';
import { COOKIE_PREFIX, findCookie, writeCookie } from '../sessions/session-cookie.ts';

const WINDOW_MS = 15 * 60_000;
export const WRONG_GUESSES = {
  byStrangers: 10,
  byKnownBrowsers: 20,
  fromOneNetwork: 100,
  fromThisMachine: 1_000,
} as const;
const WRONG: ReadonlySet<string> = new Set(['invalid_credentials', 'invalid_code'] satisfies ErrorCode[]);
const MARK_DAYS = 365;

interface Guess {
  readonly email: string;
  /** From `callerNetwork`. */
  readonly network: string;
  /** Whether it is probably the account's owner: they have a session, or the browser carries the marker. */
  readonly known: boolean;
}

export interface GuessLimit {
  /**
   * Runs `check`, which throws `invalid_credentials` or `invalid_code` for a wrong guess. A guess counts from the start, so concurrent
   * guesses cannot get around the limit; one that was not wrong is given back. Throws `rate_limited` without checking.
   */
  guard<T>(guess: Guess, check: () => Promise<T>): Promise<T>;
}

export function createGuessLimit(nowMs: () => number = Date.now): GuessLimit {
  const allow = (max: number): AttemptLimit => createAttemptLimit({ max, windowMs: WINDOW_MS, nowMs });
  const [byStrangers, byKnownBrowsers, fromOneNetwork, fromThisMachine] = [
    allow(WRONG_GUESSES.byStrangers),
    allow(WRONG_GUESSES.byKnownBrowsers),
    allow(WRONG_GUESSES.fromOneNetwork),
    allow(WRONG_GUESSES.fromThisMachine),
  ];
  return {
    async guard({ email, network, known }, check) {
      const allowances: [AttemptLimit, string][] = [
        [network === THIS_MACHINE ? fromThisMachine : fromOneNetwork, network],
        [known ? byKnownBrowsers : byStrangers, email],
      ];
      const giveBack = (): void => allowances.forEach(([limit, key]) => limit.giveBack(key));
      const waits = allowances.map(([limit, key]) => limit.take(key)).filter((seconds) => seconds !== undefined);
      if (waits.length > 0) {
        giveBack();
        throw new AppError('rate_limited', { retryAfterSeconds: Math.max(...waits) });
      }
      try {
        const result = await check();
        giveBack();
        return result;
      } catch (error) {
        if (!(error instanceof AppError && WRONG.has(error.code))) giveBack();
        throw error;
      }
    },
  };
}

type Signing = Pick<IdentitySettings, 'authSecret' | 'publicUrl'>;

/** For a browser that has just signed in. Neither name nor value reveals the account. */
export function markBrowser(email: string, path: string, signing: Signing): string {
  return writeCookie(
    { name: markName(email, signing), value: mark('value', email, signing), path, lifeSeconds: MARK_DAYS * 86_400 },
    signing,
  );
}

export function isMarked(cookieHeader: string | null, email: string, signing: Signing): boolean {
  const given = Buffer.from(cookieHeader === null ? '' : (findCookie(cookieHeader, markName(email, signing)) ?? ''));
  const expected = Buffer.from(mark('value', email, signing));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function markName(email: string, signing: Signing): string {
  return `${COOKIE_PREFIX}.known_${mark('name', email, signing).slice(0, 16)}`;
}

function mark(what: 'name' | 'value', email: string, { authSecret }: Signing): string {
  return createHmac('sha256', authSecret).update(`known-browser/v1\0${what}\0${email}`).digest('hex');
}
