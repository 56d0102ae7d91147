// A cron line of five fields. The library reads it and counts on a clock without changes; what a clock change does to the
// times is decided here, by the rule that docs/users/schedules.md states: a line that names hours means local times, so a
// skipped one comes at the first moment after the gap and a repeated one once; a line for every hour follows real time.
import { Cron } from 'croner';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import { findChange, offsetAt } from './zone-clock.ts';

const FIVE_FIELDS = /^\S+(?: +\S+){4}$/;
const EVERY_HOUR = /^(?:\*(?:\/1)?|0-23)$/;
/** Longer than any local time is repeated after a clock change. */
const LONGEST_REPEAT_MS = 26 * 3_600_000;
const MOST_LINES = 1_000;

interface CronLine {
  readonly cron: Cron;
  readonly namesHours: boolean;
}

const lines = createBoundedMap<string, CronLine>(MOST_LINES);

export type CronFault = 'not_cron' | 'fields' | 'never';

/** Why a line cannot be a schedule; undefined for one that can. */
export function findCronFault(text: string): CronFault | undefined {
  if (!FIVE_FIELDS.test(text)) return 'fields';
  try {
    return nextOnClock(readLine(text), Date.now()) === undefined ? 'never' : undefined;
  } catch {
    return 'not_cron';
  }
}

function readLine(text: string): CronLine {
  const known = lines.get(text);
  if (known) return known;
  // A question mark would be the moment at which the line is read.
  if (text.includes('?')) throw new TypeError('a question mark is not part of a cron line');
  const line = {
    cron: new Cron(text, { timezone: 'UTC', mode: '5-part', paused: true }),
    namesHours: !EVERY_HOUR.test(text.split(/ +/)[1] ?? ''),
  };
  lines.set(text, line);
  return line;
}

function nextOnClock({ cron }: CronLine, localMs: number): number | undefined {
  return cron.nextRun(new Date(localMs))?.getTime();
}

/** The first time of the line after a moment. */
export function nextCronTime(text: string, zone: string, afterMs: number): number | undefined {
  const line = readLine(text);
  let after = afterMs;
  let local = localAfter(line, zone, afterMs);
  for (;;) {
    const next = nextOnClock(line, local);
    if (next === undefined) return undefined;
    const candidate = next - offsetAt(zone, after);
    const change = findChange(zone, after, candidate);
    if (!change) return candidate;
    if (line.namesHours && next < change.toLocalMs) return change.atMs;
    after = change.atMs;
    local = (line.namesHours ? Math.max(change.fromLocalMs, change.toLocalMs) : change.toLocalMs) - 1;
  }
}

/** The local time after which to go on. In an hour that is repeated, that is the end of the hour: its times have been. */
function localAfter({ namesHours }: CronLine, zone: string, atMs: number): number {
  const local = atMs + offsetAt(zone, atMs);
  const change = namesHours ? findChange(zone, atMs - LONGEST_REPEAT_MS, atMs) : undefined;
  return change && local < change.fromLocalMs ? change.fromLocalMs - 1 : local;
}
