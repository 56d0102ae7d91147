import { formatDate } from '../../language/format.ts';
import type { ScheduleView } from './queries.ts';
import { describeCron, scheduleStrings as strings } from './strings.ts';

/** When it starts its runs, in words where there are some. */
export function describeTimes({ cron, timezone, every, at }: ScheduleView): string {
  if (cron !== undefined) return `${describeCron(cron) ?? cron} (${timezone ?? ''})`;
  if (every !== undefined) return strings.everySeconds(every);
  return at === undefined ? '' : strings.once(formatDate(at, 'moment'));
}
