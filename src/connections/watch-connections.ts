// The connections of a workspace as they change, for somebody who may see them: before every look it is asked again
// whether they still may, and a change of who is in the organization is a reason to look.
import type { Listener } from '../store/listen.ts';
import type { Connection, Scope } from './connection-types.ts';
import { CONNECTIONS_TOPIC } from './notify-change.ts';

export interface WatchOptions {
  readonly listener: Listener;
  readonly scope: Scope;
  /** The list as it is now, or undefined for who may no longer see it, which ends the watch. */
  readonly look: () => Promise<readonly Connection[] | undefined>;
  readonly signal: AbortSignal;
  /** Looks again after this long even when nothing was heard. */
  readonly lookEveryMs: number;
}

/** The whole list at first and after every change; `undefined` after a quiet while. */
export async function* watchConnections({ listener, scope, look, signal, lookEveryMs }: WatchOptions): AsyncGenerator<readonly Connection[] | undefined> {
  let heard = true;
  let wake = (): void => {};
  const hear = (value: string) => (change: { missed: boolean; value?: string }) => {
    if (!change.missed && change.value !== value) return;
    heard = true;
    wake();
  };
  const unsubscribe = [listener.subscribe(CONNECTIONS_TOPIC, hear(scope.workspaceId)), listener.subscribe('tenancy', hear(scope.organizationId))];
  signal.addEventListener('abort', () => wake(), { once: true });
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      heard = false;
      const connections = await look();
      if (!connections) return;
      const now = fingerprintOf(connections);
      yield now === last ? undefined : connections;
      last = now;
      await quiet();
    }
  } finally {
    for (const stop of unsubscribe) stop();
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
  return JSON.stringify(connections.map(({ id, status, reason, updatedAt, policy }) => [id, status, reason, updatedAt, policy]));
}
