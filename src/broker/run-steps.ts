// Runs steps against the store. Steps that arrive while others are under way are taken together, as long as no two
// of them touch the same origin: one statement reads for all of them whose origin is not known here, one writes for
// all of them, and each is answered after that. Should another replica have changed an origin in between, all is read
// again; should that happen twice, the steps are taken one by one. Tasks that became due are given to the streams of
// this replica in the statement that writes, by hand where nobody waits before them; messages leave after it. Steps
// that wait for the disk and steps that need not go in lanes of their own.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { parseAddress } from './protocol/address.ts';
import type { Outcome } from './core/apply.ts';
import { type HandedOver, handOver } from './core/hand-over.ts';
import { createKnownOrigins } from './store/known-origins.ts';
import type { Answer } from './protocol/protocol.ts';
import { createQueueDesk } from './streams/local-queues.ts';
import { readSteps, type Reading, type Taken } from './store/read-steps.ts';
import { originOf, type PromiseRecord, toTaskRecord } from './protocol/records.ts';
import {
  giveTasks,
  hasChanges,
  isOutrun,
  type Offer,
  queueOf,
  type QueuedUnblock,
  saveChanges,
  type ServedQueue,
} from './store/save-changes.ts';
import { createStoreClock } from './store/store-clock.ts';
import { mustBeDurable, namedOrigins, type Step } from './protocol/steps.ts';
import { type LocalStream, type LocalStreams, queuesOf } from './streams/local-streams.ts';
import { takeUnblocks } from './store/take-unblocks.ts';
import { throughIndexes } from './store/through-indexes.ts';

export interface Runner {
  submit(step: Step): Promise<Answer>;
  /** Looks for tasks and messages that wait for the streams of these queues. */
  look(queues: Iterable<string>): void;
  readonly waiting: number;
  /** Finishes what has been submitted and takes nothing more. */
  close(): Promise<void>;
}

export interface RunnerDeps {
  readonly db: Database;
  readonly streams: LocalStreams;
  /** Tells the other replicas that something in these queues may be theirs to deliver. */
  readonly tell: (queues: Iterable<string>) => void;
  readonly log: Log;
}

interface Item {
  readonly step: Step;
  readonly origins: readonly string[];
  readonly lane: Lane;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

type Lane = 'durable' | 'quick';
const LANES: readonly Lane[] = ['durable', 'quick'];

interface Letter {
  readonly stream: LocalStream;
  readonly promise: PromiseRecord;
}

const BATCH_MAX = 64;
const WAITING_MAX = 10_000;
const OUTRUN_MAX = 50;

export function createRunner({ db, streams, tell, log }: RunnerDeps): Runner {
  let items: Item[] = [];
  let looks = new Set<string>();
  let closed = false;
  let starting: NodeJS.Immediate | undefined;
  const running = new Map<Lane, Promise<void>>();
  const busyOrigins = new Set<string>();
  const desk = createQueueDesk(streams);
  const known = createKnownOrigins();
  const clock = createStoreClock(db);

  function start(): void {
    clearImmediate(starting);
    starting = undefined;
    for (const lane of LANES) {
      if (running.has(lane)) continue;
      const batch = takeBatch(lane);
      const looked = lane === 'quick' ? [...looks] : [];
      if (batch.length === 0 && looked.length === 0) continue;
      if (looked.length > 0) looks = new Set();
      running.set(lane, runLane(lane, batch, looked));
    }
  }

  async function runLane(lane: Lane, batch: readonly Item[], looked: readonly string[]): Promise<void> {
    if (batch.length > 0) await runBatch(batch);
    if (looked.length > 0) await lookInto(looked);
    for (const { origins } of batch) for (const origin of origins) busyOrigins.delete(origin);
    running.delete(lane);
    start();
  }

  /** Steps of one origin are taken in the order in which they came, never two at once. */
  function takeBatch(lane: Lane): Item[] {
    const taken: Item[] = [];
    const rest: Item[] = [];
    const passedOver = new Set<string>();
    for (const item of items) {
      const free =
        item.lane === lane &&
        taken.length < BATCH_MAX &&
        item.origins.every((origin) => !busyOrigins.has(origin) && !passedOver.has(origin));
      (free ? taken : rest).push(item);
      for (const origin of item.origins) (free ? busyOrigins : passedOver).add(origin);
    }
    items = rest;
    return taken;
  }

  async function runBatch(batch: readonly Item[]): Promise<void> {
    try {
      await run(batch, true).catch((error: unknown) => {
        if (!isOutrun(error)) throw error;
        return run(batch, false);
      });
    } catch (error) {
      // Neither another replica's haste nor a value that the database cannot hold may fail a neighbour.
      if (isOutrun(error) || (batch.length > 1 && isDataFault(error))) for (const item of batch) await runAlone(item);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function runAlone(item: Item): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await run([item], false);
      } catch (error) {
        if (!isOutrun(error) || tries === OUTRUN_MAX) return item.reject(error);
        await sleep(Math.random() * tries);
      }
    }
  }

