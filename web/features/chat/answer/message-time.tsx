import { Text } from '@mantine/core';
import { type ReactElement, useSyncExternalStore } from 'react';
import { describeAge } from './describe-age.ts';
import { formatDate } from '../../../language/format.ts';

/** All times on the page change together, once a minute. */
const TICK_MS = 60_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const readNow = (): number => now;

/** How long ago; the tooltip has the exact time. */
export function MessageTime({ at }: { at: string }): ReactElement {
  const seen = useSyncExternalStore(subscribe, readNow, readNow);
  const date = new Date(at);
  // A message may be newer than the last tick.
  return (
    <Text
      component="time"
      size="xs"
      c="dimmed"
      className="message-time"
      dateTime={at}
      title={formatDate(date, 'fullSecond')}
    >
      {describeAge(date, Math.max(seen, date.getTime()))}
    </Text>
  );
}
