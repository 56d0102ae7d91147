import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { MOVE_ON_REASONS, type MoveOnReason } from '../../contract/routes/route-rules.ts';
import { afterHop, chooseNextHop, describeTried, hasNext, type HopCourse, startCourse } from './choose-next-hop.ts';

/** What can become of a model: the code of its refusal or failure, and the reason if another model may follow. */
const REFUSED: readonly ErrorCode[] = [
  'policy_denied',
  'token_model_denied',
  'model_not_routable',
  'quota_exceeded',
  'cap_reached',
];
const ENDING: readonly ErrorCode[] = [
  'invalid_request',
  'provider_key_undecryptable',
  'rate_limited',
  'study_mode_unavailable',
];
const FAILED: Readonly<Record<MoveOnReason, ErrorCode>> = {
  rate_limited: 'provider_rate_limited',
  overloaded: 'provider_overloaded',
  unavailable: 'provider_unreachable',
  timeout: 'provider_timeout',
};
const FATAL: readonly ErrorCode[] = [
  'provider_key_rejected',
  'provider_quota_exceeded',
  'context_length_exceeded',
  'unavailable',
];

const fault = (code: ErrorCode, at = 0): AppError =>
  new AppError(code, { at, denials: ['model'], subject: { kind: 'member', id: 'usr_1' }, limit: 1, resetsAt: '' });

type World =
  | { readonly before: ErrorCode }
  | { readonly before?: undefined; readonly call: ErrorCode | 'answers' | 'breaks off after the first byte' };

const world: fc.Arbitrary<World> = fc.oneof(
  fc.constantFrom(...REFUSED, ...ENDING).map((before) => ({ before })),
  fc
    .constantFrom(...Object.values(FAILED), ...FATAL, 'answers' as const, 'breaks off after the first byte' as const)
    .map((call) => ({ call })),
);

interface Followed {
  readonly called: readonly number[];
  readonly answered: number | undefined;
  readonly error: AppError | undefined;
}

function follow(worlds: readonly World[], on: readonly MoveOnReason[]): Followed {
  const models = worlds.map((_, at) => `m${at}`);
  const called: number[] = [];
  let course: HopCourse | undefined = startCourse([{ name: 'route/r', models, on }], 'route/r');
  for (;;) {
    if (!course) throw new Error('no route');
    const { model, error } = chooseNextHop(course);
    if (error) return { called, answered: undefined, error };
    const at = models.indexOf(model);
    const one = worlds[at];
    if (!one) throw new Error('a model that the route does not have');
    if (one.before !== undefined) {
      course = afterHop(course, { kind: 'refused', error: fault(one.before, at) });
      continue;
    }
    called.push(at);
    if (one.call === 'answers' || one.call === 'breaks off after the first byte')
      return { called, answered: at, error: undefined };
    course = afterHop(course, { kind: 'failed', error: fault(one.call, at) });
  }
}

const reasons = fc.subarray([...MOVE_ON_REASONS]);
const worlds = fc.array(world, { minLength: 1, maxLength: 5 });

it('calls each model at most once, in order, never one that was refused, and nothing after an answer or a rejected key', () => {
  fc.assert(
    fc.property(worlds, reasons, (given, on) => {
      const { called, answered, error } = follow(given, on);
      expect(called).toEqual([...new Set(called)].toSorted((a, b) => a - b));
      for (const at of called) expect(given[at]?.before).toBeUndefined();
      expect([answered === undefined, error === undefined].filter(Boolean)).toHaveLength(1);
      const last = answered ?? called.at(-1) ?? -1;
      // Everything before the last call was passed over, or failed with a reason of the route.
      for (const one of given.slice(0, Math.max(0, last)))
        expect(
          one.before === undefined ? on.some((reason) => FAILED[reason] === one.call) : REFUSED.includes(one.before),
        ).toBe(true);
      if (answered !== undefined) expect(called.at(-1)).toBe(answered);
    }),
  );
});

it('tells why it ended or, if no model is left, why the first did not answer', () => {
  fc.assert(
    fc.property(worlds, reasons, (given, on) => {
      const { error } = follow(given, on);
      if (!error) return;
      const at = Number(error.details['at']);
      const movesOn = (one: World | undefined): boolean =>
        one !== undefined &&
        (one.before === undefined ? on.some((reason) => FAILED[reason] === one.call) : REFUSED.includes(one.before));
      const ending = given.findIndex((one) => !movesOn(one));
      expect(at).toBe(ending === -1 ? 0 : ending);
    }),
  );
});

describe('a route', () => {
  const route = { name: 'route/auto', models: ['a', 'b'], on: MOVE_ON_REASONS };

  it('is followed by its name; the one named auto by service/auto too', () => {
    expect(startCourse([route], 'route/auto')?.asked).toBe('route/auto');
    expect(startCourse([route], 'service/auto')?.asked).toBe('service/auto');
    expect(startCourse([route], 'a')).toBeUndefined();
    expect(startCourse([{ ...route, name: 'route/other' }], 'service/auto')).toBeUndefined();
  });

  it('names what did not answer, and why', () => {
    const first = startCourse([route], 'route/auto');
    if (!first) throw new Error('no route');
    expect(hasNext(first)).toBe(true);
    const second = afterHop(first, { kind: 'refused', error: fault('policy_denied') });
    expect(hasNext(second)).toBe(false);
    const end = afterHop(second, { kind: 'failed', error: new AppError('provider_overloaded') });
    expect(describeTried(end)).toBe('a;reason=policy_denied, b;reason=overloaded');
  });
});
