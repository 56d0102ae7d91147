// Sends requests, and retries them for a while when the broker cannot be reached.
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokerUnreachable, createPost, type WireAnswer, type WireRequest } from './post-request.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface PersistentPost {
  persist(request: WireRequest, forMs: number): Promise<WireAnswer>;
  close(): Promise<void>;
}

export function createPersistentPost(url: string, token: string | undefined, stopping: AbortSignal): PersistentPost {
  const wire = createPost(url, token);
  return {
    async persist(request, forMs) {
      const deadline = performance.now() + forMs;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        try {
          return await wire.post(request, stopping);
        } catch (error) {
          const again =
            error instanceof BrokerUnreachable &&
            error.retryable &&
            !stopping.aborted &&
            performance.now() + pauseMs < deadline;
          if (!again) throw error;
          await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
        }
      }
    },
    close: () => wire.close(),
  };
}
