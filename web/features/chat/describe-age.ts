import { timeStrings as strings } from './strings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const relative = new Intl.RelativeTimeFormat(undefined, { style: 'short', numeric: 'always' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const year = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Minutes and hours for today, then the day. */
export function describeAge(date: Date, now: number): string {
  const age = now - date.getTime();
  if (age < MINUTE_MS) return strings.now;
  if (age < HOUR_MS) return relative.format(-Math.floor(age / MINUTE_MS), 'minute');
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (date.getTime() >= today) return relative.format(-Math.floor(age / HOUR_MS), 'hour');
  if (date.getTime() >= today - DAY_MS) return strings.yesterday(time.format(date));
  return (date.getFullYear() === new Date(now).getFullYear() ? day : year).format(date);
}
