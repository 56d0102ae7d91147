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

it.each([
  ['/runtime/jobs/job_1/events', 'servicectl jobs'],
  ['/runtime/service/stream?stream=x', 'servicectl receipts'],
  ['/api/projects/prj_1/files/f', 'servicectl projects'],
  ['/api/organizations/org_1/members/usr_1', 'servicectl members'],
  ['/api/organizations/org_1/policy', 'servicectl organizations'],
  ['/nothing/known', 'servicectl whoami'],
])('a 404 of %s names the command that lists such things', (path, command) => {
  expect(toFailure(404, { error: 'not_found' }, { path }).next).toMatch(new RegExp(`${command}$`));
});

it.each([
  ['1', 'Try again in a second.'],
  ['17', 'Try again in 17 seconds.'],
  ['600', 'Try again in 10 minutes.'],
  ['20000', 'Try again in 6 hours.'],
  [new Date(Date.now() + 30 * 60_000).toUTCString(), 'Try again in 30 minutes.'],
  ['soon', 'Wait a minute and try again.'],
  [null, 'Wait a minute and try again.'],
])('a 429 with retry-after %s says when', (retryAfter, next) => {
  expect(toFailure(429, { error: 'rate_limited' }, { retryAfter }).next).toBe(next);
});
