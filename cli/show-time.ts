const UNITS = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
/** Beyond this, a date says more than a number of days. */
const MOST_DAYS = 30;

/** Turns an ISO timestamp into "5 minutes ago" or "in 3 days", or into local time to the minute. */
export function showTime(cell: string, absolute: boolean, nowMs: number): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(cell)) return cell;
  const at = new Date(cell);
  const seconds = Math.round((nowMs - at.getTime()) / 1_000);
  const away = Math.abs(seconds);
  if (absolute || away >= MOST_DAYS * 86_400) return localTime(at);
  if (away < 60) return seconds >= 0 ? 'just now' : 'in a moment';
  const [unit, size] = UNITS.findLast(([, least]) => away >= least) ?? UNITS[0];
  const count = Math.floor(away / size);
  const amount = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds >= 0 ? `${amount} ago` : `in ${amount}`;
}

function localTime(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
