import { AppError, type ErrorCode } from '../base/errors.ts';
import { NangoError, type NangoFailure } from '../nango/nango-error.ts';

const CODES = {
  timeout: 'provider_timeout',
  unreachable: 'provider_unreachable',
  aborted: 'provider_unreachable',
  too_large: 'provider_response_too_large',
  malformed: 'provider_response_unreadable',
  refused: 'provider_unreachable',
} as const satisfies Record<NangoFailure, ErrorCode>;

/** A call that got no answer, as it leaves the service. Credentials that can no longer be renewed ask for a reconnect. */
export function toToolFailure(error: unknown): unknown {
  if (!(error instanceof NangoError)) return error;
  const lost = error.failure === 'refused' && (error.code === 'invalid_credentials' || error.status === 424 || error.status === 404);
  return new AppError(lost ? 'reconnect_required' : CODES[error.failure]);
}
