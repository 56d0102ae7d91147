import { expect, it } from 'vitest';
import { ERRORS } from '../../src/base/errors.ts';
import { toFailure } from './to-failure.ts';

it.each(Object.entries(ERRORS))('%s says what to do next', (code, { status }) => {
  const { next, error } = toFailure(status, { ok: false, error: code, message: 'For people.' });
  expect([error, next]).toEqual([code, expect.stringMatching(/^[A-Z].{15,}/)]);
});

it('reads the formats of OpenAI and Anthropic too, and an unknown body', () => {
  expect(toFailure(403, { error: { code: 'policy_denied:model', message: 'No.' } })).toMatchObject({
    error: 'policy_denied:model',
    message: 'policy_denied:model: No.',
  });
  expect(toFailure(404, { type: 'error', error: { type: 'model_not_found', message: 'None.' } }).next).toBe(
    'Run: servicectl models',
  );
  expect(toFailure(500, undefined)).toMatchObject({ error: 'status 500', next: expect.stringContaining('operator') });
});
