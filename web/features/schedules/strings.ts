import type { CatchUp, FiringOutcome, Overlap } from '../../../src/contract/standing/schedules.ts';
import { formatList, formatNumber, monthName, plural, weekdayName } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';
import { isRun, readCron } from './read-cron.ts';

/** Undefined for a line that has no plain words. */
export const describeCron = inLanguage('describeCron', (line: string): string | undefined => {
  const reading = readCron(line);
  if (!reading) return undefined;
  const { times, weekdays, days, months } = reading;
  const first = weekdays[0] ?? 0;
  const when =
    'at' in times
      ? `At ${formatList(times.at)}`
      : 'minutes' in times
        ? `Every hour at minute ${formatList(times.minutes.map(String))}`
        : plural(times.everyMinutes, { one: 'Every minute', other: 'Every # minutes' });
  const onWeekdays = isRun(weekdays)
    ? `${weekdayName(first)} to ${weekdayName(weekdays.at(-1) ?? first)}`
    : `on ${formatList(weekdays.map(weekdayName))}`;
  const onDays = `on day ${formatList(days.map(String))} of the month`;
  const day =
    days.length > 0
      ? weekdays.length > 0
        ? `${onDays} and ${onWeekdays}`
        : onDays
      : weekdays.length > 0
        ? onWeekdays
        : 'every day';
  return [when, day, ...(months.length > 0 ? [`in ${formatList(months.map(monthName))}`] : [])].join(', ');
});

export const overlapNames = inLanguage('overlapNames', {
  skip: 'Skip this time',
  queue: 'Start it anyway',
  abort: 'Abort the last run first',
} satisfies Record<Overlap, string>);

export const catchUpNames = inLanguage('catchUpNames', {
  one: 'One run, for the newest missed time',
  none: 'None',
} satisfies Record<CatchUp, string>);

export const outcomeNames = inLanguage('outcomeNames', {
  started: 'Started',
  skipped: 'Skipped',
  refused: 'Refused',
} satisfies Record<FiringOutcome, string>);

export const skipReasons = inLanguage('skipReasons', {
  still_running: 'The last run had not ended.',
  missed: 'The service was stopped at that time.',
});

export const scheduleStrings = inLanguage('scheduleStrings', {
  title: 'Schedules',
  description: 'A schedule starts a run at planned times, with your access, also while you are away.',
  list: 'Schedules, latest first',
  failed: 'The schedules could not be loaded',
  empty: 'No schedules yet',
  emptyText: 'Have a run start every morning, every hour, or once at a time of your choice.',
  create: 'New schedule',
  createTitle: 'New schedule',
  submit: 'Create schedule',
  created: 'The schedule is on.',
  changed: 'The schedule was changed.',
  objectiveHint: 'Describe the task. Each run knows only what you write here.',
  timing: 'When',
  timings: { cron: 'Cron line', every: 'Interval', at: 'Once' },
  cron: 'Cron line',
  cronHint: 'Minute, hour, day of the month, month, day of the week.',
  noReading: 'See below when it starts.',
  timezone: 'Time zone',
  every: 'Minutes between runs',
  everyInvalid: 'Enter a whole number of minutes.',
  at: 'Date and time',
  atRequired: 'Choose a date and time.',
  everySeconds: (seconds: number): string =>
    seconds % 60 === 0
      ? plural(seconds / 60, { one: 'Every minute', other: 'Every # minutes' })
      : `Every ${formatNumber(seconds)} seconds`,
  once: (moment: string): string => `Once, ${moment}`,
  overlap: 'If the last run has not ended',
  catchUp: 'After the service was stopped',
  nextTimes: 'Next times, in your time zone',
  noTimes: 'It does not start again.',
  pausedTitle: 'This schedule is paused',
  next: 'Next',
  runNow: 'Run now',
  deleteTitle: 'Delete this schedule?',
  deleteText: 'It starts no more runs, and its history is deleted. Runs it has started stay.',
  deleted: 'The schedule was deleted.',
  history: 'History',
  historyText: 'What became of each planned time, for 30 days.',
  historyFailed: 'The history could not be loaded',
  noHistory: 'No times yet',
  noHistoryText: 'None of its times has come yet.',
  details: 'Details',
  notFound: 'Schedule not found',
  notFoundText: 'This schedule does not exist, or you may not see it.',
  back: 'All schedules',
});
