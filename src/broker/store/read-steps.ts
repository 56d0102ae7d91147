// Reads the state for steps and applies them. A step on a cached origin uses the cache, and one that would create an
// origin assumes that it is new; the write fails if either is wrong. A step that turns out to write nothing has no such
// check, so it is applied again to the store's state, as are read-only steps and the broker's own.
import type { Queryable } from '../../store/database.ts';
import { apply } from '../core/apply.ts';
import { hasChanges, type State } from '../core/draft.ts';
import type { Reading, Taken } from '../core/plan-delivery.ts';
import type { KnownOrigins } from './known-origins.ts';
import { loadState } from './load-state.ts';
import type { ReleasePolicy } from '../core/answer-task.ts';
import { namedOrigins, type Step } from '../protocol/steps.ts';
import type { StoreClock } from './store-clock.ts';

const KNOWABLE: readonly Step['kind'][] = [
  'promise.create',
  'promise.settle',
  'task.acquire',
  'task.release',
  'task.suspend',
  'task.fulfill',
  'task.fence',
];
const NOTHING: State = { promises: new Map(), tasks: new Map(), awaiters: new Map(), listeners: new Map() };

export interface StepReader {
  readonly on: Queryable;
  readonly clock: StoreClock;
  /** Absent when the cache must not be used. */
  readonly known: KnownOrigins | undefined;
  readonly policy?: ReleasePolicy;
}

export async function readSteps({ on, clock, known, policy }: StepReader, steps: readonly Step[]): Promise<Reading> {
  const guesses = steps.map((step) => known && guess(known, step));
  const guessedAt = guesses.some((seen) => seen) ? await clock.now() : 0;
  const taken = guesses.map((seen, position): Taken | undefined => {
    const step = steps[position];
    if (!seen || !step) return undefined;
    const outcome = apply(guessedAt, seen.state, step, policy);
    return hasChanges(outcome.changes) ? { outcome, ...seen } : undefined;
  });
  const rest = steps.filter((_, position) => !taken[position]);
  if (rest.length === 0) return { now: guessedAt, taken: taken.flatMap((one) => one ?? []) };
  const loaded = await loadState(on, rest, clock.fixed);
  clock.set(loaded.now);
  const revisions = new Map(loaded.revisions.map((one) => [one.origin, one]));
  const looked = (step: Step): Taken => ({
    outcome: apply(loaded.now, loaded.state, step, policy),
    state: loaded.state,
    revisions: namedOrigins(step).flatMap((origin) => revisions.get(origin) ?? []),
  });
  return { now: loaded.now, taken: steps.map((step, position) => taken[position] ?? looked(step)) };
}

function guess(known: KnownOrigins, step: Step): Pick<Taken, 'state' | 'revisions'> | undefined {
  if (!KNOWABLE.includes(step.kind)) return undefined;
  const [origin, ...more] = namedOrigins(step);
  if (origin === undefined || more.length > 0) return undefined;
  const found = known.find(origin);
  if (found) return { state: found.state, revisions: [{ origin, revision: found.revision }] };
  return step.kind === 'promise.create' && step.data.id === origin
    ? { state: NOTHING, revisions: [{ origin, revision: 0 }] }
    : undefined;
}
