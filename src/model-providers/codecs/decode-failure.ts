// Describes a provider failure in words a client may see. Providers repeat parts of a rejected key and the names of the
// account in their messages: anything that looks like one is redacted, and the text of an authentication failure is
// never passed on.
import { isTooLongMessage } from './context-length.ts';
import type { Failure, FailureKind } from './neutral.ts';
import { FAILURE_SENTENCES } from './provider-failures.ts';
import { isObject } from './read-fields.ts';

const MAX_MESSAGE = 1000;

/** Names in `code` or `type` that mean one thing whatever the status. */
const NAMED: Readonly<Record<string, FailureKind>> = {
  invalid_api_key: 'authentication',
  insufficient_quota: 'quota',
  billing_error: 'quota',
  credit_balance_exhausted: 'quota',
  context_length_exceeded: 'context_length',
  exceed_context_size_error: 'context_length',
  request_too_large: 'too_large',
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  timeout_error: 'timeout',
  invalid_prompt: 'invalid',
  content_policy_violation: 'invalid',
  cyber_policy: 'invalid',
  bio_policy: 'invalid',
  misalignment_policy_violation: 'invalid',
  // Of Amazon Bedrock, where the status says less.
  ServiceQuotaExceededException: 'quota',
  ModelTimeoutException: 'timeout',
  ModelNotReadyException: 'overloaded',
  IncompleteSignatureException: 'authentication',
};

/** Names that say less than the status does. */
const GENERAL: Readonly<Record<string, FailureKind>> = {
  authentication_error: 'authentication',
  permission_error: 'authentication',
  rate_limit_error: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  slow_down: 'overloaded',
  invalid_request_error: 'invalid',
  not_found_error: 'not_found',
  model_not_found: 'not_found',
};

/** Any other status from 500 on is a failure of the provider, whatever its body calls itself. */
const STATUSES: Readonly<Record<number, FailureKind>> = {
  400: 'invalid',
  401: 'authentication',
  402: 'quota',
  403: 'authentication',
  404: 'not_found',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid',
  429: 'rate_limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** If a failure names nothing more precise, its sentence decides. */
const READ_FURTHER: ReadonlySet<FailureKind> = new Set(['invalid', 'too_large', 'other']);
const NO_CREDIT = /credit balance is too low/i;

/** The body of a response that is not 2xx; `named` is a header that says what is wrong. */
export function decodeFailure(status: number, body: Uint8Array | string, named?: string): Failure {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const error = findErrorObject(text);
  const ofStatus = STATUSES[status] ?? (status >= 500 ? 'other' : undefined);
  return describe(named !== undefined && isObject(error) ? { code: named, ...error } : error, ofStatus);
}

/** The error object inside a stream or a 2xx body. */
export function describeFailure(error: unknown): Failure {
  return describe(error, undefined);
}

export function failureOf(kind: FailureKind, message?: string): Failure {
  return { kind, message: message ?? FAILURE_SENTENCES[kind] };
}

function describe(error: unknown, ofStatus: FailureKind | undefined): Failure {
  const fields = isObject(error) ? error : {};
  const given = typeof error === 'string' ? error : fields['message'];
  const message =
    typeof given === 'string' && given.trim() !== '' ? redactSecrets(given).slice(0, MAX_MESSAGE) : undefined;
  const kind = readFurther(findName(NAMED, fields) ?? ofStatus ?? findName(GENERAL, fields) ?? 'other', message);
  if (kind === 'authentication') return failureOf(kind);
  const code = nameOf(fields['code']);
  const param = typeof fields['param'] === 'string' ? redactSecrets(fields['param']).slice(0, 200) : undefined;
  return {
    ...failureOf(kind, message),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  };
}

function readFurther(kind: FailureKind, message: string | undefined): FailureKind {
  if (message === undefined || !READ_FURTHER.has(kind)) return kind;
  if (isTooLongMessage(message)) return 'context_length';
  return NO_CREDIT.test(message) ? 'quota' : kind;
}

function findErrorObject(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    // Google wraps the error of a stream in a list.
    const parsed: unknown = Array.isArray(json) ? json[0] : json;
    if (!isObject(parsed)) return undefined;
    return parsed['error'] ?? (typeof parsed['message'] === 'string' ? parsed : parsed['detail']);
  } catch {
    return undefined;
  }
}

function findName(
  names: Readonly<Record<string, FailureKind>>,
  fields: Readonly<Record<string, unknown>>,
): FailureKind | undefined {
  for (const name of [fields['code'], fields['type']])
    if (typeof name === 'string' && Object.hasOwn(names, name)) return names[name];
  return undefined;
}

/** A code is an identifier, never a sentence; anything else is not passed on. */
function nameOf(code: unknown): string | undefined {
  return typeof code === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/i.test(code) && redactSecrets(code) === code
    ? code
    : undefined;
}

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}/gi, '[key]'],
  [/\bbearer\s+\S+/gi, 'Bearer [key]'],
  [/\b(?:org-|proj_|user-)[A-Za-z0-9]{12,}/g, '[account]'],
  [/\breq_[A-Za-z0-9]{8,}/g, '[request]'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[id]'],
];

export function redactSecrets(text: string): string {
  return SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}
