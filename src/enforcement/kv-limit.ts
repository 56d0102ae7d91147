// The per-user limit in Redis or Valkey (SERVICE_KV_URL): the same exact sliding window, kept as a list of the last
// accepted times by the server's clock. If the store is unreachable, PostgreSQL enforces the limit instead.
import { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';
import { RATE_WINDOW_SECONDS } from './budget.ts';

type KvVerdict = { readonly accepted: true } | { readonly accepted: false; readonly retryAfterMs: number };

export interface KvLimit {
  /** Undefined if the store is unavailable: use the database instead. */
  take(userId: string): Promise<KvVerdict | undefined>;
  close(): Promise<void>;
}

// Newest first. The request is accepted if the entry `limit` places back is older than the window.
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local oldest = redis.call('LINDEX', KEYS[1], ARGV[1] - 1)
if oldest and now - oldest < ARGV[2] * 1000000 then
  return math.ceil((ARGV[2] * 1000000 - (now - oldest)) / 1000)
end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[2] + 1)
return -1`;

const COMMAND_TIMEOUT_MS = 500;

export function createKvLimit(options: {
  readonly url: string;
  readonly limit: number;
  readonly prefix: string;
  readonly log: Log;
}): KvLimit {
  const { limit, prefix, log } = options;
  const redis = new Redis(options.url.replace(/^valkey/, 'redis'), {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: true,
    lazyConnect: false,
  });
  let complained = false;
  redis.on('error', (error: Error) => {
    if (!complained)
      log.warn(
        { reason: error.name },
        'key-value store for the request limit is unreachable; using PostgreSQL instead',
      );
    complained = true;
  });
  redis.on('ready', () => (complained = false));

  return {
    async take(userId) {
      try {
        const wait = Number(await redis.eval(TAKE, 1, `${prefix}:chat-limit:${userId}`, limit, RATE_WINDOW_SECONDS));
        return wait < 0 ? { accepted: true } : { accepted: false, retryAfterMs: wait };
      } catch {
        return undefined;
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}
