// What the clocks of a zone show, from the zone data of this Node. A local time is written as the moment at which a clock
// in UTC shows it, so that both are numbers of milliseconds.
import { createBoundedMap } from '../../timing/bounded-cache.ts';

const FIELDS = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;
const MOST_ZONES = 700;
const DAY_MS = 86_400_000;
/** Shorter than any zone keeps an offset. */
const STEP_MS = 5 * DAY_MS;

const formats = createBoundedMap<string, Intl.DateTimeFormat>(MOST_ZONES);

/** Undefined for what is not the name of a zone; an offset is not one. */
export function findZone(name: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(name);
  if (known) return known;
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(name, format);
    return format;
  } catch {
    return undefined;
  }
}

/** Local time minus UTC, in milliseconds. */
export function offsetAt(zone: string, atMs: number): number {
  const second = Math.floor(atMs / 1_000) * 1_000;
  const [, month, day, year, hour, minute, seconds] = FIELDS.exec(findZone(zone)?.format(second) ?? '') ?? [];
  if (year === undefined) throw new RangeError(`no clock for the zone ${zone}`);
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(seconds));
  return local - second;
}

export interface ClockChange {
  /** The first moment with the new offset. */
  readonly atMs: number;
  /** What clocks would show at that moment without the change, and what they do show. */
  readonly fromLocalMs: number;
  readonly toLocalMs: number;
}

/** The first change after one moment, up to and including another. */
export function findChange(zone: string, afterMs: number, untilMs: number): ClockChange | undefined {
  const offset = offsetAt(zone, afterMs);
  for (let low = afterMs; low < untilMs;) {
    const high = Math.min(low + STEP_MS, untilMs);
    if (offsetAt(zone, high) !== offset) return narrow(zone, offset, low, high);
    low = high;
  }
  return undefined;
}

/** Clocks change on whole seconds. */
function narrow(zone: string, offset: number, lowMs: number, highMs: number): ClockChange {
  let [low, high] = [Math.floor(lowMs / 1_000), Math.floor(highMs / 1_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === offset) low = middle;
    else high = middle;
  }
  const atMs = high * 1_000;
  return { atMs, fromLocalMs: atMs + offset, toLocalMs: atMs + offsetAt(zone, atMs) };
}
