// The times of schedules against a slow reference: every minute of the time range, as Intl shows it on the zone's clocks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCronFault } from './cron-line.ts';
import { claimFiring, nextFiring, spreadRoomMs, type Timing } from './next-firing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Around clock changes: an hour, half an hour, two hours, at midnight, none, and a calendar day that was left out. */
const AROUND = [
  ['Europe/Berlin', '2027-03-28T01:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00Z'],
  ['America/New_York', '2027-03-14T07:00Z'],
  ['America/New_York', '2027-11-07T06:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
  ['Antarctica/Troll', '2027-03-28T01:00Z'],
  ['Antarctica/Troll', '2027-10-31T01:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00Z'],
  ['America/Sao_Paulo', '2018-02-18T02:00Z'],
  ['Africa/Casablanca', '2027-02-07T02:00Z'],
  ['Asia/Kathmandu', '2027-01-01T00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['UTC', '2028-02-29T00:00Z'],
] as const;

interface Local {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

interface Shown {
  readonly local: number;
  readonly fields: Local;
}

const clocks = new Map<string, (atMs: number) => Shown>();

/** Reading a clock is slow, and the same minutes are read again and again. */
function clockOf(zone: string): (atMs: number) => Shown {
  const known = clocks.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  const read = new Map<number, Shown>();
  const clock = (atMs: number): Shown => {
    const before = read.get(atMs);
    if (before) return before;
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = format.format(atMs).split(/\D+/).map(Number);
    const local = Date.UTC(year, month - 1, day, hour, minute);
    const shown = { local, fields: fieldsOf(local) };
    read.set(atMs, shown);
    return shown;
  };
  clocks.set(zone, clock);
  return clock;
}

function fieldsOf(local: number): Local {
  const date = new Date(local);
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
  };
}

interface Field {
  readonly text: string;
  readonly holds: (value: number) => boolean;
}

const anything: Field = { text: '*', holds: () => true };
const one = (value: number): Field => ({ text: String(value), holds: (found) => found === value });
const steps = (step: number): Field => ({ text: `*/${step}`, holds: (found) => found % step === 0 });
const list = (values: readonly number[]): Field => ({
  text: values.join(','),
  holds: (found) => values.includes(found),
});
const range = (from: number, to: number): Field => ({
  text: `${from}-${to}`,
  holds: (found) => found >= from && found <= to,
});

const between = (least: number, most: number): fc.Arbitrary<Field> =>
  fc.oneof(
    fc.integer({ min: least, max: most }).map(one),
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 }).map(list),
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
      .map(([a, b]) => range(Math.min(a, b), Math.max(a, b))),
  );

const lineFields = fc.record({
  minute: fc.oneof(between(0, 59), fc.constantFrom(anything, steps(5), steps(30), one(0), one(30))),
  hour: fc.oneof(
    { weight: 3, arbitrary: between(0, 4) },
    { weight: 1, arbitrary: between(0, 23) },
    fc.constantFrom(anything, anything, steps(2)),
  ),
  day: fc.oneof({ weight: 4, arbitrary: fc.constant(anything) }, { weight: 1, arbitrary: between(1, 31) }),
  month: fc.oneof({ weight: 4, arbitrary: fc.constant(anything) }, { weight: 1, arbitrary: between(1, 12) }),
  weekday: fc.oneof({ weight: 4, arbitrary: fc.constant(anything) }, { weight: 1, arbitrary: between(0, 6) }),
});
type Fields = typeof lineFields extends fc.Arbitrary<infer F> ? F : never;

const textOf = (f: Fields): string => [f.minute, f.hour, f.day, f.month, f.weekday].map(({ text }) => text).join(' ');

function matches(f: Fields, local: Local): boolean {
  const [day, weekday] = [f.day.holds(local.day), f.weekday.holds(local.weekday)];
  const days = f.day.text === '*' ? weekday : f.weekday.text === '*' ? day : day || weekday;
  return f.minute.holds(local.minute) && f.hour.holds(local.hour) && f.month.holds(local.month) && days;
}

/** All times within a range. Reading begins earlier, to know what the clocks have shown. */
function slowTimes(f: Fields, zone: string, from: number, until: number): number[] {
  const read = clockOf(zone);
  const namesHours = !['*', '0-23'].includes(f.hour.text);
  const found: number[] = [];
  const start = from - 30 * HOUR;
  let shown = read(start - MINUTE).local;
  for (let at = start; at <= until; at += MINUTE) {
    const { local, fields } = read(at);
    let fires = matches(f, fields) && !(namesHours && local <= shown);
    // The local times that this moment leaves out.
    if (namesHours) for (let gone = shown + MINUTE; gone < local; gone += MINUTE) fires ||= matches(f, fieldsOf(gone));
    if (fires && at >= from) found.push(at);
    shown = Math.max(shown, local);
  }
  return found;
}

function fastTimes(timing: Timing, after: number, until: number): number[] {
  const found: number[] = [];
  for (let at = nextFiring(timing, new Date(after)); at && at.getTime() <= until; at = nextFiring(timing, at))
    found.push(at.getTime());
  return found;
}

