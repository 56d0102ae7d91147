// What the form of a schedule holds, and how it becomes what is sent.
import type { FormErrors } from '@mantine/form';
import type { CatchUp, Overlap } from '../../../src/contract/standing/schedules.ts';
import type { StandingValues } from '../runs/standing/standing-form.tsx';
import type { ScheduleView, Times } from './queries.ts';
import { scheduleStrings as strings } from './strings.ts';

type TimingValues = {
  timing: 'cron' | 'every' | 'at';
  cron: string;
  timezone: string;
  /** Minutes. */
  every: string;
  /** As the browser's field for a local date and time has it. */
  at: string;
};

export type ScheduleValues = StandingValues & TimingValues & { overlap: Overlap; catchUp: CatchUp };

export function toTimingValues(schedule: ScheduleView | undefined): TimingValues {
  const { cron, timezone, every, at } = schedule ?? {};
  return {
    timing: every !== undefined ? 'every' : at !== undefined ? 'at' : 'cron',
    cron: cron ?? '0 9 * * 1-5',
    timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    every: every === undefined ? '60' : String(every / 60),
    at: at === undefined ? '' : toLocalField(new Date(at)),
  };
}

function toLocalField(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function toTimes({ timing, cron, timezone, every, at }: TimingValues): Times {
  if (timing === 'cron') return { cron: cron.trim(), timezone: timezone.trim() };
  if (timing === 'every') return { every: Math.round(Number(every) * 60) };
  return { at: new Date(at).toISOString() };
}

export function validateTiming({ timing, every, at }: TimingValues): FormErrors {
  if (timing === 'every' && !(Number(every) > 0)) return { every: strings.everyInvalid };
  return timing === 'at' && Number.isNaN(Date.parse(at)) ? { at: strings.atRequired } : {};
}
