// Checks that the open streams of a process are still allowed: one statement per second covers all of them, and one
// more covers those that check before they send something. Checks requested while a statement is under way share the
// next one, so an answer is never older than its question.
import { type CacheKey, cacheKey } from '../../../base/cache-key.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Queryable } from '../../../store/database.ts';
import { type Authority, findEnded } from '../../../tenancy/tokens/find-ended.ts';
import { type Every, every } from '../../../timing/every.ts';

export interface AuthorityWatch {
  /** Calls back once the authority has ended. Returns a function that stops it. */
  follow(authority: Authority, onEnd: () => void): () => void;
  /** Whether it still holds, by a check that begins after this call. */
  holds(authority: Authority): Promise<boolean>;
}

interface Question {
  readonly authority: Authority;
  readonly answer: Promise<boolean>;
  readonly resolve: (holds: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;

export function createAuthorityWatch({ db, clock, log }: { db: Queryable; clock: Clock; log: Log }): AuthorityWatch {
  const followed = new Map<CacheKey, { authority: Authority; onEnds: Set<() => void> }>();
  let questions = new Map<CacheKey, Question>();
  let looking = false;
  let checking: Every | undefined;

  function ask(key: CacheKey, authority: Authority): Promise<boolean> {
    const asked = questions.get(key);
    if (asked) return asked.answer;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    questions.set(key, { authority, answer: promise, resolve, reject });
    if (!looking) {
      looking = true;
      // Requests of the same turn of the event loop share the statement.
      setImmediate(() => void lookUntilAnswered());
    }
    return promise;
  }

  async function lookUntilAnswered(): Promise<void> {
    while (questions.size > 0) {
      const asked = [...questions];
      questions = new Map();
      try {
        const ended = await findEnded(
          db,
          asked.map(([, { authority }]) => authority),
          clock(),
        );
        asked.forEach(([key, { resolve }], index) => {
          const holds = !ended.has(index);
          if (!holds) end(key);
          resolve(holds);
        });
      } catch (error) {
        for (const [, { reject }] of asked) reject(error);
      }
    }
    looking = false;
  }

  function end(key: CacheKey): void {
    const { onEnds } = followed.get(key) ?? {};
    followed.delete(key);
    for (const onEnd of onEnds ?? []) onEnd();
  }

  async function checkAll(): Promise<void> {
    await Promise.all([...followed].map(([key, { authority }]) => ask(key, authority)));
  }

  return {
    follow(authority, onEnd) {
      const key = keyOf(authority);
      const entry = followed.get(key) ?? { authority, onEnds: new Set() };
      followed.set(key, entry);
      entry.onEnds.add(onEnd);
      checking ??= every({ everyMs: LOOK_EVERY_MS, task: 'check open streams', log, run: checkAll });
      return () => {
        entry.onEnds.delete(onEnd);
        if (entry.onEnds.size === 0 && followed.get(key) === entry) followed.delete(key);
        if (followed.size > 0) return;
        void checking?.stop();
        checking = undefined;
      };
    },
    holds: (authority) => ask(keyOf(authority), authority),
  };
}

function keyOf({ userId, tokenId, expiresAtMs, sessionId, organizationId, workspaceId }: Authority): CacheKey {
  return cacheKey(
    userId,
    tokenId ?? null,
    expiresAtMs ?? null,
    sessionId ?? null,
    organizationId ?? null,
    workspaceId ?? null,
  );
}
