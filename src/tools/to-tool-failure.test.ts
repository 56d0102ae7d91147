import { describe, expect, it } from 'vitest';
import { AppError, errorBody } from '../base/errors.ts';
import { NangoError, toAppError } from '../nango/nango-error.ts';
import { toTarget } from './provider-request.ts';
import { asUndecided, toToolFailure } from './to-tool-failure.ts';

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'none');

describe('what the integration provider refuses', () => {
  it.each([
    ['a connection that can no longer be renewed', { status: 400, code: 'invalid_credentials' }, 'reconnect_required'],
    ['a connection that is gone', { status: 404, code: 'not_found' }, 'reconnect_required'],
    ['an integration that was deleted', { status: 400, code: 'unknown_provider_config' }, 'reconnect_required'],
    ['a key that it does not know', { status: 401, code: 'unknown_account' }, 'integration_key_refused'],
    ['a key without the scope', { status: 403, code: 'forbidden' }, 'integration_key_refused'],
    ['anything else', { status: 500, code: 'server_error' }, 'provider_unreachable'],
  ])('%s', (_what, facts, code) => expect(codeOf(toToolFailure(new NangoError('refused', facts)))).toBe(code));

  it('its refusal of the key is the same for calls and for sessions', () => {
    for (const status of [401, 403])
      expect(codeOf(toAppError(new NangoError('refused', { status })))).toBe('integration_key_refused');
  });
});

it('an answer that broke off is told from one that never came', () => {
  expect(errorBody(toToolFailure(new NangoError('broken_off'))).body).toMatchObject({
    ok: false,
    error: 'provider_unreachable',
    message: "The provider's answer was cut off. Try again shortly.",
  });
  expect(errorBody(toToolFailure(new NangoError('unreachable'))).body.message).toBe(
    'The provider could not be reached. Try again shortly.',
  );
});

it('a write that nobody knows the end of says so, and only that', () => {
  const said = (failure: unknown): string => errorBody(failure).body.message ?? '';
  for (const failure of ['timeout', 'broken_off'] as const) {
    const known = toToolFailure(new NangoError(failure));
    expect(said(known)).toContain('Try again shortly');
    expect(said(asUndecided(known))).toContain('may have been carried out anyway');
  }
  expect(said(asUndecided(new AppError('provider_unreachable')))).toBe(
    'The provider could not be reached. Try again shortly.',
  );
  expect(codeOf(asUndecided(new AppError('reconnect_required')))).toBe('reconnect_required');
});

it('the word of the provider’s templates reaches the app, and the provider does not see it', () => {
  const target = toTarget('/a/connectionConfig', [['connectionConfig', 'connectionConfig.x']]);
  expect(target).not.toContain('connectionConfig');
  const { pathname, searchParams } = new URL(target, 'http://app.test');
  expect([decodeURIComponent(pathname), [...searchParams]]).toEqual([
    '/a/connectionConfig',
    [['connectionConfig', 'connectionConfig.x']],
  ]);
});