  async function run(batch: readonly Item[], trusting: boolean): Promise<void> {
    if (!trusting) for (const { origins } of batch) for (const origin of origins) known.forget(origin);
    const reading = await readSteps(
      db,
      clock,
      trusting ? known : undefined,
      batch.map(({ step }) => step),
    );
    const { taken, handed } = handOverAll(reading);
    const outcomes = taken.map(({ outcome }) => outcome);
    const { letters, queued } = sortUnblocks(outcomes);
    const { executed, due, elsewhere, left } = findDueQueues(taken);
    let offers: Offer[];
    try {
      offers = await save(batch, { now: reading.now, taken }, queued, desk.toServe(due));
    } catch (error) {
      for (const { stream, id } of handed) stream.held.delete(id);
      throw error;
    }
    for (const { holder, id } of left)
      if (!handed.some((one) => one.id === id && one.stream === holder)) holder.held.delete(id);
    for (const [position, outcome] of outcomes.entries()) batch[position]?.resolve(outcome.answer);
    deliver(offers, letters, handed);
    for (const { id } of offers) executed.delete(id);
    desk.looked(due, executed.values());
    for (const queue of [...executed.values(), ...queued.map((one) => one.queue)]) elsewhere.add(queue);
    if (elsewhere.size > 0) tell(elsewhere);
  }

  function handOverAll({ now, taken }: Reading): { taken: Taken[]; handed: HandedOver[] } {
    const handed: HandedOver[] = [];
    const after = taken.map((one) => {
      const given = handOver(one.outcome.changes, one.state, now, desk.choose);
      handed.push(...given.handed);
      return given.handed.length === 0 ? one : { ...one, outcome: { ...one.outcome, changes: given.changes } };
    });
    return { taken: after, handed };
  }

  async function save(
    batch: readonly Item[],
    { now, taken }: Reading,
    queued: readonly QueuedUnblock[],
    served: readonly ServedQueue[],
  ): Promise<Offer[]> {
    // A step that only looked has nothing to fear from whoever writes meanwhile.
    const writing = taken.filter(({ outcome }) => hasChanges(outcome.changes));
    if (writing.length === 0) return [];
    const durable = batch.some(({ lane }) => lane === 'durable');
    const offers = await saveChanges(
      db,
      writing.map(({ outcome, state }) => ({ changes: outcome.changes, state })),
      { revisions: writing.flatMap(({ revisions }) => revisions), now },
      queued,
      served,
      durable,
    );
    for (const { outcome, revisions } of writing) {
      const [only, ...more] = revisions;
      if (only && more.length === 0) known.written(only.origin, only.revision, outcome.changes);
      else for (const { origin } of revisions) known.forget(origin);
    }
    return offers;
  }

  async function lookInto(queues: readonly string[]): Promise<void> {
    desk.tidy();
    try {
      const letters = (await throughIndexes(db, (tx) => takeUnblocks(tx, queues))).flatMap(({ queue, promise }) => {
        const [stream] = streams.inQueue(queue);
        return stream ? [{ stream, promise }] : [];
      });
      const served = desk.toServe(queues);
      deliver(served.length > 0 ? await giveTasks(db, served, await clock.now()) : [], letters, []);
      desk.looked(queues, []);
    } catch (error) {
      log.warn({ err: error }, 'could not look for waiting tasks; trying again shortly');
    }
  }

