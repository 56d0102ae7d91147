// The rhythm of a replica: it says that it lives, looks for work that notifications missed and, where it leads,
// does what is due by the clock and deletes what is long over.
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { LOST_AFTER_SECONDS } from '../store/process-registry.ts';
import { createHearing, type Hearing } from './streams/hearing.ts';
import { beatReplica, forgetLostReplicas } from './store/replica.ts';
import { deleteFinished, deleteStaleUnblocks, type Retained } from './store/retain.ts';
import type { Runner } from './run-steps.ts';
import {
  endLostStreams,
  endSilentStreams,
  findHeld,
  forgetStreams,
  recordStreamEnds,
  recordStreams,
} from './store/stream-rows.ts';
import type { LocalStream, LocalStreams } from './streams/local-streams.ts';
import {
  findDue,
  findDueTasks,
  findExpiredPromises,
  findGoneWork,
  renewLeases,
  STREAM_GRACE_MS,
  voidOffers,
} from './store/sweep.ts';
import { throughIndexes } from './store/through-indexes.ts';

const TICK_MS = 500;
const BEAT_EVERY_TICKS = 2;
const LOOK_EVERY_TICKS = 4;
const COMPARE_EVERY_TICKS = 20;
const RETAIN_EVERY_TICKS = 120;
const RETAIN_BATCHES_MAX = 40;
/** After a start, processes get this long to connect before what they hold is given to others. */
const WARM_UP_MS = 5_000;
const UNBLOCK_MAX_AGE_MS = 3_600_000;
export const PROCESS_LOST_AFTER_MS = LOST_AFTER_SECONDS * 1_000;

export interface HouseDeps {
  readonly db: Database;
  readonly replica: string;
  readonly runner: Runner;
  readonly streams: LocalStreams;
  /** Streams that ended and are not yet written down as such. */
  readonly endedStreams: Set<string>;
  readonly retentionMs: number;
  readonly tell: (queues: Iterable<string>) => void;
  readonly log: Log;
  readonly warmUpMs?: number;
  readonly lostAfterMs?: number;
}

export interface House {
  /** Live replicas, this one included, as of the last beat. */
  readonly live: readonly string[];
  readonly leads: boolean;
  /** Whether a process that is not heard of is lost. */
  readonly hearing: Hearing;
  close(): Promise<void>;
}

