import { expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { loadModels } from '../catalog/load-models.ts';
import type { Admission, AdmissionRequest } from '../enforcement/budget.ts';
import { openTurn, type OpenTurnDeps } from './open-turn.ts';

type Outcome = 'admitted' | 'stale' | 'quota_exceeded' | 'revoked';

/** Answers admissions in this order; the last answer stays. What was asked, and how the turn ended. */
async function open(answers: readonly Outcome[], { flushes = 0, model = 'gpt-5' } = {}): Promise<string[]> {
  const seen: string[] = [];
  let asked = 0;
  const admission = (how: string, { limit }: AdmissionRequest): Promise<Admission> => {
    seen.push(`${how} ${limit}`);
    const outcome = answers[Math.min(asked++, answers.length - 1)] ?? 'admitted';
    return Promise.resolve(outcome === 'admitted' ? { outcome, holdId: 'hold' } : { outcome });
  };
  const admit = Object.assign((request: AdmissionRequest) => admission('admit', request), {
    within: (work: (tx: object, admitOne: typeof admit) => unknown) =>
      work({}, ((request: AdmissionRequest) => admission('locked', request)) as typeof admit),
  });
  const deps = {
    admit,
    limit: 5,
    settle: { flush: () => Promise.resolve((seen.push('flush'), flushes-- > 0)) },
    settings: { catalog: loadModels(undefined), strict: false, open: () => '', platformKeys: { openai: 'key' } },
  } as unknown as OpenTurnDeps;
  const caller = { userId: 'user', tokenId: undefined, organizationId: undefined, workspace: undefined };
  const request = {
    ...({ model, modality: 'chat', surface: 'chat', inputBytes: 1, reserves: false } as const),
    prepare: () => undefined,
  };
  const end = await openTurn(deps, caller, request).then(
    ({ holdId }) => `opened with ${holdId}`,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  return [...seen, end];
}

it.each<[string, readonly Outcome[], Parameters<typeof open>[1], readonly string[]]>([
  ['an admitted turn is opened', ['admitted'], {}, ['admit 5', 'opened with hold']],
  ['a refusal is final', ['revoked'], {}, ['admit 5', 'unauthenticated']],
  ['the limit refuses before the catalogue', ['revoked'], { model: 'none' }, ['admit 5', 'unauthenticated']],
  ['an unknown model is counted all the same', ['admitted'], { model: 'none' }, ['admit 5', 'model_not_found']],
  ['stale settings are read again', ['stale', 'admitted'], {}, ['admit 5', 'admit 5', 'opened with hold']],
  [
    'settings that keep changing are locked',
    ['stale', 'stale', 'stale', 'admitted'],
    {},
    ['admit 5', 'admit 5', 'admit 5', 'locked 5', 'opened with hold'],
  ],
  [
    'what earlier requests give back is waited for, and the limit counts once',
    ['quota_exceeded', 'stale', 'admitted'],
    { flushes: 9 },
    ['admit 5', 'flush', 'admit 0', 'admit 0', 'opened with hold'],
  ],
  ['nothing comes back', ['quota_exceeded'], {}, ['admit 5', 'flush', 'quota_exceeded']],
  [
    'too little comes back',
    ['quota_exceeded'],
    { flushes: 9 },
    ['admit 5', ...Array.from({ length: 4 }, () => ['flush', 'admit 0']).flat(), 'quota_exceeded'],
  ],
])('%s', async (_what, answers, options, expected) => {
  expect(await open(answers, options)).toEqual(expected);
});
