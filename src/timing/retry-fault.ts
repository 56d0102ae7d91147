import { RETRIES } from './retry-policies.ts';
import { retry } from './retry.ts';

export interface FaultOptions {
  /** How long to retry while storage is unavailable. */
  readonly patienceMs: number;
  /** Ends the retries. */
  readonly signal?: AbortSignal | undefined;
}

export function retryFault<T>(work: (tries: number) => Promise<T>, options: FaultOptions): Promise<T> {
  return retry(RETRIES.storage, work, options);
}
