import { setTimeout as sleep } from 'node:timers/promises';
import { findStorageFault, isUndone } from './database-fault.ts';

export interface RetryOptions {
  /** For how long storage that cannot do its work is asked again. */
  readonly patienceMs: number;
  /** Ends the patience. */
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Does something again for as long as storage is away, full or busy, or a neighbour undoes it. The answer to an earlier try may have been lost
 * after it took effect: `work` is told which try it is.
 */
export async function retryFault<T>(
  work: (tries: number) => Promise<T>,
  { patienceMs, signal }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries);
    } catch (error) {
      const pauseMs = Math.min(PAUSE_MS * tries, LONGEST_PAUSE_MS);
      if (
        (findStorageFault(error) === undefined && !isUndone(error)) ||
        signal?.aborted ||
        performance.now() + pauseMs > deadline
      )
        throw error;
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
    }
  }
}
