// Sends the changes to runs over live channels. Each channel follows them at the pace of its client, from a cursor of its
// own; what channels need at the same moment is read once for all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Log } from '../../telemetry/log.ts';
import {
  createUpdateReader,
  isUpToDate,
  type SentState,
  type UpdateReader,
} from '../../runs/reading/describe-updates.ts';
import {
  type Change,
  type ChangePage,
  type ChangePosition,
  createChangeReader,
} from '../../runs/reading/read-changes.ts';
import { listReadersWorkspaces, type RunReader } from '../../runs/record/find-runs.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { batch } from '../../timing/batch.ts';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import { follow } from '../../timing/follow.ts';
import { createChangeHub } from '../shell/streams/change-hub.ts';
import type { StreamSeat } from '../shell/streams/open-streams.ts';

interface LiveReader {
  readonly who: RunReader & { readonly organizationId: string };
  readonly seat: StreamSeat;
  readonly channel: WebSocket;
  /** It receives everything after this place. */
  readonly since: ChangePosition;
}

export interface LiveChanges {
  /** Sends until the seat ends. */
  send(reader: LiveReader): Promise<void>;
  close(): void;
}

const LOOK_EVERY_MS = 10_000;
const RETRY_MS = 1_000;
const MOST_READERS = 1_000;
const SENT_MAX = 2_000;
const BUFFERED_MAX_BYTES = 1024 * 1024;
const DRAIN_LOOK_MS = 50;

export function createLiveChanges({ db, listener, log }: { db: Database; listener: Listener; log: Log }): LiveChanges {
  const hub = createChangeHub({ db, listener, log, onlyRuns: true });
  const listWorkspaces = batch<RunReader, ReadonlySet<string>>({
    lanes: 1,
    most: MOST_READERS,
    run: (readers) => listReadersWorkspaces(db, readers),
  });
  const readChanges = createChangeReader(db);
  const readUpdates = createUpdateReader(db);

  return {
    async send(reader) {
      const { who } = reader;
      const { signal } = reader.seat;
      let { since } = reader;
      let workspaces: ReadonlySet<string> = new Set();
      let listedAt = -Infinity;
      const sendChange = createSender(reader, readUpdates);

      async function readSince(position: ChangePosition): Promise<ChangePage> {
        since = position;
        if (performance.now() - listedAt >= LOOK_EVERY_MS) {
          listedAt = performance.now();
          workspaces = await listWorkspaces(who);
        }
        const page = await readChanges({ organizationId: who.organizationId, workspaces, since });
        return { ...page, items: page.items.filter(({ run }) => workspaces.has(run.workspaceId ?? '')) };
      }
      const subscribe = (notice: () => void): (() => void) => {
        const moved = (): void => ((listedAt = -Infinity), notice());
        const changed = ({ workspace = '' }): void => void (workspaces.has(workspace) && notice());
        return hub.join(who.organizationId, { changed, moved, missed: moved });
      };
      while (!signal.aborted) {
        try {
          const changes = follow({ from: since, readSince, subscribe, signal, lookEveryMs: LOOK_EVERY_MS });
          for await (const change of changes) if (change) await sendChange(change);
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'could not read changes for a live channel, will retry');
          listedAt = -Infinity;
          await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
        }
      }
    },
    close: () => hub.close(),
  };
}

/** Sends what the channel has not sent yet about a changed run, as fast as the client reads. */
function createSender({ seat, channel }: LiveReader, readUpdates: UpdateReader): (change: Change) => Promise<void> {
  const sentOf = createBoundedMap<string, SentState>(SENT_MAX);
  const drain = async (): Promise<void> => {
    while (!seat.signal.aborted && channel.bufferedAmount > BUFFERED_MAX_BYTES) await sleep(DRAIN_LOOK_MS);
  };
  return async (change) => {
    const { run } = change;
    while (!isUpToDate(run, sentOf.get(run.id))) {
      const { messages, sent } = await readUpdates(change, sentOf.get(run.id));
      if (!(await seat.mayTell(run.workspaceId))) return;
      for (const message of messages) {
        await drain();
        if (seat.signal.aborted) return;
        channel.send(message);
      }
      sentOf.set(run.id, sent);
    }
  };
}
