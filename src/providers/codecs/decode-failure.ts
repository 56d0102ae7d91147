// What went wrong at a provider, in words a client may see. Providers repeat parts of a rejected key in their
// messages, so an authentication failure never passes its text on and anything that looks like a key is struck out.
import type { Failure, FailureKind } from './neutral.ts';
import { isObject } from './read-fields.ts';

const MAX_MESSAGE = 1000;

/** Names under which the protocols report a failure, in `type` or `code`. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  authentication_error: 'authentication',
  permission_error: 'authentication',
  invalid_api_key: 'authentication',
  rate_limit_error: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  insufficient_quota: 'rate_limit',
  billing_error: 'rate_limit',
  invalid_request_error: 'invalid',
  invalid_prompt: 'invalid',
  context_length_exceeded: 'invalid',
  request_too_large: 'invalid',
  overloaded_error: 'overloaded',
  timeout_error: 'overloaded',
  not_found_error: 'not_found',
  model_not_found: 'not_found',
};

const FALLBACK = {
  authentication: 'The provider did not accept the credentials of this request.',
  rate_limit: 'The provider limits the rate of requests. Try again shortly.',
  invalid: 'The provider refused the request as invalid.',
  overloaded: 'The provider is overloaded. Try again shortly.',
  not_found: 'The provider does not know this model.',
  other: 'The provider failed to answer.',
} as const satisfies Record<FailureKind, string>;

/** The body of an answer that is not 2xx. */
export function decodeFailure(status: number, body: Uint8Array | string): Failure {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const error = findErrorObject(text);
  return describe(kindOfStatus(status) ?? kindOfError(error), error);
}

/** The error object inside a stream or a 2xx body. */
export function describeFailure(error: unknown): Failure {
  return describe(kindOfError(error), error);
}

export function failureOf(kind: FailureKind, message?: string): Failure {
  return { kind, message: message ?? FALLBACK[kind] };
}

function describe(kind: FailureKind, error: unknown): Failure {
  const said = typeof error === 'string' ? error : isObject(error) ? error['message'] : undefined;
  if (kind === 'authentication' || typeof said !== 'string' || said.trim() === '') return failureOf(kind);
  return { kind, message: strikeSecrets(said).slice(0, MAX_MESSAGE) };
}

function findErrorObject(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed)) return undefined;
    return parsed['error'] ?? (typeof parsed['message'] === 'string' ? parsed : parsed['detail']);
  } catch {
    return undefined;
  }
}

function kindOfStatus(status: number): FailureKind | undefined {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limit';
  if (status === 400 || status === 413 || status === 422) return 'invalid';
  if (status === 408 || status === 502 || status === 503 || status === 504 || status === 529) return 'overloaded';
  return undefined;
}

function kindOfError(error: unknown): FailureKind {
  if (!isObject(error)) return 'other';
  for (const name of [error['code'], error['type']]) if (typeof name === 'string' && Object.hasOwn(KINDS, name)) return KINDS[name] ?? 'other';
  return 'other';
}

function strikeSecrets(text: string): string {
  return text.replace(/\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}/gi, '[key]').replace(/\bbearer\s+\S+/gi, 'Bearer [key]');
}
