// Maps the identity library's errors to the service's. Anything that is not in the table becomes `internal`.
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { PASSWORD_LENGTH } from '../../contract/account/account.ts';

const REFUSALS: Readonly<Record<string, readonly [ErrorCode, Record<string, string>?]>> = {
  USER_ALREADY_EXISTS: ['user_exists'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ['user_exists'],
  // Two concurrent sign-ups with one address: the second finds it taken when it writes.
  FAILED_TO_CREATE_USER: ['user_exists'],
  INVALID_EMAIL: ['invalid_request', { email: 'is not an email address' }],
  PASSWORD_TOO_SHORT: ['invalid_request', { password: `has fewer than ${PASSWORD_LENGTH.min} characters` }],
  PASSWORD_TOO_LONG: ['invalid_request', { password: `has more than ${PASSWORD_LENGTH.max} characters` }],
  VALIDATION_ERROR: ['invalid_request'],
  UNAUTHORIZED: ['unauthenticated'],
  unauthorized: ['unauthenticated'],
};

/** RFC 8628 and related standards define these codes for the client. */
const DEVICE_ERRORS: ReadonlySet<string> = new Set([
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'invalid_grant',
  'invalid_client',
  'invalid_request',
]);

interface LibraryError {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** An error of the device flow keeps RFC 8628's code, with the service's fields added. */
export function deviceRefusal(status: number, body: LibraryError): Response | undefined {
  const { error, error_description: description } = body;
  if (typeof error !== 'string' || !DEVICE_ERRORS.has(error)) return undefined;
  const text = typeof description === 'string' ? description : undefined;
  return Response.json(
    { ok: false, error, ...(text === undefined ? {} : { message: text, error_description: text }) },
    { status, headers: { 'cache-control': 'no-store' } },
  );
}

export function identityRefusal(status: number, body: LibraryError): Error {
  const name = typeof body.code === 'string' ? body.code : body.error;
  const [code, details] = (typeof name === 'string' ? REFUSALS[name] : undefined) ?? [
    status === 401 ? ('unauthenticated' as const) : undefined,
  ];
  return code === undefined
    ? new Error(`the identity library answered ${status} ${String(name)}`)
    : new AppError(code, details ?? {});
}
