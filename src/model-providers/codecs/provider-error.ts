import { AppError } from '../../base/errors.ts';
import type { Failure } from './neutral.ts';
import { failureRow } from './provider-failures.ts';

export interface FailureDetails {
  /** The display name. */
  readonly provider: string;
  readonly retryAfterSeconds?: number | undefined;
  /** The provider's own, for its caller. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A provider's refusal. On /v1 it is formatted by its row, anywhere else as the service's own error. */
export class ProviderError extends AppError {
  /** The message the client may see. */
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;

  constructor(failure: Failure, { provider, retryAfterSeconds, headers = {} }: FailureDetails) {
    const { error, details } = failureRow(failure.kind);
    super(error, {
      ...(details === 'reason' ? { reason: failure.message } : {}),
      ...(details === 'provider' ? { provider } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
    this.failure = failure;
    this.headers = headers;
  }
}
