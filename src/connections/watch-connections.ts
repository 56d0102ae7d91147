// The connections of a workspace as they change. Access is checked again before every list that is sent.
import type { Listener } from '../store/listen.ts';
import type { Connection } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspace-ref.ts';
import { CONNECTIONS_TOPIC } from './notify-change.ts';

export interface WatchOptions {
  readonly listener: Listener;
  readonly ref: WorkspaceRef;
  readonly look: () => Promise<readonly Connection[]>;
  /** Checked between reading a list and sending it; the watch ends once the reader has lost access. */
  readonly mayTell: () => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Reads again after this long even without a notification. */
  readonly lookEveryMs: number;
}

/** The whole list at first and after every change; `undefined` if an interval passed without one. */
export async function* watchConnections({
  listener,
  ref: scope,
  look,
  mayTell,
  signal,
  lookEveryMs,
}: WatchOptions): AsyncGenerator<readonly Connection[] | undefined> {
  let notified = true;
  let wake = (): void => {};
  const unsubscribe = listener.subscribe(
    CONNECTIONS_TOPIC,
    () => {
      notified = true;
      wake();
    },
    scope.workspaceId,
  );
  signal.addEventListener('abort', () => wake(), { once: true });
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      notified = false;
      const connections = await look();
      const now = fingerprintOf(connections);
      if (now !== last && !(await mayTell())) return;
      yield now === last ? undefined : connections;
      last = now;
      await nextChange();
    }
  } finally {
    unsubscribe();
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (notified || signal.aborted) wake();
    });
  }
}

function fingerprintOf(connections: readonly Connection[]): string {
  return JSON.stringify(
    connections.map(({ id, status, reason, updatedAt, policy }) => [id, status, reason, updatedAt, policy]),
  );
}
