// A failed call to the integration provider. It carries only what callers base decisions on: never the request, whose
// headers contain the secret, nor the provider's text.
import { AppError } from '../base/errors.ts';

export type NangoFailure =
  /** No answer: connecting failed, or the connection broke. */
  | 'unreachable'
  /** The answer broke off before it was complete. */
  | 'broken_off'
  | 'timeout'
  | 'aborted'
  | 'too_large'
  /** The answer does not match the API. */
  | 'malformed'
  /** The answer has an error status. */
  | 'refused';

export interface NangoErrorFacts {
  readonly status?: number | undefined;
  /** The provider's error code, if it sent one. */
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

/** The error that leaves the service when the caller can do nothing about the failure. */
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

/** The provider does not accept the secret key, or the key lacks a scope: only an operator can fix that. */
export function isKeyRefusal({ failure, status }: NangoError): boolean {
  return failure === 'refused' && (status === 401 || status === 403);
}
