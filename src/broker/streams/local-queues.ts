// What this replica knows of the queues of its streams: which have credit to spare, which tenant was served last, and which
// queues may hold tasks that had no stream. It may lag behind the store, but never runs ahead of it.
import type { LocalStream, LocalStreams } from './local-streams.ts';

/** A queue to serve: its streams, and the tenant that was served last. */
export interface ServedQueue {
  readonly queue: string;
  readonly after: string;
  readonly pids: readonly string[];
  readonly credits: readonly number[];
  /** The leases with which the streams want their tasks; 0 for streams that acquire them themselves. */
  readonly ttls: readonly number[];
  /** Percent of the group's places that a tenant may have while others wait. */
  readonly share: number;
}

export interface LocalQueues {
  /**
   * The stream with the most credit to spare; of several, the one that was chosen longest ago, so that a task which one
   * worker gives back reaches another. Undefined when a stream of the queue takes no leases, or a task waits in it
   * already. `reserved` returns how many tasks are planned for a stream beyond those that it holds.
   */
  choose(
    queue: string,
    preferPid: string | undefined,
    reserved: (stream: LocalStream) => number,
  ): LocalStream | undefined;
  /**
   * What the store needs to serve these queues; those without a stream with credit are left out. The store chooses like
   * `choose`, and of several streams takes the first.
   */
  toServe(queues: Iterable<string>): ServedQueue[];
  served(queue: string, lane: string, stream: LocalStream | undefined): void;
  /** A task went to this stream. */
  markChosen(stream: LocalStream): void;
  /** After a check, a queue counts as empty unless a task was left in it or its streams are full. */
  looked(queues: Iterable<string>, left: Iterable<string>): void;
  mayHoldTasks(queue: string): boolean;
  /** Forgets queues that no stream here listens to. */
  tidy(): void;
}

/** @param sharePercent of a group's places, which a tenant may have while others wait; with 100 tenants only take turns. */
export function createLocalQueues(streams: LocalStreams, sharePercent = 100): LocalQueues {
  const lastServed = new Map<string, string>();
  const backlogged = new Set<string>();
  const chosenAt = new WeakMap<LocalStream, number>();
  let choices = 0;
  const markChosen = (stream: LocalStream): void => void chosenAt.set(stream, ++choices);
  const lastChosen = (stream: LocalStream): number => chosenAt.get(stream) ?? 0;

  return {
    choose(queue, preferPid, reserved) {
      if (backlogged.has(queue)) return undefined;
      const spare = (stream: LocalStream): number => spareOf(stream) - reserved(stream);
      const isBetter = (one: LocalStream, other: LocalStream): boolean =>
        spare(one) > spare(other) || (spare(one) === spare(other) && lastChosen(one) < lastChosen(other));
      let chosen: LocalStream | undefined;
      for (const stream of streams.inQueue(queue)) {
        if (stream.leaseMs === undefined) return undefined;
        if (
          spare(stream) > 0 &&
          (!chosen || stream.pid === preferPid || (chosen.pid !== preferPid && isBetter(stream, chosen)))
        )
          chosen = stream;
      }
      return chosen;
    },
    toServe: (queues) =>
      [...queues].flatMap((queue) => {
        const listening = streams
          .inQueue(queue)
          .filter(({ credit }) => credit > 0)
          .toSorted((one, other) => lastChosen(one) - lastChosen(other));
        if (listening.length === 0) return [];
        return [
          {
            queue,
            after: lastServed.get(queue) ?? '',
            pids: listening.map(({ pid }) => pid),
            credits: listening.map(({ credit }) => credit),
            ttls: listening.map(({ leaseMs }) => leaseMs ?? 0),
            share: sharePercent,
          },
        ];
      }),
    markChosen,
    served(queue, lane, stream) {
      if (stream) markChosen(stream);
      if (streams.inQueue(queue).length > 0) lastServed.set(queue, lane);
    },
    looked(queues, left) {
      for (const queue of queues) {
        if (streams.inQueue(queue).every((stream) => spareOf(stream) <= 0)) backlogged.add(queue);
        else backlogged.delete(queue);
      }
      for (const queue of left) backlogged.add(queue);
    },
    mayHoldTasks: (queue) => backlogged.has(queue),
    tidy() {
      for (const kept of [lastServed, backlogged])
        for (const queue of kept.keys()) if (streams.inQueue(queue).length === 0) kept.delete(queue);
    },
  };
}

function spareOf({ credit, held }: LocalStream): number {
  return credit - held.size;
}
