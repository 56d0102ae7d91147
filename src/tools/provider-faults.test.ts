import { describe, expect, it } from 'vitest';
import { AppError, errorBody } from '../base/errors.ts';
import { NangoError, toAppError } from '../nango/nango-error.ts';
import { asUncertainWrite, throwProxyFault, toToolFailure } from './provider-faults.ts';

/** The error that an answer of the proxy becomes; `none` if it is passed on as the app's answer. */
function refusalOf(
  status: number,
  body: unknown,
  spelled: readonly string[] = ['X-RateLimit-Limit', 'Content-Type', 'ETag', 'Date'],
): string {
  try {
    throwProxyFault({
      status,
      headers: {},
      spelled,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

// Bodies sent by a self-hosted provider, version 0.71.
it.each([
  [
    'a connection that is gone',
    400,
    { error: { code: 'server_error', message: 'Failed to get connection' } },
    'reconnect_required',
  ],
  [
    'a renewal that failed',
    400,
    {
      error: {
        code: 'server_error',
        message:
          "Failed to get connection credentials: 'The external API returned an error when trying to refresh the access token.'",
      },
    },
    'reconnect_required',
  ],
  [
    'a renewal that it has given up',
    424,
    { error: { code: 'server_error', message: "Failed to get connection credentials: 'exhausted'" } },
    'reconnect_required',
  ],
  [
    'a renewal that failed a moment ago',
    424,
    { error: { code: 'connection_refresh_backoff', message: 'Backing off before retrying.' } },
    'reconnect_required',
  ],
  [
    'an integration that is gone',
    404,
    { error: { code: 'unknown_provider_config', message: 'Provider config not found' } },
    'reconnect_required',
  ],
  [
    'an address that it does not call',
    400,
    { error: { code: 'base_url_override_not_allowed', message: 'not allowed by server configuration' } },
    'provider_unreachable',
  ],
  [
    'an app that refuses connections',
    500,
    { message: 'connect ECONNREFUSED 192.0.2.2:1', code: 'ECONNREFUSED', method: 'get' },
    'provider_unreachable',
  ],
  [
    'an app that does not answer',
    500,
    { message: 'timeout of 1000ms exceeded', code: 'ECONNABORTED', method: 'get' },
    'provider_timeout',
  ],
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
    'HPE_INVALID_CONSTANT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'EPROTO',
  ].map((code): [string, number, unknown, string] => [
    `an app that cannot be spoken to (${code})`,
    500,
    { message: 'x', code, method: 'get' },
    'provider_unreachable',
  ]),
  [
    'an app that points elsewhere',
    500,
    { message: 'Maximum number of redirects exceeded', code: 'ERR_FR_TOO_MANY_REDIRECTS', method: 'get' },
    'provider_redirect_refused',
  ],
  [
    'a key that it does not know',
    401,
    {
      error: {
        code: 'unknown_account',
        message: 'Authentication failed. The provided authorization header does not match any account.',
      },
    },
    'integration_key_refused',
  ],
  [
    'a plan that is used up',
    402,
    { error: { code: 'plan_limit', message: 'Your plan limits have been reached. Please upgrade your plan.' } },
    'provider_unreachable',
  ],
  ['an app that broke off inside its answer', 500, '', 'provider_unreachable'],
  [
    'its own limit',
    429,
    { error: { code: 'too_many_request', method: 'GET', path: '/proxy/x' } },
    'provider_rate_limited',
  ],
])('%s is not an answer of the app', (_what, status, body, refusal) => expect(refusalOf(status, body)).toBe(refusal));

it.each([
  ['an app that failed', 500, { error: { code: 'server_error', message: 'Sorry' } }],
  ['an app that is limited', 429, { error: { code: 'rate_limited' } }],
  ['an app with codes of its own', 500, { code: 'E_INTERNAL', message: 'x' }],
  [
    'an app that says nothing but its status',
    500,
    { message: 'Request failed with status code 500', code: 'ERR_BAD_RESPONSE', status: 500, method: 'get' },
  ],
  ['an app that names the method too', 500, { code: 'INTERNAL', message: 'x', method: 'get', requestId: '1' }],
  ['an app whose plan is used up', 403, { error: { code: 'plan_limit', message: 'Your plan allows 5 boards.' } }],
  ['an app that knows no such account', 404, { error: { code: 'unknown_account', message: 'No account 7.' } }],
  [
    'an app that does not support a provider',
    422,
    { error: { code: 'unsupported_provider', message: 'Use another provider.' } },
  ],
  ['an app that is asked too often', 429, { error: { code: 'too_many_request', message: 'Slow down.' } }],
  [
    'an app that was given bad credentials',
    400,
    { error: { code: 'invalid_credentials', message: 'The password is wrong.' } },
  ],
  [
    'an app that has no such connection',
    404,
    { error: { code: 'unknown_connection', message: 'Line 7 is not connected.' } },
  ],
  [
    'an app that says more beside the error',
    402,
    { error: { code: 'plan_limit', message: 'Upgrade your plan.' }, request_id: '1' },
  ],
  ['an app with a text', 502, 'Bad gateway'],
  ['an app with nothing', 502, ''],
  ['an answer that succeeded', 200, { error: { code: 'unknown_connection' } }],
])('%s answers for itself', (_what, status, body) => expect(refusalOf(status, body)).toBe('none'));

it('an empty 500 is the app’s when it came with the app’s headers', () => {
  expect(refusalOf(500, '', ['X-RateLimit-Limit', 'date', 'server', 'Connection'])).toBe('none');
  expect(refusalOf(500, '', ['x-ratelimit-limit', 'date'])).toBe('none');
});

it('an error that came with the headers of an app is the app’s, whatever it says', () => {
  const own = {
    error: { code: 'plan_limit', message: 'Your plan limits have been reached. Please upgrade your plan.' },
  };
  expect(refusalOf(402, own, ['X-RateLimit-Limit', 'date', 'server', 'Content-Type', 'Connection'])).toBe('none');
  expect(refusalOf(500, { message: 'x', code: 'ECONNREFUSED', method: 'get' }, ['date', 'Content-Type'])).toBe('none');
  // Header names lowercased by something in between.
  expect(refusalOf(402, own, ['x-ratelimit-limit', 'date', 'server', 'content-type'])).toBe('provider_unreachable');
});

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

it('distinguishes an answer that broke off from one that never came', () => {
  expect(errorBody(toToolFailure(new NangoError('broken_off'))).body).toMatchObject({
    ok: false,
    error: 'provider_unreachable',
    message: "The provider's answer was cut off. Try again shortly.",
  });
  expect(errorBody(toToolFailure(new NangoError('unreachable'))).body.message).toBe(
    'The provider could not be reached. Try again shortly.',
  );
});

it('reports a write with an unknown result as such, and nothing else', () => {
  const said = (failure: unknown): string => errorBody(failure).body.message ?? '';
  for (const failure of ['timeout', 'broken_off'] as const) {
    const known = toToolFailure(new NangoError(failure));
    expect(said(known)).toContain('Try again shortly');
    expect(said(asUncertainWrite(known))).toContain('may have been carried out anyway');
  }
  expect(said(asUncertainWrite(new AppError('provider_unreachable')))).toBe(
    'The provider could not be reached. Try again shortly.',
  );
  expect(codeOf(asUncertainWrite(new AppError('reconnect_required')))).toBe('reconnect_required');
});
