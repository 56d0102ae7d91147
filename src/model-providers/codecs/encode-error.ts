// The format of errors on `/v1`: OpenAI's shape has our code in `error.code`, Anthropic's in `error.type`; the message
// is for people. Provider refusals are formatted as `provider-failures.ts` says. The same shapes are used for errors
// inside a stream.
import { type ErrorBody, errorBody, type ErrorCode } from '../../base/errors.ts';
import { tooLongForAnthropic, tooLongForOpenAi } from './context-length.ts';
import type { Failure } from './neutral.ts';
import { ProviderError } from './provider-error.ts';
import { failureRow, openAiCode } from './provider-failures.ts';
import { isObject, type Loose } from './read-fields.ts';

export interface OpenAiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
    readonly details?: unknown;
  };
}

export interface AnthropicError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly details?: unknown };
}

/** Codes whose details are fields. */
const NAMES_FIELDS: ReadonlySet<string> = new Set<ErrorCode>(['invalid_request', 'unknown_parameter']);

/** Codes whose details say more than their message; elsewhere neither shape has room for them. */
const SHOWS_DETAILS: ReadonlySet<string> = new Set<ErrorCode>(['cap_reached']);

/** Fields that Anthropic's client retries without once they are refused, and the code it looks for. */
const RETRIED_WITHOUT = { thread: 'thread_unsupported_request' } as const;

/** Where OpenAI names the part of a request that is too long. */
const TOO_LONG_PARAM = { chat: 'messages', responses: 'input' } as const;
type OpenAiSurface = keyof typeof TOO_LONG_PARAM;

/** Unknown fields, in each provider's words, because some of its clients look for them. */
type NameUnknown = (fields: readonly string[]) => string;
const unknownToOpenAi: NameUnknown = (fields) =>
  `Unknown parameter: ${fields.map((field) => `'${field}'`).join(', ')}.`;
const unknownToAnthropic: NameUnknown = (fields) =>
  fields.map((field) => `${field}: Extra inputs are not permitted`).join('; ');

export function encodeOpenAiError(
  error: unknown,
  surface: OpenAiSurface = 'chat',
): { status: number; body: OpenAiError } {
  const { status, body } = errorBody(error);
  if (error instanceof ProviderError)
    return {
      status: failureRow(error.failure.kind).openai.status,
      body: toOpenAiStreamError(visibleFailure(error.failure, body), surface),
    };
  return {
    status,
    body: {
      error: {
        message: messageOf(body, unknownToOpenAi),
        type: typeOfStatus(status),
        param: fieldOf(body.error, body.details),
        code: body.error,
        ...shownDetails(body),
      },
    },
  };
}

export function encodeAnthropicError(error: unknown): { status: number; body: AnthropicError } {
  const { status, body } = errorBody(error);
  if (error instanceof ProviderError)
    return {
      status: failureRow(error.failure.kind).anthropic.status,
      body: toAnthropicStreamError(visibleFailure(error.failure, body)),
    };
  return {
    status,
    body: {
      type: 'error',
      error: {
        type: body.error,
        message: messageOf(body, unknownToAnthropic),
        ...shownDetails(body),
        ...recoveryOf(body),
      },
    },
  };
}

export function toOpenAiStreamError(failure: Failure, surface: OpenAiSurface = 'chat'): OpenAiError {
  const { kind, message, param } = failure;
  const tooLong = kind === 'context_length';
  return {
    error: {
      message: tooLong ? tooLongForOpenAi(message) : message,
      type: failureRow(kind).openai.type,
      param: param ?? (tooLong ? TOO_LONG_PARAM[surface] : null),
      code: openAiCode(failure),
    },
  };
}

export function toAnthropicStreamError({ kind, message }: Failure): AnthropicError {
  return {
    type: 'error',
    error: {
      type: failureRow(kind).anthropic.type,
      message: kind === 'context_length' ? tooLongForAnthropic(message) : message,
    },
  };
}

/** If the provider's message must not be shown, ours is used. */
function visibleFailure(failure: Failure, body: ErrorBody): Failure {
  return failureRow(failure.kind).words === 'no one' ? { ...failure, message: messageOf(body) } : failure;
}

function shownDetails({ error, details }: ErrorBody): { details?: unknown } {
  return SHOWS_DETAILS.has(error) && details !== undefined ? { details } : {};
}

/** Clients show only the message, so it names the bad field. */
function messageOf(body: ErrorBody, nameUnknown: NameUnknown = unknownToOpenAi): string {
  const message = body.message ?? body.error;
  if (!NAMES_FIELDS.has(body.error)) return message;
  const faults = Object.entries(body.details ?? {}).filter(([, why]) => typeof why === 'string');
  if (faults.length > 0 && body.error === 'unknown_parameter') return nameUnknown(faults.map(([field]) => field));
  return faults.length === 0 ? message : `${faults.map(([field, why]) => `${field}: ${why}`).join('; ')}.`;
}

/** The details from which Anthropic's client can continue by itself. */
function recoveryOf({ error, details }: { error: string; details?: unknown }): { details?: Loose } {
  const recovery = isObject(details) ? details['recovery'] : undefined;
  if (isObject(recovery)) return { details: recovery };
  const field = NAMES_FIELDS.has(error)
    ? Object.keys(details ?? {}).find((name) => Object.hasOwn(RETRIED_WITHOUT, name))
    : undefined;
  return field === undefined ? {} : { details: { error_code: RETRIED_WITHOUT[field as keyof typeof RETRIED_WITHOUT] } };
}

function fieldOf(code: string, details: unknown): string | null {
  if (isObject(details) && typeof details['param'] === 'string') return details['param'];
  if (!NAMES_FIELDS.has(code)) return null;
  return Object.keys(details ?? {})[0] ?? null;
}

function typeOfStatus(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
