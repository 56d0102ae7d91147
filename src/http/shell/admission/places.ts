// Places of one cost. A request that finds one free costs a few lookups; the others wait in a queue of bounded length,
// from which senders take turns: someone who sends a hundred requests does not delay someone who sends one.
import { AppError } from '../../../base/errors.ts';
import { type PlaceRow, type Sender, WAIT_MS, WAITING } from './limits.ts';
import { createShares } from './shares.ts';

export interface Places {
  /** Undefined if a place was free. Throws `rate_limited`. */
  enter(sender: Sender): Promise<void> | undefined;
  leave(sender: Sender): void;
}

interface Queue {
  readonly sender: Sender;
  readonly starts: Set<() => void>;
}

export function createPlaces(row: PlaceRow): Places {
  const places = createShares(row);
  const waiting = createShares({ ...WAITING, each: row.waiting });
  /** Senders with waiting requests, in the order of their turns. */
  const turns = new Map<string, Queue>();

  const stopWaiting = (queue: Queue, start: () => void): void => {
    const { sender, starts } = queue;
    starts.delete(start);
    waiting.give(sender);
    turns.delete(sender.userId);
    if (starts.size > 0) turns.set(sender.userId, queue);
  };
  return {
    enter(sender) {
      const queue = turns.get(sender.userId) ?? { sender, starts: new Set() };
      if (queue.starts.size === 0 && places.take(sender)) return undefined;
      if (!waiting.take(sender)) throw new AppError('rate_limited', { retryAfterSeconds: 1 });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        stopWaiting(queue, start);
        reject(new AppError('rate_limited', { retryAfterSeconds: 1 }));
      }, WAIT_MS);
      queue.starts.add(start);
      turns.set(sender.userId, queue);
      return promise;
    },
    leave(sender) {
      places.give(sender);
      for (const queue of turns.values()) {
        const [next] = queue.starts;
        if (!next || !places.take(queue.sender)) continue;
        stopWaiting(queue, next);
        next();
      }
    },
  };
}
