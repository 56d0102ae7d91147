// Limits the bytes of large bodies per person and process: reading and parsing one blocks everyone for a moment, and it
// stays in memory until its turn is over.
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

const MIB = 1024 * 1024;

/** docs/operators/scaling.md prints these. */
export const BODY_BUDGET = {
  /** Smaller bodies are not counted. */
  largeBytes: 256 * 1024,
  personAtOnceBytes: 128 * MIB,
  personPerMinuteBytes: 512 * MIB,
  allAtOnceBytes: 512 * MIB,
} as const;

const WINDOW_MS = 60_000;

export interface BodyBudget {
  /**
   * Reserves room for a body; throws `rate_limited`. Call the returned function when the body is no longer in memory.
   */
  take(who: string, bytes: number): () => void;
}

interface Person {
  held: number;
  used: number;
  windowEndsAt: number;
}

export function createBodyBudget(clock: Clock = systemClock): BodyBudget {
  const people = new Map<string, Person>();
  let heldByAll = 0;

  const dropPast = (now: number): void => {
    for (const [who, { held, windowEndsAt }] of people) if (held === 0 && windowEndsAt <= now) people.delete(who);
  };
  return {
    take(who, bytes) {
      const now = clock().getTime();
      if (!people.has(who)) dropPast(now);
      const person = people.get(who) ?? { held: 0, used: 0, windowEndsAt: now + WINDOW_MS };
      if (person.windowEndsAt <= now) {
        person.used = 0;
        person.windowEndsAt = now + WINDOW_MS;
      }
      if (person.used + bytes > BODY_BUDGET.personPerMinuteBytes)
        throw new AppError('rate_limited', {
          retryAfterSeconds: Math.max(1, Math.ceil((person.windowEndsAt - now) / 1_000)),
        });
      if (person.held + bytes > BODY_BUDGET.personAtOnceBytes || heldByAll + bytes > BODY_BUDGET.allAtOnceBytes)
        throw new AppError('rate_limited', { retryAfterSeconds: 1 });
      people.set(who, person);
      person.used += bytes;
      person.held += bytes;
      heldByAll += bytes;
      return () => {
        person.held -= bytes;
        heldByAll -= bytes;
      };
    },
  };
}