export async function keepHouse(deps: HouseDeps): Promise<House> {
  const { db, replica, runner, streams, endedStreams, log } = deps;
  const startedAt = performance.now();
  const lostAfterMs = deps.lostAfterMs ?? PROCESS_LOST_AFTER_MS;
  const hearing = createHearing(lostAfterMs);
  let { live, leads } = await beatReplica(db, replica);
  let ticks = 0;
  let failing = false;
  const closing = new AbortController();
  let retainFrom: Retained['next'];
  const missed = new Map<string, ReadonlySet<string>>();

  async function tick(): Promise<void> {
    ticks++;
    await flushEnds(db, endedStreams);
    if (ticks % BEAT_EVERY_TICKS === 0) {
      const beat = await beatReplica(db, replica);
      ({ live, leads } = beat);
      hearing.answered(beat.now);
      if (streams.all().length > 0) {
        await recordStreams(db, replica, streams.all());
        await endSilent();
      }
    }
    if (ticks % LOOK_EVERY_TICKS === 0) runner.look(streams.queues());
    if (ticks % COMPARE_EVERY_TICKS === 0) await compareHeld();
    if (leads) await sweep();
    if (leads && ticks % RETAIN_EVERY_TICKS === 0) await retain();
  }

  /** A connection may look open long after its process has stopped, frozen or lost its network. */
  async function endSilent(): Promise<void> {
    const ended = await endSilentStreams(db, {
      replica,
      lostAfterMs: hearing.isReliable ? lostAfterMs : undefined,
      graceMs: STREAM_GRACE_MS,
    });
    for (const { id, superseded } of ended) {
      const stream = streams.all().find((one) => one.id === id);
      if (!stream) continue;
      streams.remove(stream);
      stream.end();
      if (!superseded)
        log.warn(
          { group: stream.group, process: stream.pid, lostAfterMs },
          'a process has not been heard of; what it holds goes to others',
        );
    }
  }

  /** Tells processes which tasks they have: one that was given over a stream that broke is in nobody's hands. */
  async function compareHeld(): Promise<void> {
    const leasing = streams.all().filter(({ leaseMs }) => leaseMs !== undefined);
    for (const id of missed.keys()) if (!leasing.some((stream) => stream.id === id)) missed.delete(id);
    if (leasing.length === 0) return;
    const held = await throughIndexes(db, (tx) =>
      findHeld(
        tx,
        leasing.map(({ pid }) => pid),
      ),
    );
    for (const stream of leasing) {
      const tasks = held.filter(({ pid }) => pid === stream.pid).map(({ id, version }) => ({ id, version }));
      stream.send({ kind: 'held', head: {}, data: { tasks } });
      forgetSettled(stream, new Set(tasks.map(({ id }) => id)));
    }
  }

  /** What another replica has settled shows here at last; one that is missing once may only just have been handed over. */
  function forgetSettled({ id, held }: LocalStream, there: ReadonlySet<string>): void {
    const missing = new Set([...held].filter((task) => !there.has(task)));
    for (const task of missing) if (missed.get(id)?.has(task)) held.delete(task);
    missed.set(id, missing);
  }

  async function sweep(): Promise<void> {
    if (ticks % BEAT_EVERY_TICKS === 0) await endLostStreams(db, live);
    const due = await findDue(db);
    const warm = performance.now() - startedAt >= (deps.warmUpMs ?? WARM_UP_MS);
    if (!due.promises && !due.tasks && !(due.streams && warm)) return;
    const { steps, queues, forgettable } = await throughIndexes(db, async (tx) => {
      const expired = due.promises ? await findExpiredPromises(tx) : [];
      if (due.tasks) await renewLeases(tx);
      const voided = due.tasks ? await voidOffers(tx) : [];
      const woken = due.tasks ? await findDueTasks(tx, warm) : [];
      const gone = due.streams && warm ? await findGoneWork(tx) : { steps: [], queues: [], streams: [] };
      return {
        steps: [...expired, ...woken, ...gone.steps],
        queues: [...voided, ...gone.queues],
        forgettable: gone.streams,
      };
    });
    await Promise.all(steps.map((step) => runner.submit(step)));
    if (forgettable.length > 0) await forgetStreams(db, forgettable);
    if (queues.length === 0) return;
    runner.look(queues);
    deps.tell(queues);
  }

  async function retain(): Promise<void> {
    await forgetLostReplicas(db);
    await deleteStaleUnblocks(db, Date.now() - UNBLOCK_MAX_AGE_MS);
    for (let batch = 0; batch < RETAIN_BATCHES_MAX && !closing.signal.aborted; batch++) {
      const { next } = await deleteFinished(db, Date.now() - deps.retentionMs, retainFrom);
      retainFrom = next;
      if (!next) return;
    }
  }

  async function run(): Promise<void> {
    try {
      await tick();
      failing = false;
    } catch (error) {
      if (!failing && !closing.signal.aborted) log.warn({ err: error }, 'the database does not answer; trying again');
      failing = true;
      hearing.failed();
    }
  }
  let running = Promise.resolve();
  let timer = setTimeout(schedule, TICK_MS);
  function schedule(): void {
    running = run().finally(() => {
      if (!closing.signal.aborted) timer = setTimeout(schedule, TICK_MS);
    });
  }

  return {
    get live() {
      return live;
    },
    get leads() {
      return leads;
    },
    hearing,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Ends that could not be written stay in the set for the next time: a lost end would keep leases for ever. */
export async function flushEnds(db: Database, ended: Set<string>): Promise<void> {
  if (ended.size === 0) return;
  const ids = [...ended];
  await recordStreamEnds(db, ids);
  for (const id of ids) ended.delete(id);
}
