// Receives notifications of changed runs and wakes the feeds of their organizations only. Notifications that arrive
// together are looked up together, and only while a channel is open.
import type { Log } from '../../base/log.ts';
import { findRunPlaces } from '../../runs/record/find-runs.ts';
import { findMoment } from '../../runs/reading/read-changes.ts';
import { runOfStream } from '../../audit/stream-names.ts';
import { APPENDED_TOPIC } from '../../receipts/announce-appends.ts';
import type { Database } from '../../store/database.ts';
import type { Heard, Listener } from '../../store/listen.ts';
import { createLiveFeed, type LiveFeed } from './live-feed.ts';
import type { LiveReader } from './live-reader.ts';

export interface LiveHub {
  /** Sends the reader all changes after a moment, or from now on, until its seat ends. */
  join(organizationId: string, reader: LiveReader, after: string | undefined): Promise<void>;
  close(): void;
}

const GATHER_MS = 25;
const MAX_GATHERED = 1_000;

export function createLiveHub({ db, listener, log }: { db: Database; listener: Listener; log: Log }): LiveHub {
  const feeds = new Map<string, LiveFeed>();
  let grown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const wakeAll = (): void => {
    for (const feed of feeds.values()) feed.moved();
  };

  async function lookUp(): Promise<void> {
    timer = undefined;
    const ids = [...grown];
    grown = new Set();
    if (ids.length > MAX_GATHERED) return wakeAll();
    for (const { organizationId, workspaceId } of await findRunPlaces(db, ids))
      feeds.get(organizationId)?.changed(workspaceId);
  }

  const on = (topic: string, hear: (value: string) => void): (() => void) =>
    listener.subscribe(topic, (heard: Heard) => {
      if (heard.missed) wakeAll();
      else hear(heard.value);
    });
  const unsubscribe = [
    on(APPENDED_TOPIC, (stream) => {
      const id = runOfStream(stream);
      if (id === undefined || feeds.size === 0) return;
      grown.add(id);
      timer ??= setTimeout(() => {
        lookUp().catch((error: unknown) => {
          log.warn({ err: error }, 'could not look up changed runs, live channels read again');
          wakeAll();
        });
      }, GATHER_MS);
    }),
    on('tenancy', (organizationId) => feeds.get(organizationId)?.moved()),
  ];

  return {
    async join(organizationId, reader, after) {
      const { signal } = reader.seat;
      const now = await findMoment(db);
      if (signal.aborted) return;
      const feed = feeds.get(organizationId) ?? createLiveFeed({ db, log });
      feeds.set(organizationId, feed);
      // A moment in the future came from another database.
      feed.add(reader, after !== undefined && BigInt(after) <= BigInt(now) ? after : now);
      signal.addEventListener(
        'abort',
        () => {
          feed.remove(reader);
          if (!feed.isEmpty() || feeds.get(organizationId) !== feed) return;
          feeds.delete(organizationId);
          feed.close();
        },
        { once: true },
      );
    },
    close() {
      clearTimeout(timer);
      for (const stop of unsubscribe) stop();
      for (const feed of feeds.values()) feed.close();
      feeds.clear();
    },
  };
}
