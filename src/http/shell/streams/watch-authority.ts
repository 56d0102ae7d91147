// Looks after what allows the open streams of a process: one statement a second over all of them, however many there
// are, and one more for those that ask before they tell something. Questions that come while a statement is under way
// share the next one, so an answer is never older than the question.
import { type CacheKey, cacheKey } from '../../../base/cache-key.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Queryable } from '../../../store/database.ts';
import { type Authority, findEnded } from '../../../tenancy/find-ended.ts';

export interface AuthorityWatch {
  /** Calls back once the authority is over. Returns the way to stop. */
  follow(authority: Authority, onEnd: () => void): () => void;
  /** Whether it holds, by a look that begins after the question. */
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
  let timer: NodeJS.Timeout | undefined;

  function ask(key: CacheKey, authority: Authority): Promise<boolean> {
    const asked = questions.get(key);
    if (asked) return asked.answer;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    questions.set(key, { authority, answer: promise, resolve, reject });
    if (!looking) {
      looking = true;
      // Whoever asks in this turn of the event loop is in the same statement.
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

  /** All that are followed; a look that is still under way is waited for. */
  function lookAtAll(): void {
    const answers = [...followed].map(([key, { authority }]) => ask(key, authority));
    Promise.all(answers).catch((error: unknown) =>
      log.warn({ err: error }, 'streams could not be checked; checking again'),
    );
  }

  return {
    follow(authority, onEnd) {
      const key = keyOf(authority);
      const entry = followed.get(key) ?? { authority, onEnds: new Set() };
      followed.set(key, entry);
      entry.onEnds.add(onEnd);
      timer ??= setInterval(lookAtAll, LOOK_EVERY_MS).unref();
      return () => {
        entry.onEnds.delete(onEnd);
        if (entry.onEnds.size === 0 && followed.get(key) === entry) followed.delete(key);
        if (followed.size > 0) return;
        clearInterval(timer);
        timer = undefined;
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
