// How a refusal or fault leaves `/v1`: OpenAI's shape carries our code in `error.code`, Anthropic's in `error.type`;
// the message is the sentence for people. The same shapes serve errors inside a stream that has begun.
import { errorBody, type ErrorCode } from '../../base/errors.ts';
import type { FailureKind, NeutralEvent } from './neutral.ts';

export interface OpenAiError {
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string };
}

export interface AnthropicError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly details?: { readonly error_code: string } };
}

/** Codes whose details are fields. */
const NAMES_FIELDS: ReadonlySet<string> = new Set<ErrorCode>(['invalid_request', 'unknown_parameter']);

/** Fields without which Anthropic's client goes on by itself once they are refused, and the code that it looks for. */
const GOES_ON_WITHOUT = { thread: 'thread_unsupported_request' } as const;

type ErrorEvent = Extract<NeutralEvent, { type: 'error' }>;

/**
 * Codes of failures that a provider reports after its answer began, when no HTTP status can tell any more. Whose key
 * it was is not known here, so a rejected one is the provider's trouble like any other.
 */
const STREAM_CODES = {
  authentication: { code: 'provider_unavailable', type: 'server_error' },
  rate_limit: { code: 'provider_rate_limited', type: 'rate_limit_error' },
  invalid: { code: 'provider_refused', type: 'invalid_request_error' },
  overloaded: { code: 'provider_unavailable', type: 'server_error' },
  not_found: { code: 'provider_refused', type: 'invalid_request_error' },
  other: { code: 'provider_unavailable', type: 'server_error' },
} as const satisfies Record<FailureKind, { code: ErrorCode; type: string }>;

export function encodeOpenAiError(error: unknown): { status: number; body: OpenAiError } {
  const { status, body } = errorBody(error);
  return { status, body: { error: { message: messageOf(body, (fields) => `Unknown parameter: ${fields.map((field) => `'${field}'`).join(', ')}.`), type: typeOfStatus(status), param: fieldOf(body.error, body.details), code: body.error } } };
}

export function encodeAnthropicError(error: unknown): { status: number; body: AnthropicError } {
  const { status, body } = errorBody(error);
  // In the words of Anthropic, which some of its clients look for.
  const message = messageOf(body, (fields) => fields.map((field) => `${field}: Extra inputs are not permitted`).join('; '));
  return { status, body: { type: 'error', error: { type: body.error, message, ...goesOnWithout(body) } } };
}

export function toOpenAiStreamError(event: ErrorEvent): OpenAiError {
  const row = STREAM_CODES[event.kind];
  return { error: { message: event.message, type: row.type, param: null, code: event.code ?? row.code } };
}

export function toAnthropicStreamError(event: ErrorEvent): AnthropicError {
  return { type: 'error', error: { type: event.code ?? STREAM_CODES[event.kind].code, message: event.message } };
}

/** Both shapes lack room for details, and a client shows only the message: a bad field is named there. */
function messageOf(body: { error: string; message?: string; details?: unknown }, unknown: (fields: readonly string[]) => string): string {
  const message = body.message ?? body.error;
  if (!NAMES_FIELDS.has(body.error)) return message;
  const faults = Object.entries(body.details ?? {}).filter(([, why]) => typeof why === 'string');
  if (faults.length > 0 && body.error === 'unknown_parameter') return unknown(faults.map(([field]) => field));
  return faults.length === 0 ? message : `${faults.map(([field, why]) => `${field}: ${why}`).join('; ')}.`;
}

function goesOnWithout({ error, details }: { error: string; details?: unknown }): { details?: { error_code: string } } {
  const field = NAMES_FIELDS.has(error) ? Object.keys(details ?? {}).find((name) => Object.hasOwn(GOES_ON_WITHOUT, name)) : undefined;
  return field === undefined ? {} : { details: { error_code: GOES_ON_WITHOUT[field as keyof typeof GOES_ON_WITHOUT] } };
}

function fieldOf(code: string, details: unknown): string | null {
  if (!NAMES_FIELDS.has(code)) return null;
  return Object.keys(details ?? {})[0] ?? null;
}

function typeOfStatus(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
