// A failed call of the integration provider. It carries what a caller decides by and nothing else: never the
// request, whose headers hold the secret, nor the provider's own text.
import { AppError } from '../base/errors.ts';

export type NangoFailure =
  /** No answer: the connection could not be made or broke. */
  | 'unreachable'
  /** An answer that ended before it was whole. */
  | 'broken_off'
  | 'timeout'
  | 'aborted'
  | 'too_large'
  /** An answer that is not what the API promises. */
  | 'malformed'
  /** An answer with an error status. */
  | 'refused';

export interface NangoErrorFacts {
  readonly status?: number | undefined;
  /** The provider's error code, where it sent one. */
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export class NangoError extends Error {
  override readonly name = 'NangoError';
  readonly failure: NangoFailure;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: NangoFailure, { status, code, retryAfterSeconds }: NangoErrorFacts = {}) {
    super(`integration provider: ${[failure, status, code].filter((part) => part !== undefined).join(' ')}`);
    this.failure = failure;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** How a failed call leaves the service where the caller can do nothing about it. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof NangoError)) return error;
  switch (error.failure) {
    case 'timeout':
      return new AppError('provider_timeout');
    case 'unreachable':
    case 'broken_off':
    case 'aborted':
      return new AppError('provider_unreachable');
    case 'too_large':
    case 'malformed':
      return new AppError('integration_provider_failed');
    case 'refused':
      if (error.status === 429)
        return new AppError(
          'provider_rate_limited',
          error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds },
        );
      if (isKeyRefusal(error)) return new AppError('integration_key_refused');
      return new AppError('integration_provider_failed', {
        status: error.status,
        ...(error.code === undefined ? {} : { code: error.code }),
      });
  }
}

/** The provider takes the secret key for none of its own, or for one without the scope: only an operator can do something about it. */
export function isKeyRefusal({ failure, status }: NangoError): boolean {
  return failure === 'refused' && (status === 401 || status === 403);
}
