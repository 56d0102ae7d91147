import { type ReactElement, useEffect, useState } from 'react';
import type { Run } from './queries.ts';
import { showDuration } from './show-duration.ts';

const TICK_MS = 1_000;

/** How long a run took, or has been at it so far. Not read out: it changes every second. */
export function Elapsed({
  run: { startedAt, endedAt },
}: {
  run: Pick<Run, 'startedAt' | 'endedAt'>;
}): ReactElement | null {
  const now = useNow(startedAt !== undefined && endedAt === undefined);
  if (startedAt === undefined) return null;
  return (
    <span className="elapsed">
      {showDuration((endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt))}
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
