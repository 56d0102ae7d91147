// Reads a cron line for its sentence. A line with something that has no plain words is left as it is.
export interface CronReading {
  readonly times:
    | { readonly at: readonly string[] }
    | { readonly everyMinutes: number }
    | { readonly minutes: readonly number[] };
  /** 0 is Sunday; empty for every day. */
  readonly weekdays: readonly number[];
  readonly days: readonly number[];
  /** 1 is January; empty for every month. */
  readonly months: readonly number[];
}

const MOST_TIMES = 6;
const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTH_NAMES = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const FIELDS = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: MONTH_NAMES },
  { from: 0, to: 7, names: DAY_NAMES },
] as const satisfies readonly Field[];

export function readCron(line: string): CronReading | undefined {
  const parts = line.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return undefined;
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) => readField(parts[at] ?? '', field));
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const times = readTimes(parts, minutes, hours);
  return times && { times, days, months, weekdays: [...new Set(weekdays.map((day) => day % 7))].toSorted(byWeek) };
}

function readTimes(
  [minute = '', hour = '']: readonly string[],
  minutes: readonly number[],
  hours: readonly number[],
): CronReading['times'] | undefined {
  const everyHour = hour === '*';
  if (everyHour && minute === '*') return { everyMinutes: 1 };
  const step = Number(/^\*\/(\d+)$/.exec(minute)?.[1]);
  // A step that does not divide the hour begins again with each.
  if (everyHour && step > 0 && 60 % step === 0) return { everyMinutes: step };
  if (minute === '*' || minutes.length * (everyHour ? 1 : hours.length) > MOST_TIMES) return undefined;
  if (everyHour) return { minutes };
  return { at: hours.flatMap((one) => minutes.map((past) => `${two(one)}:${two(past)}`)) };
}

const two = (value: number): string => String(value).padStart(2, '0');
/** Weeks begin on Monday. */
const byWeek = (a: number, b: number): number => ((a + 6) % 7) - ((b + 6) % 7);

/** Empty for all values; undefined for what is not read here. */
function readField(text: string, { from, to, names = [] }: Field): number[] | undefined {
  if (text === '*') return [];
  const found = new Set<number>();
  for (const piece of text.split(',')) {
    const [, first = '', last, step] = /^([\dA-Z]+|\*)(?:-([\dA-Z]+))?(?:\/(\d+))?$/i.exec(piece) ?? [];
    const low = first === '*' ? from : valueOf(first, names);
    const high = last !== undefined ? valueOf(last, names) : first === '*' || step !== undefined ? to : low;
    if (Number.isNaN(low) || Number.isNaN(high) || low < from || high > to || low > high || step === '0')
      return undefined;
    for (let value = low; value <= high; value += Number(step ?? 1)) found.add(value);
  }
  return [...found].toSorted((a, b) => a - b);
}

function valueOf(text: string, names: readonly string[]): number {
  if (/^\d+$/.test(text)) return Number(text);
  const named = names.indexOf(text.toUpperCase());
  return named === -1 || text === '' ? Number.NaN : named;
}

/** Whether these weekdays follow one another, so that the first and the last say it. */
export function isRun(weekdays: readonly number[]): boolean {
  return weekdays.length > 2 && weekdays.every((day, at) => at === 0 || byWeek(day, weekdays[at - 1] ?? 0) === 1);
}
