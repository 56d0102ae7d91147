import { expect, it } from 'vitest';
import { isUsableStatus, REASONS, statusAt, TRANSITIONS } from './connection-status.ts';

const now = new Date('2026-06-01T00:00:00Z');

it.each([
  ['valid', undefined, 'valid'],
  ['valid', '2026-06-01T00:00:01Z', 'valid'],
  ['valid', '2026-06-01T00:00:00Z', 'expired'],
  ['valid', '2020-01-01T00:00:00Z', 'expired'],
  ['invalid', '2020-01-01T00:00:00Z', 'invalid'],
  ['expired', undefined, 'expired'],
] as const)('%s with the expiry %s is %s', (stored, expiry, expected) => {
  expect(statusAt(stored, expiry === undefined ? undefined : new Date(expiry), now)).toBe(expected);
});

it('every transition to invalid has a reason, and those to valid have none', () => {
  for (const { to, reason } of Object.values(TRANSITIONS)) {
    if (to === 'valid') expect(reason).toBeUndefined();
    else expect(Object.keys(REASONS)).toContain(reason);
  }
});

it.each([
  'invalid',
  'expired',
  'failed',
  'failure',
  'error',
  'disconnected',
  'revoked',
  'unauthorized',
  'unauthenticated',
  'missing',
  'blocked',
])('a status that contains %s is unusable', (word) => {
  for (const status of [word, word.toUpperCase(), `token_${word}_now`]) expect(isUsableStatus(status)).toBe(false);
});

it.each(['valid', 'online', 'ok', ''])('the status %j is usable', (status) => {
  expect(isUsableStatus(status)).toBe(true);
});