describe('the next time of a schedule', () => {
  it('agrees with the clocks of the zone, minute by minute, around every clock change', () => {
    fc.assert(
      fc.property(
        lineFields,
        fc.constantFrom(...AROUND),
        fc.integer({ min: -1_500, max: 300 }),
        (fields, [zone, change], offset) => {
          const cron = textOf(fields);
          fc.pre(findCronFault(cron) === undefined);
          const from = Date.parse(change) + offset * MINUTE;
          const until = from + 40 * HOUR;
          expect(fastTimes({ cron, timezone: zone }, from - 1, until), `${cron} in ${zone}`).toEqual(
            slowTimes(fields, zone, from, until),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is at the first moment after a gap, and once in an hour that is repeated', () => {
    const next = (cron: string, timezone: string, after: string) =>
      nextFiring({ cron, timezone }, new Date(after))?.toISOString();
    expect(next('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z')).toBe('2027-03-28T01:00:00.000Z');
    expect(next('0 2,14 * * *', 'Europe/Berlin', '2027-03-27T20:00Z')).toBe('2027-03-28T01:00:00.000Z');
    expect(next('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z')).toBe('2027-10-31T00:30:00.000Z');
    expect(next('30 2 * * *', 'Europe/Berlin', '2027-10-31T00:30Z')).toBe('2027-11-01T01:30:00.000Z');
    expect(next('*/30 * * * *', 'Europe/Berlin', '2027-10-31T00:30Z')).toBe('2027-10-31T01:00:00.000Z');
    expect(next('0 9 * * *', 'Asia/Kathmandu', '2027-01-01T00:00Z')).toBe('2027-01-01T03:15:00.000Z');
    expect(next('0 0 29 2 *', 'UTC', '2026-03-01T00:00Z')).toBe('2028-02-29T00:00:00.000Z');
  });

  it('knows the lines that are none, have other fields, or never come', () => {
    expect(findCronFault('0 9 * * 1-5')).toBeUndefined();
    expect(findCronFault('0 0 31 2 *')).toBe('never');
    for (const text of ['0 0 9 * * *', '@daily', '9', '* * * *']) expect(findCronFault(text), text).toBe('fields');
    for (const text of ['61 * * * *', '? * * * *', '0 24 * * *', 'a b c d e', '5-1 * * * *', '*/0 * * * *'])
      expect(findCronFault(text), text).toBe('not_cron');
  });
});

const timings = fc.oneof(
  fc.record({
    everySeconds: fc.integer({ min: 60, max: 10_000 }),
    anchor: fc.constant(new Date('2027-03-27T21:00:17.123Z')),
  }),
  fc
    .tuple(lineFields, fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC'))
    .map(([fields, timezone]) => ({ cron: textOf(fields), timezone }))
    .filter(({ cron }) => findCronFault(cron) === undefined),
  fc
    .integer({ min: 1, max: 3_000 })
    .map((minutes) => ({ at: new Date(Date.parse('2027-03-27T20:00Z') + minutes * MINUTE) })),
);

describe('a schedule whose processes stop and die', () => {
  it('starts each time once, and of those that were missed the newest', () => {
    // A claim at each of these moments, by whichever process lives; some die before they say what they have started.
    const claims = fc.array(
      fc.record({
        pauseSeconds: fc.integer({ min: 1, max: 10_000 }),
        dies: fc.constantFrom('no', 'no', 'before', 'after'),
      }),
      {
        minLength: 1,
        maxLength: 25,
      },
    );
    fc.assert(
      fc.property(timings, claims, fc.constantFrom('one', 'none'), (timing, moments, catchUp) => {
        const begin = Date.parse('2027-03-27T20:00Z');
        const all = fastTimes(timing, begin, begin + 3 * 24 * HOUR);
        const started: number[] = [];
        const expected: number[] = [];
        let [planned, firing] = [nextFiring(timing, new Date(begin)), undefined as Date | undefined];
        let now = begin;
        let [told, open] = [begin, false];
        for (const { pauseSeconds, dies } of moments) {
          now += pauseSeconds * 1_000;
          // The reference looks at all times at once. A time stays open until a process lives to record it.
          if (!open) {
            const newest = all.findLast((at) => at <= now && at > told);
            [told, open] = [newest ?? told, newest !== undefined];
          }
          const starts = open && (catchUp === 'one' || now - told <= 120_000);
          if (starts && dies !== 'before' && !expected.includes(told)) expected.push(told);
          if (dies === 'no') open = false;

          if (!planned || planned.getTime() > now) continue;
          const claimed = claimFiring(timing, catchUp, { plannedAt: planned, firingAt: firing }, new Date(now));
          firing = claimed.firingAt;
          const isNew = !started.includes(firing.getTime());
          if (claimed.starts && dies !== 'before' && isNew) started.push(firing.getTime());
          if (dies === 'no') [planned, firing] = [nextFiring(timing, firing), undefined];
        }
        expect(started).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('moves a start within a crowd, but never near the next one', () => {
    expect(spreadRoomMs({ cron: '0 9 * * *', timezone: 'UTC' }, new Date('2027-01-01T09:00Z'))).toBe(40_000);
    expect(spreadRoomMs({ cron: '* * * * *', timezone: 'UTC' }, new Date('2027-01-01T09:00Z'))).toBe(30_000);
    expect(spreadRoomMs({ at: new Date('2027-01-01T09:00Z') }, new Date('2027-01-01T09:00Z'))).toBe(0);
  });
});
