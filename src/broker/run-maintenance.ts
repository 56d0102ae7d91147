// Periodic work of a replica: it reports that it is alive, looks for work that notifications missed and, if it is the
// leader, runs what is due by the clock and deletes what ended long ago.
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { LOST_AFTER_SECONDS } from '../store/process-registry.ts';
import { every } from '../timing/every.ts';
import type { Runner } from './run-steps.ts';
import { beatReplica, REPLICA_LOST_AFTER_MS } from './store/replica.ts';
import { createRetention } from './store/retain.ts';
import {
  endLostStreams,
  endSilentStreams,
  findHeld,
  forgetStreams,
  recordStreamEnds,
  recordStreams,
} from './store/stream-rows.ts';
import { findDue, findDueWork, STREAM_GRACE_MS } from './store/sweep.ts';
import { throughIndexes } from './store/through-indexes.ts';
import { createLivenessWatch, type LivenessWatch } from './streams/liveness-watch.ts';
import type { LocalStream, LocalStreams } from './streams/local-streams.ts';

const TICK_MS = 500;
const BEAT_EVERY_TICKS = 2;
const LOOK_EVERY_TICKS = 4;
const COMPARE_EVERY_TICKS = 20;
const RETAIN_EVERY_TICKS = 120;
/** After a start, processes get this long to reconnect before their tasks are given to others. */
const WARM_UP_MS = 3_000;
export const PROCESS_LOST_AFTER_MS = LOST_AFTER_SECONDS * 1_000;

export interface MaintenanceDeps {
  readonly db: Database;
  readonly replica: string;
  readonly runner: Runner;
  readonly streams: LocalStreams;
  /** Streams that ended and are not yet recorded as such. */
  readonly endedStreams: Set<string>;
  readonly retentionMs: number;
  readonly notifyReplicas: (queues: Iterable<string>) => void;
  readonly log: Log;
  readonly warmUpMs?: number | undefined;
  readonly lostAfterMs: number;
}

export interface Maintenance {
  /** Live replicas, this one included, as of the last heartbeat. */
  readonly live: readonly string[];
  readonly leads: boolean;
  /** Says whether a process without a heartbeat is lost. */
  readonly liveness: LivenessWatch;
  close(): Promise<void>;
}

export async function runMaintenance(deps: MaintenanceDeps): Promise<Maintenance> {
  const { db, replica, runner, streams, endedStreams, log, lostAfterMs, warmUpMs = WARM_UP_MS } = deps;
  const warmAt = performance.now() + warmUpMs;
  const liveness = createLivenessWatch(lostAfterMs);
  const compareHeld = createHeldComparison(db, streams);
  const retain = createRetention(db, deps.retentionMs);
  let { live, leads } = await beatReplica(db, replica);
  let ticks = 0;
  let failing = false;

  async function beat(): Promise<void> {
    const reported = await beatReplica(db, replica);
    ({ live, leads } = reported);
    liveness.answered(reported.now);
    if (streams.all().length === 0) return;
    await recordStreams(db, replica, streams.all());
    await endSilent(deps, liveness);
  }

  async function tick(stopping: AbortSignal): Promise<void> {
    ticks++;
    const isBeat = ticks % BEAT_EVERY_TICKS === 0;
    await flushEnds(db, endedStreams);
    if (isBeat) await beat();
    if (ticks % LOOK_EVERY_TICKS === 0) runner.look(streams.queues());
    if (ticks % COMPARE_EVERY_TICKS === 0) await compareHeld();
    if (!leads) return;
    // Its processes had the time to reconnect while it was silent, if they could.
    if (isBeat) await endLostStreams(db, live, liveness.isReliable(REPLICA_LOST_AFTER_MS) ? STREAM_GRACE_MS : 0);
    await sweep(deps, performance.now() >= warmAt);
    if (ticks % RETAIN_EVERY_TICKS === 0) await retain(stopping);
  }

  const timer = every({
    everyMs: TICK_MS,
    task: 'maintenance',
    log,
    async run(stopping) {
      try {
        await tick(stopping);
        failing = false;
      } catch (error) {
        if (!failing && !stopping.aborted) log.warn({ err: error }, 'maintenance failed, will retry');
        failing = true;
        liveness.failed();
      }
    },
  });

  return {
    get live() {
      return live;
    },
    get leads() {
      return leads;
    },
    liveness,
    close: () => timer.stop(),
  };
}

/** A connection may look open long after its process has stopped, frozen or lost its network. */
async function endSilent(
  { db, replica, streams, log, lostAfterMs }: MaintenanceDeps,
  liveness: LivenessWatch,
): Promise<void> {
  const ended = await endSilentStreams(db, {
    replica,
    lostAfterMs: liveness.isReliable() ? lostAfterMs : undefined,
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
        'process lost: no heartbeat; its tasks go to other processes',
      );
  }
}

/** During the warm-up, processes that have not reconnected yet keep their tasks. */
async function sweep({ db, runner, notifyReplicas }: MaintenanceDeps, isWarm: boolean): Promise<void> {
  const due = await findDue(db);
  if (!due.promises && !due.tasks && !(due.streams && isWarm)) return;
  const { steps, queues, streams } = await findDueWork(db, due, isWarm);
  await Promise.all(steps.map((step) => runner.submit(step)));
  if (streams.length > 0) await forgetStreams(db, streams);
  if (queues.length === 0) return;
  runner.look(queues);
  notifyReplicas(queues);
}

/** Ends that could not be recorded stay in the set for the next try: an unrecorded end would keep leases for ever. */
export async function flushEnds(db: Database, ended: Set<string>): Promise<void> {
  if (ended.size === 0) return;
  const ids = [...ended];
  await recordStreamEnds(db, ids);
  for (const id of ids) ended.delete(id);
}

/**
 * Tells processes which tasks the store says they hold: a task that was sent over a stream that broke may have reached
 * no one. Tasks that another replica has settled are forgotten here once they are missing twice in a row; one that is
 * missing once may only just have been handed over.
 */
function createHeldComparison(db: Database, streams: LocalStreams): () => Promise<void> {
  const missed = new Map<string, ReadonlySet<string>>();

  function forgetSettled({ id, held }: LocalStream, stored: ReadonlySet<string>): void {
    const missing = new Set([...held].filter((task) => !stored.has(task)));
    for (const task of missing) if (missed.get(id)?.has(task)) held.delete(task);
    missed.set(id, missing);
  }

  return async () => {
    const leasing = streams.all().filter(({ leaseMs }) => leaseMs !== undefined);
    for (const id of missed.keys()) if (!leasing.some((stream) => stream.id === id)) missed.delete(id);
    if (leasing.length === 0) return;
    const pids = leasing.map(({ pid }) => pid);
    const held = await throughIndexes(db, (tx) => findHeld(tx, pids));
    for (const stream of leasing) {
      const tasks = held.filter(({ pid }) => pid === stream.pid).map(({ id, version }) => ({ id, version }));
      stream.send({ kind: 'held', head: {}, data: { tasks } });
      forgetSettled(stream, new Set(tasks.map(({ id }) => id)));
    }
  };
}
