// Changes in one organization, read once for all its live channels. Readers that are up to date share a cursor and get
// each message as the same text. A reader that has just joined, is full, or never received the beginning of a run
// catches up on its own and rejoins at the start of a round, so no change is lost in between.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { listReadersWorkspaces } from '../../runs/record/find-runs.ts';
import { type Change, walkChanges } from '../../runs/reading/read-changes.ts';
import { type SentState, describeUpdates } from '../../runs/reading/describe-updates.ts';
import type { Database } from '../../store/database.ts';
import { type BoundedMap, createBoundedMap } from '../../timing/bounded-cache.ts';
import { every } from '../../timing/every.ts';
import { type LiveReader, mayReceive, type MayReceive, placeOf } from './live-reader.ts';

export interface LiveFeed {
  add(reader: LiveReader, since: string): void;
  remove(reader: LiveReader): void;
  isEmpty(): boolean;
  /** A run of the workspace has changed. */
  changed(workspaceId: string): void;
  /** Memberships have changed, or notifications were lost. */
  moved(): void;
  close(): void;
}

interface FeedDeps {
  readonly db: Database;
  readonly log: Log;
}

const GATHER_MS = 25;
/** Polls as well, because a notification can be lost. */
const LOOK_EVERY_MS = 10_000;
const SENT_MAX = 2_000;

export function createLiveFeed({ db, log }: FeedDeps): LiveFeed {
  const readers = createReaderSet(log, () => wake({ stale: false }));
  const sentOf = createBoundedMap<string, SentState>(SENT_MAX);
  let cursor: string | undefined;
  let dirty = false;
  let stale = false;
  let running = false;
  const closing = new AbortController();
  const polling = every({
    everyMs: LOOK_EVERY_MS,
    task: 'poll for live changes',
    log,
    run: () => wake({ stale: true }),
  });

  function wake(what: { stale: boolean }): void {
    dirty = true;
    stale ||= what.stale;
    if (running || closing.signal.aborted) return;
    running = true;
    void run();
  }

  async function run(): Promise<void> {
    while (dirty && !closing.signal.aborted) {
      await sleep(GATHER_MS);
      dirty = false;
      try {
        if (stale) await refreshWorkspaces();
        // A reader that joined in the meantime waits until its workspaces are known.
        if (!stale) cursor = readers.takeIn(cursor);
        await sendChanges();
      } catch (error) {
        log.warn({ err: error }, 'could not read changes for live channels, will retry');
      }
    }
    running = false;
  }

  async function refreshWorkspaces(): Promise<void> {
    stale = false;
    await readWorkspaces(db, readers.all()).catch((error: unknown) => {
      stale = true;
      throw error;
    });
  }

  async function sendChanges(): Promise<void> {
    const since = cursor;
    if (since === undefined || readers.current.size === 0) return;
    const workspaces = new Set([...readers.current].flatMap((reader) => [...reader.workspaces]));
    const pages = walkChanges(db, [...workspaces], since);
    for (let at = await pages.next(); ; at = await pages.next()) {
      if (at.done) {
        cursor = at.value;
        return;
      }
      const allowed = await mayReceive(readers.current, at.value);
      for (const change of at.value) await sendChange({ db, readers, sentOf, since }, change, allowed);
    }
  }

  return {
    add(reader, since) {
      readers.add(reader, since);
      wake({ stale: true });
    },
    remove: readers.remove,
    isEmpty: () => readers.all().length === 0,
    changed(workspaceId) {
      if (readers.all().some(({ workspaces }) => workspaces.has(workspaceId))) wake({ stale: false });
    },
    moved: () => wake({ stale: true }),
    close() {
      closing.abort();
      void polling.stop();
    },
  };
}

async function readWorkspaces(db: Database, readers: readonly LiveReader[]): Promise<void> {
  const who = readers.map((reader) => reader.who);
  const lists = await listReadersWorkspaces(db, who);
  readers.forEach((reader, index) => (reader.workspaces = lists[index] ?? new Set()));
}

interface ReaderSet {
  /** Up to date with the cursor. */
  readonly current: ReadonlySet<LiveReader>;
  all(): LiveReader[];
  add(reader: LiveReader, since: string): void;
  remove(reader: LiveReader): void;
  /** Only between rounds: a reader that joined during one would miss what it has already sent. Returns the cursor. */
  takeIn(cursor: string | undefined): string | undefined;
  catchUp(reader: LiveReader, since: string): void;
}

function createReaderSet(log: Log, onCaughtUp: () => void): ReaderSet {
  const current = new Set<LiveReader>();
  /** Have caught up to a moment, and wait for the next round. */
  const waiting = new Map<LiveReader, string>();
  const catching = new Set<LiveReader>();

  async function catchUpAlone(reader: LiveReader, since: string): Promise<void> {
    try {
      const at = await reader.catchUp(since);
      if (!catching.delete(reader)) return;
      waiting.set(reader, at);
      // No other event may start the round that takes it in.
      onCaughtUp();
    } catch (error) {
      log.warn({ err: error }, 'live channel could not catch up, will retry');
      if (catching.delete(reader)) waiting.set(reader, since);
    }
  }

  function catchUp(reader: LiveReader, since: string): void {
    current.delete(reader);
    catching.add(reader);
    void catchUpAlone(reader, since);
  }

  return {
    current,
    all: () => [...current, ...waiting.keys(), ...catching],
    add: (reader, since) => void waiting.set(reader, since),
    remove(reader) {
      current.delete(reader);
      waiting.delete(reader);
      catching.delete(reader);
    },
    takeIn(cursor) {
      const next = current.size === 0 ? latestOf(waiting.values()) : cursor;
      for (const [reader, at] of waiting) {
        waiting.delete(reader);
        if (next !== undefined && BigInt(at) >= BigInt(next)) current.add(reader);
        else catchUp(reader, at);
      }
      return next;
    },
    catchUp,
  };
}

function latestOf(moments: Iterable<string>): string | undefined {
  let latest: string | undefined;
  for (const moment of moments) if (latest === undefined || BigInt(moment) > BigInt(latest)) latest = moment;
  return latest;
}

interface Round {
  readonly db: Database;
  readonly readers: ReaderSet;
  /** The state of each run that the current readers have received. */
  readonly sentOf: BoundedMap<string, SentState>;
  readonly since: string;
}

async function sendChange(
  { db, readers, sentOf, since }: Round,
  { run, cursor }: Change,
  allowed: MayReceive,
): Promise<void> {
  const base = sentOf.get(run.id);
  const receivers = new Set<LiveReader>();
  for (const reader of readers.current) {
    if (!allowed(reader, run)) continue;
    const sent = reader.sent(run);
    if (sent?.index === run.head.index && sent.reason === run.waitingReason) continue;
    // It has not received what the others already have.
    if (base !== undefined && (sent === undefined || sent.index < base.index)) readers.catchUp(reader, since);
    else receivers.add(reader);
  }
  if (receivers.size === 0) return;
  const messages = describeUpdates(db, run, base);
  let at = await messages.next();
  for (; !at.done; at = await messages.next()) {
    const text = JSON.stringify({ ...at.value, cursor });
    const place = placeOf(at.value);
    for (const reader of receivers) {
      if (reader.has(run, place)) continue;
      if (reader.offer(text)) {
        if (place !== undefined) reader.notePart(run, place);
        continue;
      }
      receivers.delete(reader);
      if (readers.current.has(reader)) readers.catchUp(reader, since);
    }
  }
  for (const reader of receivers) reader.noteSent(run, at.value);
  sentOf.set(run.id, at.value);
}
