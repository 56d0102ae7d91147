import { setTimeout as sleep } from 'node:timers/promises';
import { findStorageFault, isUndone } from './database-fault.ts';

export interface RetryOptions {
  /** How long to retry while storage is unavailable. */
  readonly patienceMs: number;
  /** Ends the retries. */
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Retries while storage is unavailable or a concurrent transaction forces a rollback. An earlier try may have taken
 * effect although its answer was lost, so `work` is passed the number of the try.
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
