// Responses in OAuth's shape, readable from any origin: browser-based clients call these endpoints from their own.
// None of these endpoints reads a cookie or allows credentials.
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { OAUTH_ERRORS, OAuthError, type OAuthErrorCode } from '../../identity/oauth/oauth-error.ts';
import { errorResponse, type RenderedError } from '../shell/write-error.ts';

const ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;

export function oauthJson(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...ANY_ORIGIN, 'cache-control': 'no-store', ...headers } });
}

export function oauthPreflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
      'access-control-max-age': '86400',
    },
  });
}

export function oauthFailure(error: unknown, log: Log): Response {
  return errorResponse(error, log, ANY_ORIGIN, render);
}

function render(error: unknown): RenderedError {
  const { error: code, message } = asOAuthError(error);
  return {
    // RFC 6749 has no code for a body that does not arrive; its status is the one of every route.
    status: error instanceof AppError && error.code === 'request_timeout' ? error.status : OAUTH_ERRORS[code],
    body: { error: code, error_description: message },
    isRefusal: code !== 'server_error',
  };
}

const FROM_APP_ERROR: Readonly<Record<string, OAuthErrorCode>> = {
  rate_limited: 'temporarily_unavailable',
  request_too_large: 'invalid_request',
  request_timeout: 'invalid_request',
  invalid_request: 'invalid_request',
};

export function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const code = error instanceof AppError ? FROM_APP_ERROR[error.code] : undefined;
  return code && error instanceof AppError
    ? new OAuthError(code, describe(error))
    : new OAuthError('server_error', 'Something went wrong on our side. Try again.');
}

/** The error of each field, or the message of the code if it names no field. */
export function describe(error: AppError): string {
  const faults = Object.entries(error.details).filter(([, fault]) => typeof fault === 'string');
  return faults.length > 0
    ? faults.map(([field, fault]) => `${field} ${String(fault)}`).join('; ')
    : (errorBody(error).body.message ?? error.message);
}
