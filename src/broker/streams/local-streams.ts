// The poll streams that are connected to this replica.
import { anyQueue, uniQueue } from '../protocol/address.ts';
import type { Message, StreamTerms } from '../protocol/messages.ts';

export interface LocalStream extends StreamTerms {
  readonly id: string;
  /** Tasks that it holds, as far as this replica knows; one that another replica has settled may still be among them. */
  readonly held: Set<string>;
  send(message: Message): void;
  end(): void;
}

export interface LocalStreams {
  add(stream: LocalStream): void;
  remove(stream: LocalStream): void;
  find(queue: string, pid: string): LocalStream | undefined;
  inQueue(queue: string): readonly LocalStream[];
  /** Every queue that a stream here listens to. */
  queues(): string[];
  holds(pid: string): LocalStream | undefined;
  all(): readonly LocalStream[];
}

export function queuesOf({ group, pid }: StreamTerms): [string, string] {
  return [anyQueue(group), uniQueue(group, pid)];
}

export function createLocalStreams(): LocalStreams {
  const byQueue = new Map<string, Set<LocalStream>>();
  const byPid = new Map<string, LocalStream>();
  const inQueue = (queue: string): readonly LocalStream[] => [...(byQueue.get(queue) ?? [])];
  return {
    add(stream) {
      for (const queue of queuesOf(stream)) byQueue.set(queue, (byQueue.get(queue) ?? new Set()).add(stream));
      byPid.set(stream.pid, stream);
    },
    remove(stream) {
      for (const queue of queuesOf(stream)) {
        const set = byQueue.get(queue);
        set?.delete(stream);
        if (set?.size === 0) byQueue.delete(queue);
      }
      if (byPid.get(stream.pid) === stream) byPid.delete(stream.pid);
    },
    find: (queue, pid) => inQueue(queue).find((stream) => stream.pid === pid),
    inQueue,
    queues: () => [...byQueue.keys()],
    holds: (pid) => byPid.get(pid),
    all: () => [...byPid.values()],
  };
}
