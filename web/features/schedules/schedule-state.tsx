import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatDate } from '../../language/format.ts';
import type { ScheduleView } from './queries.ts';
import { describeCron, scheduleStrings as strings } from './strings.ts';

export function StateBadge({ schedule }: { schedule: ScheduleView }): ReactElement {
  const [text, color] =
    schedule.paused !== undefined
      ? [strings.paused, 'red']
      : schedule.enabled
        ? [strings.on, 'pine']
        : [strings.off, 'gray'];
  return (
    <Badge variant="light" color={color}>
      {text}
    </Badge>
  );
}

/** When it starts its runs, in words where there are some. */
export function describeTimes({ cron, timezone, every, at }: ScheduleView): string {
  if (cron !== undefined) return `${describeCron(cron) ?? cron} (${timezone ?? ''})`;
  if (every !== undefined) return strings.everySeconds(every);
  return at === undefined ? '' : strings.once(formatDate(at, 'moment'));
}
