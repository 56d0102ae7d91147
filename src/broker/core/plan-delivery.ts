// Plans what a batch of steps means for the streams of this replica: which tasks the writing statement hands to a stream,
// which queues it serves, which messages are sent after it, and which queues other replicas are notified of. Pure: the
// caller reserves, writes and sends.
import { parseAddress } from '../protocol/address.ts';
import { type PromiseRecord, queueOf } from '../protocol/records.ts';
import type { LocalQueues, ServedQueue } from '../streams/local-queues.ts';
import { type LocalStream, type LocalStreams, queuesOf } from '../streams/local-streams.ts';
import type { StepOutcome } from './apply.ts';
import type { State } from './draft.ts';
import { type HandedOver, handOver } from './hand-over.ts';

export interface Taken {
  readonly outcome: StepOutcome;
  /** The state that the step read. */
  readonly state: State;
  /** Of every origin that it names, as read; 0 for an origin that does not exist yet. */
  readonly revisions: readonly { readonly origin: string; readonly revision: number }[];
}

export interface Reading {
  readonly now: number;
  /** In the order of the steps. */
  readonly taken: readonly Taken[];
}

/** To a listener that is connected to this replica. */
export interface UnblockMessage {
  readonly stream: LocalStream;
  readonly promise: PromiseRecord;
}

/** To a listener that is connected elsewhere, or not connected now. */
export interface QueuedUnblock {
  readonly queue: string;
  readonly promise: string;
}

export interface DeliveryPlan {
  /** The steps, with the tasks that are handed over written as acquired. */
  readonly writes: readonly Taken[];
  readonly handed: readonly HandedOver[];
  readonly unblocks: readonly UnblockMessage[];
  readonly queuedUnblocks: readonly QueuedUnblock[];
  /** Tasks that became due and were not handed over, with their queues. */
  readonly executed: ReadonlyMap<string, string>;
  /** Queues in which a stream of this replica may find a task now. */
  readonly due: ReadonlySet<string>;
  /** The due queues that the store is to serve. */
  readonly offers: readonly ServedQueue[];
  /** Tasks that a stream of this replica no longer holds. */
  readonly released: readonly { readonly stream: LocalStream; readonly id: string }[];
  /** Queues of streams at other replicas that got credit back. */
  readonly notified: ReadonlySet<string>;
}

export interface Connected {
  readonly streams: LocalStreams;
  readonly queues: LocalQueues;
}

export function planDelivery(now: number, taken: readonly Taken[], connected: Connected): DeliveryPlan {
  const { writes, handed } = planHandOver(now, taken, connected.queues);
  const released = findReleased(writes, connected.streams);
  const executed = findExecuted(writes);
  // Returned credit matters only when tasks may be waiting. Tasks of a stream without leases are counted only in the
  // store.
  const due = new Set(
    released.here.flatMap(({ stream }) =>
      queuesOf(stream).filter((queue) => stream.leaseMs === undefined || connected.queues.mayHoldTasks(queue)),
    ),
  );
  for (const queue of executed.values()) due.add(queue);
  return {
    writes,
    handed,
    ...addressUnblocks(writes, connected.streams),
    executed,
    due,
    offers: connected.queues.toServe(due),
    released: released.here.filter(({ stream, id }) => !handed.some((one) => one.id === id && one.stream === stream)),
    notified: released.elsewhere,
  };
}

function planHandOver(
  now: number,
  taken: readonly Taken[],
  queues: LocalQueues,
): Pick<DeliveryPlan, 'writes' | 'handed'> {
  const reserved = new Map<LocalStream, number>();
  const handed: HandedOver[] = [];
  const choose = (task: string, queue: string, preferPid: string | undefined): LocalStream | undefined => {
    const stream = queues.choose(queue, preferPid, (one) => reserved.get(one) ?? 0);
    if (stream && !stream.held.has(task)) reserved.set(stream, (reserved.get(stream) ?? 0) + 1);
    return stream;
  };
  const writes = taken.map((one) => {
    const given = handOver(one.outcome.changes, one.state, now, choose);
    handed.push(...given.handed);
    return given.handed.length === 0 ? one : { ...one, outcome: { ...one.outcome, changes: given.changes } };
  });
  return { writes, handed };
}

function addressUnblocks(
  taken: readonly Taken[],
  streams: LocalStreams,
): Pick<DeliveryPlan, 'unblocks' | 'queuedUnblocks'> {
  const unblocks: UnblockMessage[] = [];
  const queuedUnblocks: QueuedUnblock[] = [];
  for (const { address, promise } of taken.flatMap(({ outcome }) => outcome.changes.unblocks)) {
    const to = parseAddress(address);
    if (!to) continue;
    const stream =
      (to.preferPid === undefined ? undefined : streams.find(to.queue, to.preferPid)) ?? streams.inQueue(to.queue)[0];
    if (stream) unblocks.push({ stream, promise });
    else queuedUnblocks.push({ queue: to.queue, promise: promise.id });
  }
  return { unblocks, queuedUnblocks };
}

function findExecuted(taken: readonly Taken[]): Map<string, string> {
  const executed = new Map<string, string>();
  for (const { outcome, state } of taken)
    for (const { id } of outcome.changes.executes)
      executed.set(id, queueOf(outcome.changes.created.find((one) => one.id === id) ?? state.promises.get(id)));
  return executed;
}

/** Tasks that are no longer acquired, or are acquired under a newer lease. */
function findReleased(
  taken: readonly Taken[],
  streams: LocalStreams,
): { readonly here: { readonly stream: LocalStream; readonly id: string }[]; readonly elsewhere: Set<string> } {
  const here: { stream: LocalStream; id: string }[] = [];
  const elsewhere = new Set<string>();
  for (const { outcome, state } of taken) {
    for (const task of outcome.changes.tasks) {
      const before = state.tasks.get(task.id);
      if (before?.state !== 'acquired' || (task.state === 'acquired' && task.version === before.version)) continue;
      const stream = streams.holds(before.pid ?? '');
      if (stream) here.push({ stream, id: task.id });
      else elsewhere.add(queueOf(state.promises.get(task.id)));
    }
  }
  return { here, elsewhere };
}
