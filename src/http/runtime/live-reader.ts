// One live channel: what it may see, what it has received, and how much is unread. Unread bytes are bounded: a channel
// that is full gets no more, and catches up on its own once its client has read on (or its seat ends).
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { RunReader } from '../../runs/record/find-runs.ts';
import type { Run } from '../../runs/record/run.ts';
import { type Change, walkChanges } from '../../runs/reading/read-changes.ts';
import { type SentState, describeUpdates } from '../../runs/reading/describe-updates.ts';
import type { Database } from '../../store/database.ts';
import type { Caller } from '../../tenancy/find-caller.ts';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import type { StreamSeat } from '../shell/streams/open-streams.ts';

export interface LiveReader {
  readonly who: RunReader;
  readonly seat: StreamSeat;
  /** The workspaces whose changes it receives, as last read. */
  workspaces: ReadonlySet<string>;
  sent(run: Run): SentState | undefined;
  noteSent(run: Run, sent: SentState): void;
  /** The last message it received of an update that is not complete yet. */
  notePart(run: Run, place: number): void;
  /** Whether it already has the message. */
  has(run: Run, place: number | undefined): boolean;
  /** Returns false and sends nothing while too much is unread. */
  offer(text: string): boolean;
  /** Sends everything since a moment, as fast as the client reads. Returns the moment to continue from. */
  catchUp(since: string): Promise<string>;
}

const BUFFERED_MAX_BYTES = 1024 * 1024;
const LOOK_EVERY_MS = 50;
const SENT_MAX = 2_000;

export function createLiveReader({
  db,
  caller,
  seat,
  channel,
}: {
  db: Database;
  caller: Caller;
  seat: StreamSeat;
  channel: WebSocket;
}): LiveReader {
  const sentOf = createBoundedMap<string, SentState>(SENT_MAX);
  const partOf = new Map<string, number>();

  const reader: LiveReader = {
    who: { userId: caller.userId, organizationId: caller.membership?.organizationId, workspaceId: caller.workspaceId },
    seat,
    workspaces: new Set(),
    sent: ({ id }) => sentOf.get(id),
    notePart: ({ id }, place) => void partOf.set(id, place),
    has: ({ id }, place) => place !== undefined && place <= Math.max(partOf.get(id) ?? -1, lastPlace(sentOf.get(id))),
    noteSent({ id }, sent) {
      partOf.delete(id);
      sentOf.set(id, sent);
    },
    offer(text) {
      if (seat.signal.aborted || channel.bufferedAmount > BUFFERED_MAX_BYTES) return false;
      channel.send(text);
      return true;
    },
    async catchUp(since) {
      const pages = walkChanges(db, [...reader.workspaces], since);
      for (let at = await pages.next(); ; at = await pages.next()) {
        if (at.done) return at.value;
        const allowed = await mayReceive([reader], at.value);
        for (const change of at.value) if (allowed(reader, change.run)) await send(change);
        if (seat.signal.aborted) return since;
      }
    },
  };

  async function send({ run, cursor }: Change): Promise<void> {
    const messages = describeUpdates(db, run, sentOf.get(run.id));
    for (let at = await messages.next(); ; at = await messages.next()) {
      if (at.done) return reader.noteSent(run, at.value);
      if (reader.has(run, placeOf(at.value))) continue;
      const text = JSON.stringify({ ...at.value, cursor });
      while (!reader.offer(text)) {
        if (seat.signal.aborted) return;
        await sleep(LOOK_EVERY_MS);
      }
    }
  }

  return reader;
}

/** The position of a message in a run's updates: each receipt, then its event. Undefined for the run's state. */
export function placeOf(message: Record<string, unknown>): number | undefined {
  const { receipt, event } = message as { receipt?: { index: number }; event?: { id: number } };
  if (receipt) return 2 * receipt.index;
  return event && 2 * event.id + 1;
}

function lastPlace(sent: SentState | undefined): number {
  return sent === undefined ? -1 : 2 * sent.index + 1;
}

export type MayReceive = (reader: LiveReader, run: Run) => boolean;

/** Which readers may receive which changes, checked in one go after the changes were read and before they are sent. */
export async function mayReceive(readers: Iterable<LiveReader>, changes: readonly Change[]): Promise<MayReceive> {
  const changed = [...new Set(changes.map(({ run }) => run.workspaceId ?? ''))];
  const allowed = new Map<LiveReader, ReadonlySet<string>>();
  await Promise.all(
    [...readers].map(async (reader) => {
      const seen = changed.filter((workspaceId) => reader.workspaces.has(workspaceId));
      const answers = await Promise.all(seen.map((workspaceId) => reader.seat.mayTell(workspaceId)));
      allowed.set(reader, new Set(seen.filter((_, index) => answers[index])));
    }),
  );
  return (reader, run) => !reader.seat.signal.aborted && allowed.get(reader)?.has(run.workspaceId ?? '') === true;
}
