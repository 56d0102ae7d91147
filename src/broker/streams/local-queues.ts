// What this replica knows of the queues that its streams listen to: who has credit to spare, which tenant was served
// last, and where tasks may lie that had no stream to go to. It may be behind the store, never ahead of it.
import type { ChooseStream } from '../core/hand-over.ts';
import type { ServedQueue } from '../store/save-changes.ts';
import type { LocalStream, LocalStreams } from './local-streams.ts';

export interface QueueDesk {
  /** The stream with the most to spare, where all of them take tasks with their leases and nobody waits before this one. */
  readonly choose: ChooseStream;
  /** These queues as the store is asked to serve them; those that no stream with credit listens to are left out. */
  toServe(queues: Iterable<string>): ServedQueue[];
  served(queue: string, lane: string): void;
  /** A queue that was looked into is empty, unless a task stayed behind or its streams are full. */
  looked(queues: Iterable<string>, stayed: Iterable<string>): void;
  mayHoldTasks(queue: string): boolean;
  /** Nothing is kept of queues that no stream here listens to any more. */
  tidy(): void;
}

export function createQueueDesk(streams: LocalStreams): QueueDesk {
  const lastServed = new Map<string, string>();
  const backlogged = new Set<string>();

  return {
    choose(task, queue, preferPid) {
      if (backlogged.has(queue)) return undefined;
      let chosen: LocalStream | undefined;
      for (const stream of streams.inQueue(queue)) {
        if (stream.leaseMs === undefined) return undefined;
        if (
          spareOf(stream) > 0 &&
          (!chosen || stream.pid === preferPid || (chosen.pid !== preferPid && spareOf(stream) > spareOf(chosen)))
        )
          chosen = stream;
      }
      chosen?.held.add(task);
      return chosen;
    },
    toServe: (queues) =>
      [...queues].flatMap((queue) => {
        const listening = streams.inQueue(queue).filter(({ credit }) => credit > 0);
        if (listening.length === 0) return [];
        return [
          {
            queue,
            after: lastServed.get(queue) ?? '',
            pids: listening.map(({ pid }) => pid),
            credits: listening.map(({ credit }) => credit),
            ttls: listening.map(({ leaseMs }) => leaseMs ?? 0),
          },
        ];
      }),
    served(queue, lane) {
      if (streams.inQueue(queue).length > 0) lastServed.set(queue, lane);
    },
    looked(queues, stayed) {
      for (const queue of queues) {
        if (streams.inQueue(queue).every((stream) => spareOf(stream) <= 0)) backlogged.add(queue);
        else backlogged.delete(queue);
      }
      for (const queue of stayed) backlogged.add(queue);
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
