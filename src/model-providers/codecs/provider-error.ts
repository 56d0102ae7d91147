import { AppError } from '../../base/errors.ts';
import type { Failure } from './neutral.ts';
import { failureRow } from './provider-failures.ts';

export interface FailureDetails {
  /** As people know it. */
  readonly provider: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** A provider's refusal. On /v1 it leaves as its row says, anywhere else as the error of ours that it is. */
export class ProviderError extends AppError {
  /** As the client may see it. */
  readonly failure: Failure;

  constructor(failure: Failure, { provider, retryAfterSeconds }: FailureDetails) {
    const { error, details } = failureRow(failure.kind);
    super(error, {
      ...(details === 'reason' ? { reason: failure.message } : {}),
      ...(details === 'provider' ? { provider } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
    this.failure = failure;
  }
}
