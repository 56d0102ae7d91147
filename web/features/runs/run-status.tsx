import { Badge } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import type { RunView, RunStatus } from './queries.ts';
import { statusNames, statusNews } from './strings.ts';
import { formatDuration } from '../../language/format.ts';

const COLORS = {
  queued: 'gray',
  running: 'yellow',
  completed: 'pine',
  failed: 'red',
  aborted: 'gray',
} as const satisfies Record<RunStatus, string>;
const TICK_MS = 1_000;

export function RunStatusBadge({ status }: { status: RunStatus }): ReactElement {
  return <Badge color={COLORS[status]}>{statusNames[status]}</Badge>;
}

/** The text for screen readers: empty at first, then each change of the status. */
export function useStatusNews(status: RunStatus | undefined): string {
  const [seen, setSeen] = useState(status);
  const [news, setNews] = useState('');
  if (status !== seen) {
    setSeen(status);
    if (seen !== undefined && status !== undefined) setNews(statusNews[status]);
  }
  return news;
}

/** How long a run took, or has been running. Not announced: it changes every second. */
export function Elapsed({
  run: { startedAt, endedAt },
}: {
  run: Pick<RunView, 'startedAt' | 'endedAt'>;
}): ReactElement | null {
  const now = useNow(startedAt !== undefined && endedAt === undefined);
  if (startedAt === undefined) return null;
  return (
    <span className="elapsed">
      {formatDuration((endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt))}
    </span>
  );
}

function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
