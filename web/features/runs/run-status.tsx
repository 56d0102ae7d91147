import { Badge } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import type { RunStatus } from './queries.ts';
import { statusNames, statusNews } from './strings.ts';

const COLORS = {
  queued: 'gray',
  running: 'yellow',
  completed: 'pine',
  failed: 'red',
  aborted: 'gray',
} as const satisfies Record<RunStatus, string>;

export function RunStatusBadge({ status }: { status: RunStatus }): ReactElement {
  return <Badge color={COLORS[status]}>{statusNames[status]}</Badge>;
}

/** What a screen reader is told: nothing at first, then each change of the status. */
export function useStatusNews(status: RunStatus | undefined): string {
  const [seen, setSeen] = useState(status);
  const [news, setNews] = useState('');
  if (status !== seen) {
    setSeen(status);
    if (seen !== undefined && status !== undefined) setNews(statusNews[status]);
  }
  return news;
}
