// How a refusal or fault leaves `/v1`: OpenAI's shape carries our code in `error.code`, Anthropic's in `error.type`;
// the message is the sentence for people. The same shapes serve errors inside a stream that has begun.
import { errorBody, type ErrorCode } from '../../base/errors.ts';
import type { FailureKind, NeutralEvent } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

export interface OpenAiError {
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string };
}

export interface AnthropicError {
  readonly type: 'error';
  /** The details are those from which Anthropic's client goes on by itself. */
  readonly error: { readonly type: string; readonly message: string; readonly details?: Loose };
}

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
  return { status, body: { error: { message: messageOf(body), type: typeOfStatus(status), param: fieldOf(body.error, body.details), code: body.error } } };
}

export function encodeAnthropicError(error: unknown): { status: number; body: AnthropicError } {
  const { status, body } = errorBody(error);
  const recovery = isObject(body.details) ? body.details['recovery'] : undefined;
  return { status, body: { type: 'error', error: { type: body.error, message: messageOf(body), ...(isObject(recovery) ? { details: recovery } : {}) } } };
}

export function toOpenAiStreamError(event: ErrorEvent): OpenAiError {
  const row = STREAM_CODES[event.kind];
  return { error: { message: event.message, type: row.type, param: null, code: event.code ?? row.code } };
}

export function toAnthropicStreamError(event: ErrorEvent): AnthropicError {
  return { type: 'error', error: { type: event.code ?? STREAM_CODES[event.kind].code, message: event.message } };
}

/** Both shapes lack room for details, and a client shows only the message: a bad field is named there. */
function messageOf(body: { error: string; message?: string; details?: unknown }): string {
  const message = body.message ?? body.error;
  if (body.error !== 'invalid_request') return message;
  const faults = Object.entries(body.details ?? {}).filter(([, why]) => typeof why === 'string');
  return faults.length === 0 ? message : `${faults.map(([field, why]) => `${field}: ${why}`).join('; ')}.`;
}

function fieldOf(code: string, details: unknown): string | null {
  if (isObject(details) && typeof details['param'] === 'string') return details['param'];
  if (code !== 'invalid_request') return null;
  return Object.keys(details ?? {})[0] ?? null;
}

function typeOfStatus(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
