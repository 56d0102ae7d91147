import { expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import { refuseOwnFaults } from './own-faults.ts';

/** The refusal that an answer of the provider's proxy becomes; `none` when it is handed on as the app's. */
function refusalOf(status: number, body: unknown, headers: Record<string, string> = {}): string {
  try {
    refuseOwnFaults({ status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

// Bodies as a self-hosted provider of version 0.71 sends them.
it.each([
  ['a connection that is gone', 400, { error: { code: 'server_error', message: 'Failed to get connection' } }, 'reconnect_required'],
  ['a renewal that failed', 400, { error: { code: 'server_error', message: "Failed to get connection credentials: 'The external API returned an error when trying to refresh the access token.'" } }, 'reconnect_required'],
  ['a renewal that it has given up', 424, { error: { code: 'server_error', message: "Failed to get connection credentials: 'exhausted'" } }, 'reconnect_required'],
  ['a renewal that failed a moment ago', 424, { error: { code: 'connection_refresh_backoff', message: 'Backing off before retrying.' } }, 'reconnect_required'],
  ['an integration that is gone', 404, { error: { code: 'unknown_provider_config', message: 'Provider config not found' } }, 'provider_unreachable'],
  ['an address that it does not call', 400, { error: { code: 'base_url_override_not_allowed', message: 'not allowed by server configuration' } }, 'provider_unreachable'],
  ['an app that refuses connections', 500, { message: 'connect ECONNREFUSED 192.0.2.2:1', code: 'ECONNREFUSED', method: 'get' }, 'provider_unreachable'],
  ['an app that does not answer', 500, { message: 'timeout of 1000ms exceeded', code: 'ECONNABORTED', method: 'get' }, 'provider_timeout'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'HPE_INVALID_CONSTANT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'EPROTO'].map(
    (code): [string, number, unknown, string] => [`an app that cannot be spoken to (${code})`, 500, { message: 'x', code, method: 'get' }, 'provider_unreachable'],
  ),
  ['an app that points elsewhere', 500, { message: 'Maximum number of redirects exceeded', code: 'ERR_FR_TOO_MANY_REDIRECTS', method: 'get' }, 'provider_redirect_refused'],
  ['its own limit', 429, { error: { code: 'too_many_request', method: 'GET', path: '/proxy/x' } }, 'provider_rate_limited'],
])('%s is no answer of the app', (_what, status, body, refusal) => expect(refusalOf(status, body)).toBe(refusal));

it.each([
  ['an app that failed', 500, { error: { code: 'server_error', message: 'Sorry' } }],
  ['an app that is limited', 429, { error: { code: 'rate_limited' } }],
  ['an app with codes of its own', 500, { code: 'E_INTERNAL', message: 'x' }],
  ['an app that says nothing but its status', 500, { message: 'Request failed with status code 500', code: 'ERR_BAD_RESPONSE', status: 500, method: 'get' }],
  ['an app that names the method too', 500, { code: 'INTERNAL', message: 'x', method: 'get', requestId: '1' }],
  ['an app with a text', 502, 'Bad gateway'],
  ['an app with nothing', 500, ''],
  ['an answer that succeeded', 200, { error: { code: 'unknown_connection' } }],
])('%s answers for itself', (_what, status, body) => expect(refusalOf(status, body)).toBe('none'));