  function sortUnblocks(outcomes: readonly Outcome[]): { letters: Letter[]; queued: QueuedUnblock[] } {
    const letters: Letter[] = [];
    const queued: QueuedUnblock[] = [];
    for (const { address, promise } of outcomes.flatMap(({ changes }) => changes.unblocks)) {
      const to = parseAddress(address);
      if (!to) continue;
      const stream =
        (to.preferPid === undefined ? undefined : streams.find(to.queue, to.preferPid)) ?? streams.inQueue(to.queue)[0];
      if (stream) letters.push({ stream, promise });
      else queued.push({ queue: to.queue, promise: promise.id });
    }
    return { letters, queued };
  }

  /** Tasks that became due with their queues, and the queues of streams whose credit was given back. */
  function findDueQueues(taken: readonly Taken[]): {
    executed: Map<string, string>;
    due: Set<string>;
    elsewhere: Set<string>;
    left: { holder: LocalStream; id: string }[];
  } {
    const left: { holder: LocalStream; id: string }[] = [];
    const executed = new Map<string, string>();
    const due = new Set<string>();
    const elsewhere = new Set<string>();
    for (const {
      outcome: { changes },
      state,
    } of taken) {
      for (const { id } of changes.executes)
        executed.set(id, queueOf(changes.created.find((one) => one.id === id) ?? state.promises.get(id)));
      for (const task of changes.tasks) {
        const before = state.tasks.get(task.id);
        if (before?.state !== 'acquired' || (task.state === 'acquired' && task.version === before.version)) continue;
        const holder = streams.holds(before.pid ?? '');
        if (!holder) elsewhere.add(queueOf(state.promises.get(task.id)));
        else {
          left.push({ holder, id: task.id });
          // Credit that is given back helps nobody where nobody waits. Tasks of a stream without leases are counted in the store only.
          for (const queue of queuesOf(holder))
            if (holder.leaseMs === undefined || desk.mayHoldTasks(queue)) due.add(queue);
        }
      }
    }
    for (const queue of executed.values()) due.add(queue);
    return { executed, due, elsewhere, left };
  }

  function deliver(offers: readonly Offer[], letters: readonly Letter[], handed: readonly HandedOver[]): void {
    for (const { stream, id, version, acquired } of handed) {
      if (streams.holds(stream.pid) === stream)
        stream.send({ kind: 'execute', head: {}, data: { task: { id, version }, acquired } });
      else submit({ kind: 'task.lose', data: { id, pid: stream.pid } }).catch(() => {});
    }
    for (const { queue, id, version, lane, pid, given } of offers) {
      if (given) known.given(originOf(id), given.revision, given.task);
      desk.served(queue, lane);
      const stream = streams.find(queue, pid);
      if (stream && given) stream.held.add(id);
      const acquired = given && { task: toTaskRecord(given.task), promise: given.promise, preload: given.preload };
      stream?.send({ kind: 'execute', head: {}, data: { task: { id, version }, ...(acquired ? { acquired } : {}) } });
      // The stream ended meanwhile. Whoever does not get it again by this is told that it has it.
      if (!stream && given) submit({ kind: 'task.lose', data: { id, pid } }).catch(() => {});
    }
    for (const { stream, promise } of letters) stream.send({ kind: 'unblock', head: {}, data: { promise } });
  }

  function submit(step: Step): Promise<Answer> {
    if (closed || items.length >= WAITING_MAX) return Promise.reject(new AppError('unavailable'));
    return new Promise((resolve, reject) => {
      items.push({
        step,
        origins: namedOrigins(step),
        lane: mustBeDurable(step) ? 'durable' : 'quick',
        resolve,
        reject,
      });
      // Those who speak in the same breath are heard together.
      starting ??= setImmediate(start);
    });
  }

  return {
    submit,
    look(queues) {
      if (closed) return;
      for (const queue of queues) if (streams.inQueue(queue).length > 0) looks.add(queue);
      start();
    },
    get waiting() {
      return items.length;
    },
    async close() {
      closed = true;
      start();
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

/** PostgreSQL's class 22 (data) and 54 (limits): the fault is in what was to be written. */
function isDataFault(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:22|54)/.test(code);
}
