// Numbers, money, dates, durations, plurals and lists, as the language of the page writes them. Nothing else in the app
// calls `Intl` or `toLocaleString`.
import { LANGUAGE, LOCALE } from './language.ts';

const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(LOCALE, options);
const number = (options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(LOCALE, options);

const whole = number();
const decimal = number({ maximumFractionDigits: 1 });
const oneDecimal = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const compact = number({ notation: 'compact' });

export const formatNumber = (value: number): string => whole.format(value);
/** Such as 400K. */
export const formatCompact = (value: number): string => compact.format(value);

const usd = { style: 'currency', currency: 'USD' } as const;
const cents = number(usd);
const fractions = number({ ...usd, maximumFractionDigits: 6 });
const twoDigits = number({ ...usd, maximumSignificantDigits: 2 });

/** Less than ten cents to the millionth: for single requests, which may cost a fraction of a cent, and for scales. */
export const formatExactCost = (amount: number): string =>
  amount !== 0 && Math.abs(amount) < 0.1 ? fractions.format(amount) : cents.format(amount);
/** In dollars and cents; less than a cent with two significant digits. */
export const formatCost = (amount: number): string =>
  amount > 0 && amount < 0.01 ? twoDigits.format(amount) : cents.format(amount);
/** With two significant digits. */
export const formatSmallCost = (amount: number): string => twoDigits.format(amount);

/** The value of a progress bar: in per cent, with one decimal, because its attribute must not have an exponent. */
export const toPercent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10;

/** An amount to be edited, in the form that `parseAmount` reads. */
export const editAmount = (amount: number): string =>
  LANGUAGE === 'de' ? String(amount).replace('.', ',') : String(amount);

/** An amount as a person types it; NaN if it is none. German writes 1.234,5. */
export function parseAmount(text: string): number {
  const typed = text.trim();
  if (LANGUAGE !== 'de') return Number(typed);
  const plain = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(typed) ? typed.replaceAll('.', '') : typed;
  return Number(plain.replace(',', '.'));
}

const DATES = {
  /** To the minute. */
  moment: date({ dateStyle: 'medium', timeStyle: 'short' }),
  /** To the second. */
  second: date({ dateStyle: 'medium', timeStyle: 'medium' }),
  /** In full, with the time zone. */
  exact: date({ dateStyle: 'full', timeStyle: 'long' }),
  fullSecond: date({ dateStyle: 'full', timeStyle: 'medium' }),
  /** The time of day, to the minute. */
  time: date({ timeStyle: 'short' }),
  /** The time of day, to the second. */
  clock: date({ timeStyle: 'medium' }),
  day: date({ dateStyle: 'medium' }),
  dayOfYear: date({ day: 'numeric', month: 'short' }),
};

export const formatDate = (value: Date | string, style: keyof typeof DATES): string =>
  DATES[style].format(typeof value === 'string' ? new Date(value) : value);

const utcDay = date({ dateStyle: 'medium', timeZone: 'UTC' });
const utcMonth = date({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day in UTC, as the server counts usage: `2026-03-01`. */
export const formatDay = (day: string): string => (day === '' ? '' : utcDay.format(new Date(day)));
/** A month in UTC: `2026-03`. */
export const formatMonth = (month: string): string => utcMonth.format(new Date(month));

const weekdays = date({ weekday: 'long', timeZone: 'UTC' });
const months = date({ month: 'long', timeZone: 'UTC' });

/** 0 is Sunday. */
export const weekdayName = (day: number): string => weekdays.format(Date.UTC(2023, 0, 1 + day));
/** 1 is January. */
export const monthName = (month: number): string => months.format(Date.UTC(2023, month - 1, 1));

const relative = new Intl.RelativeTimeFormat(LOCALE, { style: 'short', numeric: 'always' });

/** Such as "5 min. ago". */
export const formatAgo = (count: number, unit: 'minute' | 'hour'): string => relative.format(-count, unit);

const rules = new Intl.PluralRules(LOCALE);

/** The form for this number; `#` in it stands for the number. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  const rule = rules.select(count);
  return (rule === 'one' ? forms.one : forms.other).replaceAll('#', formatNumber(count));
}

const all = new Intl.ListFormat(LOCALE);

/** Such as "memory, processes and CPU". */
export const formatList = (items: readonly string[]): string => all.format(items);

/** German keeps a number and its unit on one line. */
const GAP = LANGUAGE === 'de' ? '\u00a0' : ' ';
const unit = (value: string, symbol: string): string => `${value}${GAP}${symbol}`;

/** In seconds; from a minute on with the next larger unit. The symbols are those of the SI, in every language. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 60) return unit(`${seconds}`, 's');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${unit(`${minutes}`, 'min')} ${unit(`${seconds % 60}`, 's')}`
    : `${unit(formatNumber(Math.floor(minutes / 60)), 'h')} ${unit(`${minutes % 60}`, 'min')}`;
}

/** A step's time: exact where it is short. */
export function formatStepTime(ms: number): string {
  if (ms < 1_000) return unit(`${Math.round(ms)}`, 'ms');
  return ms < 60_000 ? unit(oneDecimal.format(ms / 1_000), 's') : formatDuration(ms);
}

const SIZES = ['B', 'kB', 'MB', 'GB'] as const;

/** The size of a file, in powers of ten. */
export function formatSize(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return unit(decimal.format(bytes / 1000 ** power), SIZES[power] ?? '');
}

const BINARY_SIZES = [LANGUAGE === 'de' ? 'Byte' : 'bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** In powers of two, in the largest unit with a value of at least one. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BINARY_SIZES.length - 1, Math.floor(Math.log2(bytes) / 10));
  // 1023.97 KiB would be shown as 1,024 KiB.
  const [amount, at] =
    Math.round((bytes / 1024 ** step) * 10) >= 10_240 && step < BINARY_SIZES.length - 1
      ? [1, step + 1]
      : [bytes / 1024 ** step, step];
  return unit(decimal.format(amount), BINARY_SIZES[at] ?? '');
}
