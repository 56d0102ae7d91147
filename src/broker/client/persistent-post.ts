// Sends requests, and retries them for a while when the broker cannot be reached.
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import { createPost, type WireAnswer, type WireRequest } from './post-request.ts';

export interface PersistentPost {
  persist(request: WireRequest, forMs: number): Promise<WireAnswer>;
  close(): Promise<void>;
}

export function createPersistentPost(url: string, token: string | undefined, stopping: AbortSignal): PersistentPost {
  const wire = createPost(url, token);
  return {
    persist: (request, forMs) =>
      retry(RETRIES.brokerRequest, () => wire.post(request, stopping), { patienceMs: forMs, signal: stopping }),
    close: () => wire.close(),
  };
}
