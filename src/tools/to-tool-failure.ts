import { AppError, type ErrorCode } from '../base/errors.ts';
import { isKeyRefusal, NangoError, type NangoFailure } from '../nango/nango-error.ts';

const CODES = {
  timeout: 'provider_timeout',
  unreachable: 'provider_unreachable',
  broken_off: 'provider_unreachable',
  aborted: 'provider_unreachable',
  too_large: 'provider_response_too_large',
  malformed: 'provider_response_unreadable',
  refused: 'provider_unreachable',
} as const satisfies Record<NangoFailure, ErrorCode>;

/** What the provider says of a connection that is lost, with it the integration that it belonged to. */
const LOST: ReadonlySet<string | undefined> = new Set([
  'invalid_credentials',
  'unknown_provider_config',
  'unknown_connection',
]);

/** A call that got no answer, as it leaves the service. Credentials that can no longer be renewed ask for a reconnect. */
export function toToolFailure(error: unknown): unknown {
  if (!(error instanceof NangoError)) return error;
  if (isKeyRefusal(error)) return new AppError('integration_key_refused');
  const lost = error.failure === 'refused' && (LOST.has(error.code) || error.status === 424 || error.status === 404);
  return new AppError(
    lost ? 'reconnect_required' : CODES[error.failure],
    error.failure === 'broken_off' ? { brokenOff: true } : {},
  );
}

/** A write that nobody knows the end of says so: the provider does not cancel it when we give up. */
export function asUndecided(failure: unknown): unknown {
  return failure instanceof AppError && (failure.code === 'provider_timeout' || failure.details['brokenOff'] === true)
    ? new AppError(failure.code, { ...failure.details, write: true }, { cause: failure })
    : failure;
}
