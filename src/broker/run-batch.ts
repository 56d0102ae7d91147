// Runs one batch of steps against the store: one statement reads for all steps whose origin is not cached, one writes for
// all of them. The writing statement also gives due tasks to the streams of this replica, directly when their queue is
// empty. Messages are sent after it.
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { type DeliveryPlan, planDelivery, type Reading, type UnblockMessage } from './core/plan-delivery.ts';
import { hasChanges } from './core/draft.ts';
import type { HandedOver } from './core/hand-over.ts';
import type { BrokerAnswer } from './protocol/protocol.ts';
import { originOf, toTaskRecord } from './protocol/records.ts';
import type { Step } from './protocol/steps.ts';
import { createKnownOrigins, type KnownOrigins } from './store/known-origins.ts';
import { readSteps } from './store/read-steps.ts';
import { type Giving, giveTasks, NOTHING_GIVEN, type Offer, saveChanges, takeUnblocks } from './store/save-changes.ts';
import { createStoreClock } from './store/store-clock.ts';
import { throughIndexes } from './store/through-indexes.ts';
import { createLocalQueues, type LocalQueues } from './streams/local-queues.ts';
import type { LocalStreams } from './streams/local-streams.ts';

export interface BatchRunDeps {
  readonly db: Database;
  readonly streams: LocalStreams;
  readonly sharePercent?: number | undefined;
  /** Something in these queues may be another replica's to deliver. */
  readonly notifyReplicas: (queues: Iterable<string>) => void;
  /** Takes a task back from a process whose stream ended before the task reached it. */
  readonly lose: (id: string, pid: string) => void;
  readonly log: Log;
}

export interface PlannedStep {
  readonly step: Step;
  readonly origins: readonly string[];
}

interface BatchMode {
  /** Whether cached origins may be used. */
  readonly trusting: boolean;
  /** Whether the answers wait for the disk. */
  readonly durable: boolean;
}

export interface StepBatches {
  /** The answers in the order of the steps. Fails as a whole when another replica changed an origin in the meantime. */
  run(steps: readonly PlannedStep[], mode: BatchMode): Promise<BrokerAnswer[]>;
  /** Delivers tasks and messages that wait for the streams of these queues. */
  look(queues: readonly string[]): Promise<void>;
}

export function createStepBatches(deps: BatchRunDeps): StepBatches {
  const { db, streams, sharePercent, notifyReplicas, log } = deps;
  const queues = createLocalQueues(streams, sharePercent);
  const known = createKnownOrigins();
  const clock = createStoreClock(db);
  const send = createSender(deps, queues, known);

  async function save({ now, taken }: Reading, plan: DeliveryPlan, durable: boolean): Promise<Giving> {
    // Steps that only read need no check against concurrent writes.
    const writing = taken.filter(({ outcome }) => hasChanges(outcome.changes));
    if (writing.length === 0) return NOTHING_GIVEN;
    const giving = await saveChanges(db, {
      written: writing.map(({ outcome, state }) => ({ changes: outcome.changes, state })),
      revisions: writing.flatMap(({ revisions }) => revisions),
      now,
      unblocks: plan.queuedUnblocks,
      queues: plan.offers,
      durable,
    });
    for (const { outcome, revisions } of writing) {
      const [only, ...more] = revisions;
      if (only && more.length === 0) known.written(only.origin, only.revision, outcome.changes);
      else for (const { origin } of revisions) known.forget(origin);
    }
    return giving;
  }

  return {
    async run(steps, { trusting, durable }) {
      if (!trusting) for (const { origins } of steps) for (const origin of origins) known.forget(origin);
      const { now, taken } = await readSteps(
        { on: db, clock, known: trusting ? known : undefined },
        steps.map(({ step }) => step),
      );
      const plan = planDelivery(now, taken, { streams, queues });
      for (const { stream, id } of plan.handed) stream.held.add(id);
      const { offers, left } = await save({ now, taken: plan.writes }, plan, durable).catch((error: unknown) => {
        for (const { stream, id } of plan.handed) stream.held.delete(id);
        throw error;
      });
      for (const { stream, id } of plan.released) stream.held.delete(id);
      send(offers, plan.unblocks, plan.handed);
      const offered = new Set(offers.map(({ id }) => id));
      const stayed = [...plan.executed].filter(([id]) => !offered.has(id)).map(([, queue]) => queue);
      queues.looked(plan.due, [...stayed, ...left]);
      const others = new Set([...plan.notified, ...stayed, ...plan.queuedUnblocks.map(({ queue }) => queue)]);
      if (others.size > 0) notifyReplicas(others);
      return taken.map(({ outcome }) => outcome.answer);
    },
    async look(names) {
      queues.tidy();
      try {
        const unblocks = (await throughIndexes(db, (tx) => takeUnblocks(tx, names))).flatMap(({ queue, promise }) => {
          const [stream] = streams.inQueue(queue);
          return stream ? [{ stream, promise }] : [];
        });
        const served = queues.toServe(names);
        const { offers, left } = served.length > 0 ? await giveTasks(db, served, await clock.now()) : NOTHING_GIVEN;
        send(offers, unblocks, []);
        queues.looked(names, left);
      } catch (error) {
        log.warn({ err: error }, 'could not look for waiting tasks, will retry');
      }
    },
  };
}

type Send = (offers: readonly Offer[], unblocks: readonly UnblockMessage[], handed: readonly HandedOver[]) => void;

/** A task that was written for a stream that has ended since is taken back: no process knows that it has it. */
function createSender({ streams, lose }: BatchRunDeps, queues: LocalQueues, known: KnownOrigins): Send {
  function sendOffer({ queue, id, version, lane, pid, given }: Offer): void {
    if (given) known.given(originOf(id), given.revision, given.task);
    const stream = streams.find(queue, pid);
    queues.served(queue, lane, stream);
    if (stream && given) stream.held.add(id);
    const acquired = given && { task: toTaskRecord(given.task), promise: given.promise, preload: given.preload };
    stream?.send({ kind: 'execute', head: {}, data: { task: { id, version }, ...(acquired ? { acquired } : {}) } });
    if (!stream && given) lose(id, pid);
  }

  return (offers, unblocks, handed) => {
    for (const { stream, id, version, acquired } of handed) {
      queues.markChosen(stream);
      if (streams.holds(stream.pid) === stream)
        stream.send({ kind: 'execute', head: {}, data: { task: { id, version }, acquired } });
      else lose(id, stream.pid);
    }
    for (const offer of offers) sendOffer(offer);
    for (const { stream, promise } of unblocks) stream.send({ kind: 'unblock', head: {}, data: { promise } });
  };
}
