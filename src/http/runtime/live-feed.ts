// What changes in one organization, read once for all its live channels. The readers that are up to date share a
// cursor and get each message as the same text; one that has just come, is full, or was never told how a run began
// catches up by itself and is taken in again at the beginning of a round, so that nothing falls between the two.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { listReadersWorkspaces } from '../../runs/record/find-jobs.ts';
import { type Change, walkChanges } from '../../runs/reading/read-changes.ts';
import { type SentState, describeUpdates } from '../../runs/reading/describe-updates.ts';
import type { Database } from '../../store/database.ts';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import { askEach, type LiveReader, type MayHear, placeOf } from './live-reader.ts';

export interface LiveFeed {
  add(reader: LiveReader, since: string): void;
  remove(reader: LiveReader): void;
  isEmpty(): boolean;
  /** A run of the workspace has moved. */
  changed(workspaceId: string): void;
  /** Who may see what has changed, or something was not heard. */
  moved(): void;
  close(): void;
}

const GATHER_MS = 25;
/** Looks by itself: an announcement can be lost. */
const LOOK_EVERY_MS = 10_000;
const TOLD_MAX = 2_000;

export function createLiveFeed({ db, log }: { db: Database; log: Log }): LiveFeed {
  /** Up to date with the cursor. */
  const current = new Set<LiveReader>();
  /** Have caught up to a moment, and wait for the next round. */
  const waiting = new Map<LiveReader, string>();
  const catching = new Set<LiveReader>();
  const toldOf = createBoundedMap<string, SentState>(TOLD_MAX);
  let cursor: string | undefined;
  let dirty = false;
  let stale = false;
  let running = false;
  const closing = new AbortController();
  const all = (): LiveReader[] => [...current, ...waiting.keys(), ...catching];
  const timer = setInterval(() => wake({ stale: true }), LOOK_EVERY_MS).unref();

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
        if (stale) await readWorkspaces();
        // One that has come meanwhile waits until it is known what it sees.
        if (!stale) takeIn();
        await tellChanges();
      } catch (error) {
        log.warn({ err: error }, 'live channels could not be told of changes; reading again');
      }
    }
    running = false;
  }

  async function readWorkspaces(): Promise<void> {
    stale = false;
    const readers = all();
    const lists = await listReadersWorkspaces(
      db,
      readers.map(({ who }) => who),
    ).catch((error: unknown) => {
      stale = true;
      throw error;
    });
    readers.forEach((reader, index) => (reader.workspaces = lists[index] ?? new Set()));
  }

  /** Only between rounds: a reader that comes into one would miss what it has told already. */
  function takeIn(): void {
    if (current.size === 0)
      cursor = [...waiting.values()].reduce<string | undefined>(
        (latest, at) => (latest === undefined || BigInt(at) > BigInt(latest) ? at : latest),
        undefined,
      );
    for (const [reader, at] of waiting) {
      waiting.delete(reader);
      if (cursor !== undefined && BigInt(at) >= BigInt(cursor)) current.add(reader);
      else catchUp(reader, at);
    }
  }

  function catchUp(reader: LiveReader, since: string): void {
    current.delete(reader);
    catching.add(reader);
    void catchUpAlone(reader, since);
  }

  async function catchUpAlone(reader: LiveReader, since: string): Promise<void> {
    try {
      const at = await reader.catchUp(since);
      if (!catching.delete(reader)) return;
      waiting.set(reader, at);
      // Nothing else may happen that takes it in.
      wake({ stale: false });
    } catch (error) {
      log.warn({ err: error }, 'a live channel could not catch up; trying again');
      if (catching.delete(reader)) waiting.set(reader, since);
    }
  }

  async function tellChanges(): Promise<void> {
    const since = cursor;
    if (since === undefined || current.size === 0) return;
    const workspaces = new Set([...current].flatMap((reader) => [...reader.workspaces]));
    const pages = walkChanges(db, [...workspaces], since);
    for (let at = await pages.next(); ; at = await pages.next()) {
      if (at.done) {
        cursor = at.value;
        return;
      }
      const mayHear = await askEach(current, at.value);
      for (const change of at.value) await tell(change, since, mayHear);
    }
  }

  async function tell({ job, cursor: moment }: Change, since: string, mayHear: MayHear): Promise<void> {
    const base = toldOf.get(job.id);
    const readers = new Set<LiveReader>();
    for (const reader of current) {
      if (!mayHear(reader, job)) continue;
      const told = reader.told(job);
      if (told?.index === job.head.index && told.reason === job.waitingReason) continue;
      // It was not told what the others know already.
      if (base !== undefined && (told === undefined || told.index < base.index)) catchUp(reader, since);
      else readers.add(reader);
    }
    if (readers.size === 0) return;
    const messages = describeUpdates(db, job, base);
    let at = await messages.next();
    for (; !at.done; at = await messages.next()) {
      const text = JSON.stringify({ ...at.value, cursor: moment });
      const place = placeOf(at.value);
      for (const reader of readers) {
        if (reader.has(job, place)) continue;
        if (reader.offer(text)) {
          if (place !== undefined) reader.notePart(job, place);
          continue;
        }
        readers.delete(reader);
        if (current.has(reader)) catchUp(reader, since);
      }
    }
    for (const reader of readers) reader.noteTold(job, at.value);
    toldOf.set(job.id, at.value);
  }

  return {
    add(reader, since) {
      waiting.set(reader, since);
      wake({ stale: true });
    },
    remove(reader) {
      current.delete(reader);
      waiting.delete(reader);
      catching.delete(reader);
    },
    isEmpty: () => current.size === 0 && waiting.size === 0 && catching.size === 0,
    changed(workspaceId) {
      if (all().some(({ workspaces }) => workspaces.has(workspaceId))) wake({ stale: false });
    },
    moved: () => wake({ stale: true }),
    close() {
      closing.abort();
      clearInterval(timer);
    },
  };
}
