// The connections of a workspace as they change, for somebody who may see them: before a list is told it is asked again
// whether they still may.
import type { Listener } from '../store/listen.ts';
import type { Connection, Scope } from './connection-types.ts';
import { CONNECTIONS_TOPIC } from './notify-change.ts';

export interface WatchOptions {
  readonly listener: Listener;
  readonly scope: Scope;
  readonly look: () => Promise<readonly Connection[]>;
  /** Asked between a look and its telling; the watch ends where the reader may no longer see the list. */
  readonly mayTell: () => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Looks again after this long even when nothing was heard. */
  readonly lookEveryMs: number;
}

/** The whole list at first and after every change; `undefined` after a quiet while. */
export async function* watchConnections({
  listener,
  scope,
  look,
  mayTell,
  signal,
  lookEveryMs,
}: WatchOptions): AsyncGenerator<readonly Connection[] | undefined> {
  let heard = true;
  let wake = (): void => {};
  const unsubscribe = listener.subscribe(
    CONNECTIONS_TOPIC,
    () => {
      heard = true;
      wake();
    },
    scope.workspaceId,
  );
  signal.addEventListener('abort', () => wake(), { once: true });
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      heard = false;
      const connections = await look();
      const now = fingerprintOf(connections);
      if (now !== last && !(await mayTell())) return;
      yield now === last ? undefined : connections;
      last = now;
      await quiet();
    }
  } finally {
    unsubscribe();
  }

  function quiet(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (heard || signal.aborted) wake();
    });
  }
}

function fingerprintOf(connections: readonly Connection[]): string {
  return JSON.stringify(
    connections.map(({ id, status, reason, updatedAt, policy }) => [id, status, reason, updatedAt, policy]),
  );
}
