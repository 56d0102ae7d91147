// The tab's stream of changes by others: the server says what changed, and the page refetches it. A hidden tab closes
// the stream, since browsers allow few connections, unless it is to notify of the end of a run. When it comes back, as
// after every gap, it refetches everything.
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { ChangeOnWire } from '../../src/contract/changes.ts';
import { isBusyThread } from '../features/chat/conversation/busy-threads.ts';
import { noticeEndedRuns, waitsForRun, type Watcher } from '../installed/watched-runs.ts';
import { connected, interrupted } from './connection.ts';
import { affectedKeys } from './live-keys.ts';
import { meQuery } from '../session/me-query.ts';
import { useEffect } from 'react';

const LET_GO_AFTER_MS = 60_000;
/** Changes within this time are refetched together. */
const GATHER_MS = 200;
/** The server sends a heartbeat every 15 seconds; a connection that is silent for this long is lost. */
const MOST_QUIET_MS = 50_000;
const AGAIN_AFTER_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

function followChanges(queryClient: QueryClient, watcher: Watcher): () => void {
  const { organization } = watcher;
  let source: EventSource | undefined;
  let letGo: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let hadConnection = false;
  const gather = createGatherer(queryClient);

  function open(): void {
    const mine = new EventSource(`/api/changes?organization=${encodeURIComponent(organization)}`);
    source = mine;
    const restartTimer = (): void => {
      clearTimeout(silence);
      silence = setTimeout(reopen, MOST_QUIET_MS);
    };
    mine.addEventListener('open', () => {
      restartTimer();
      connected();
      failures = 0;
      // Data fetched before the stream opened may have changed.
      const openedAt = Date.now();
      const gap = hadConnection;
      hadConnection = true;
      readAgain(queryClient, ({ state }) => gap || state.dataUpdatedAt < openedAt);
      void noticeEndedRuns(watcher, undefined);
    });
    mine.addEventListener('alive', restartTimer);
    mine.addEventListener('message', ({ data }) => {
      restartTimer();
      const { changes } = JSON.parse(data as string) as { changes: ChangeOnWire[] };
      gather.add(changes);
      void noticeEndedRuns(watcher, changes);
    });
    mine.addEventListener('error', () => {
      if (source === mine) interrupted();
      // Otherwise the browser reconnects.
      if (mine.readyState !== EventSource.CLOSED || source !== mine) return;
      // Refused: the person may have been removed, so their organizations are refetched.
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      again = setTimeout(reopen, AGAIN_AFTER_MS[Math.min(failures++, AGAIN_AFTER_MS.length - 1)]);
    });
  }

  function close(): void {
    clearTimeout(again);
    clearTimeout(silence);
    source?.close();
    source = undefined;
  }

  /** A hidden tab has no connection to miss. */
  function rest(): void {
    if (waitsForRun(watcher)) return void (letGo = setTimeout(rest, LET_GO_AFTER_MS));
    connected();
    close();
  }

  function reopen(): void {
    close();
    open();
  }

  const look = (): void => {
    clearTimeout(letGo);
    if (document.visibilityState === 'hidden') letGo = setTimeout(rest, LET_GO_AFTER_MS);
    else if (source === undefined) open();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(letGo);
    connected();
    close();
    gather.stop();
  };
}

/** Everything except the chats that this tab is writing. */
function readAgain(queryClient: QueryClient, which: (query: Query) => boolean): void {
  void queryClient.invalidateQueries({
    predicate: (query) => !isBusyThread(String(query.queryKey.at(-1))) && which(query),
  });
}

function createGatherer(queryClient: QueryClient): { add(changes: readonly ChangeOnWire[]): void; stop(): void } {
  let waiting: ChangeOnWire[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    timer = undefined;
    const keys = affectedKeys(waiting);
    waiting = [];
    if (keys === undefined) readAgain(queryClient, () => true);
    else for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
  };
  return {
    add(changes) {
      waiting.push(...changes);
      timer ??= setTimeout(read, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Keeps the page up to date while it shows this organization. */
export function useLiveChanges(organization: string | undefined, user: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      organization === undefined || user === undefined ? undefined : followChanges(queryClient, { organization, user }),
    [queryClient, organization, user],
  );
}
