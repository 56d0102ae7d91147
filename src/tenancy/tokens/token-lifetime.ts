// How long a token may live. A named token lives 1 to 365 days, and anything else is refused; an unnamed one is
// short-lived, so a longer lifetime is cut to 15 minutes, as `expiresAt` in the response shows.
import { AppError } from '../../base/errors.ts';

const DAY = 86_400;
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: DAY } as const;
const NAMED = { fallback: 30 * DAY, min: DAY, max: 365 * DAY, maxDays: 365 } as const;
const UNNAMED_MAX = 15 * 60;

/** `expiresIn` is seconds; days when the token is named and the number is 365 or less; or text: "30d", "12h", "15m". */
export function lifetimeSeconds(expiresIn: number | string | undefined, named: boolean): number {
  if (!named) return expiresIn === undefined ? UNNAMED_MAX : Math.min(secondsOf(expiresIn), UNNAMED_MAX);
  if (expiresIn === undefined) return NAMED.fallback;
  const seconds = typeof expiresIn === 'number' && expiresIn <= NAMED.maxDays ? expiresIn * DAY : secondsOf(expiresIn);
  return seconds >= NAMED.min && seconds <= NAMED.max ? seconds : refuse('must be 1 to 365 days for a named token');
}

const OVERLAP = { fallback: 3_600, max: 7 * DAY } as const;

/** How long a token works after it was replaced. */
export function overlapSeconds(overlap: string | undefined): number {
  if (overlap === undefined) return OVERLAP.fallback;
  const [, count, unit] = /^(\d{1,8})([smhd])$/.exec(overlap) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS] ?? Number.NaN);
  if (!(seconds <= OVERLAP.max))
    throw new AppError('invalid_request', { overlap: 'takes text such as "1h", at most "7d"' });
  return seconds;
}

function secondsOf(expiresIn: number | string): number {
  const [, count, unit] = /^(\d{1,8})([smhd])$/.exec(typeof expiresIn === 'number' ? `${expiresIn}s` : expiresIn) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS] ?? Number.NaN);
  return seconds > 0 ? seconds : refuse('takes a number of seconds or text such as "30d", "12h", "15m"');
}

function refuse(reason: string): never {
  throw new AppError('invalid_request', { expiresIn: reason });
}
