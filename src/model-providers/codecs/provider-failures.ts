// How a provider failure reaches a client: one row per kind with the status, type and code of each surface. Clients act
// on exactly these (Claude Code compacts on `prompt is too long`, Codex on `context_length_exceeded`, both wait on 529
// and `server_is_overloaded`), so the rows follow what OpenAI and Anthropic return themselves.
import type { ErrorCode } from '../../base/errors.ts';
import type { Failure, FailureKind } from './neutral.ts';

export interface ProviderFailureRow {
  /** The error code used outside /v1, with its details. */
  readonly error: ErrorCode;
  readonly details?: 'reason' | 'provider';
  /** `failed` is the code inside a `response.failed`, which has its own vocabulary. */
  readonly openai: { readonly status: number; readonly type: string; readonly code: string; readonly failed: string };
  readonly anthropic: { readonly status: number; readonly type: string };
  /** Who may read the provider's message: everyone, only the owner of the account, or no one. */
  readonly words: 'everyone' | 'own account' | 'no one';
  /** The kind reported on platform credit: problems of the deployment's own account are not revealed to clients. */
  readonly onPlatform?: 'other';
}

export const PROVIDER_FAILURES = {
  context_length: {
    error: 'context_length_exceeded',
    details: 'reason',
    openai: {
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      failed: 'context_length_exceeded',
    },
    anthropic: { status: 400, type: 'invalid_request_error' },
    words: 'everyone',
  },
  too_large: {
    error: 'provider_request_too_large',
    details: 'reason',
    openai: { status: 413, type: 'invalid_request_error', code: 'request_too_large', failed: 'invalid_prompt' },
    anthropic: { status: 413, type: 'request_too_large' },
    words: 'everyone',
  },
  invalid: {
    error: 'provider_refused',
    details: 'reason',
    openai: { status: 400, type: 'invalid_request_error', code: 'provider_refused', failed: 'invalid_prompt' },
    anthropic: { status: 400, type: 'invalid_request_error' },
    words: 'everyone',
  },
  not_found: {
    error: 'provider_refused',
    details: 'reason',
    openai: { status: 404, type: 'invalid_request_error', code: 'model_not_found', failed: 'invalid_prompt' },
    anthropic: { status: 404, type: 'not_found_error' },
    words: 'own account',
    onPlatform: 'other',
  },
  rate_limit: {
    error: 'provider_rate_limited',
    openai: { status: 429, type: 'rate_limit_error', code: 'provider_rate_limited', failed: 'rate_limit_exceeded' },
    anthropic: { status: 429, type: 'rate_limit_error' },
    words: 'own account',
  },
  quota: {
    error: 'provider_quota_exceeded',
    details: 'provider',
    openai: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', failed: 'insufficient_quota' },
    anthropic: { status: 402, type: 'billing_error' },
    words: 'own account',
    onPlatform: 'other',
  },
  overloaded: {
    error: 'provider_overloaded',
    openai: {
      status: 503,
      type: 'service_unavailable_error',
      code: 'server_is_overloaded',
      failed: 'server_is_overloaded',
    },
    anthropic: { status: 529, type: 'overloaded_error' },
    words: 'everyone',
  },
  authentication: {
    error: 'provider_key_rejected',
    details: 'provider',
    openai: { status: 502, type: 'server_error', code: 'provider_key_rejected', failed: 'server_error' },
    anthropic: { status: 502, type: 'provider_key_rejected' },
    words: 'no one',
    onPlatform: 'other',
  },
  timeout: {
    error: 'provider_timeout',
    openai: { status: 504, type: 'server_error', code: 'provider_timeout', failed: 'server_error' },
    anthropic: { status: 504, type: 'provider_timeout' },
    words: 'no one',
  },
  stopping: {
    error: 'unavailable',
    openai: { status: 503, type: 'server_error', code: 'unavailable', failed: 'server_error' },
    anthropic: { status: 503, type: 'unavailable' },
    words: 'everyone',
  },
  other: {
    error: 'provider_unavailable',
    openai: { status: 502, type: 'server_error', code: 'provider_unavailable', failed: 'server_error' },
    anthropic: { status: 502, type: 'provider_unavailable' },
    words: 'no one',
  },
} as const satisfies Record<FailureKind, ProviderFailureRow>;

/** The kinds that keep the provider's code, because it says more than ours. */
const KEEPS_CODE: ReadonlySet<FailureKind> = new Set(['invalid', 'not_found', 'rate_limit', 'too_large']);

export function failureRow(kind: FailureKind): ProviderFailureRow {
  return PROVIDER_FAILURES[kind];
}

/** `error.code` on OpenAI's surfaces. */
export function openAiCode({ kind, code }: Pick<Failure, 'kind' | 'code'>): string {
  return code !== undefined && KEEPS_CODE.has(kind) ? code : PROVIDER_FAILURES[kind].openai.code;
}

/** What the client may know of a failure, depending on whose account was used. */
export function failureForClient(failure: Failure, ownAccount: boolean): Failure {
  const { onPlatform, words } = failureRow(failure.kind);
  if (ownAccount || (onPlatform === undefined && words !== 'own account')) return failure;
  const kind = onPlatform ?? failure.kind;
  return { kind, message: FAILURE_SENTENCES[kind] };
}

/** Used if the provider gave no message, or none that may be repeated. */
export const FAILURE_SENTENCES = {
  authentication: 'The provider did not accept the credentials of this request.',
  quota: 'The account at the provider has no credit left. Check its plan and billing.',
  rate_limit: "The provider's rate limit was reached. Wait a moment, then try again.",
  context_length: 'The conversation is too long for the model.',
  too_large: 'The request is too large for the provider.',
  invalid: 'The provider refused the request as invalid.',
  overloaded: 'The provider is overloaded. Try again shortly.',
  not_found: 'The provider does not know this model.',
  timeout: 'The provider did not answer in time. Try again shortly.',
  stopping: 'The answer was cut off because the service restarted. Ask again for the full answer.',
  other: 'The AI service returned an error. Try again shortly.',
} as const satisfies Record<FailureKind, string>;
