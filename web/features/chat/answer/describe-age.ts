import { timeStrings as strings } from '../strings.ts';
import { formatAgo, formatDate } from '../../../language/format.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Minutes and hours for today, then the day. */
export function describeAge(date: Date, now: number): string {
  const age = now - date.getTime();
  if (age < MINUTE_MS) return strings.now;
  if (age < HOUR_MS) return formatAgo(Math.floor(age / MINUTE_MS), 'minute');
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (date.getTime() >= today) return formatAgo(Math.floor(age / HOUR_MS), 'hour');
  if (date.getTime() >= today - DAY_MS) return strings.yesterday(formatDate(date, 'time'));
  return formatDate(date, date.getFullYear() === new Date(now).getFullYear() ? 'dayOfYear' : 'day');
}
