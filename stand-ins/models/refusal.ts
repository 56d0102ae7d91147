// The errors of both providers, with their formats and texts.
import type { Provider } from './demo-request.ts';

interface RefusalRow {
  readonly status: number;
  readonly openai: { readonly type: string; readonly code: string | null };
  readonly anthropic: string;
}

export const REFUSALS = {
  unknown_key: {
    status: 401,
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
    anthropic: 'authentication_error',
  },
  bad_request: {
    status: 400,
    openai: { type: 'invalid_request_error', code: null },
    anthropic: 'invalid_request_error',
  },
  unknown_parameter: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'unknown_parameter' },
    anthropic: 'invalid_request_error',
  },
  unsupported_parameter: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'unsupported_parameter' },
    anthropic: 'invalid_request_error',
  },
  unsupported_value: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'unsupported_value' },
    anthropic: 'invalid_request_error',
  },
  missing_parameter: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'missing_required_parameter' },
    anthropic: 'invalid_request_error',
  },
  invalid_value: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'invalid_value' },
    anthropic: 'invalid_request_error',
  },
  invalid_type: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'invalid_type' },
    anthropic: 'invalid_request_error',
  },
  empty_array: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'empty_array' },
    anthropic: 'invalid_request_error',
  },
  too_long: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'string_above_max_length' },
    anthropic: 'invalid_request_error',
  },
  too_small: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'integer_below_min_value' },
    anthropic: 'invalid_request_error',
  },
  bad_image: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'invalid_image_format' },
    anthropic: 'invalid_request_error',
  },
  foreign_reasoning: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'invalid_encrypted_content' },
    anthropic: 'invalid_request_error',
  },
  unknown_item: { status: 404, openai: { type: 'invalid_request_error', code: null }, anthropic: 'not_found_error' },
  unknown_model: {
    status: 404,
    openai: { type: 'invalid_request_error', code: 'model_not_found' },
    anthropic: 'not_found_error',
  },
  unknown_response: {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'previous_response_not_found' },
    anthropic: 'not_found_error',
  },
  unknown_route: {
    status: 404,
    openai: { type: 'invalid_request_error', code: 'unknown_url' },
    anthropic: 'not_found_error',
  },
  wrong_method: {
    status: 405,
    openai: { type: 'invalid_request_error', code: 'method_not_supported' },
    anthropic: 'invalid_request_error',
  },
  too_large: {
    status: 413,
    openai: { type: 'invalid_request_error', code: 'request_too_large' },
    anthropic: 'request_too_large',
  },
  fault: { status: 500, openai: { type: 'server_error', code: null }, anthropic: 'api_error' },
} as const satisfies Record<string, RefusalRow>;

export type RefusalCode = keyof typeof REFUSALS;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly field: string | undefined;

  constructor(code: RefusalCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

export function badRequest(message: string, field?: string): Refusal {
  return new Refusal('bad_request', message, field);
}

export function renderRefusal(provider: Provider, { code, message, field }: Refusal, requestId: string): object {
  const row = REFUSALS[code];
  if (provider === 'anthropic')
    return {
      type: 'error',
      error: { type: row.anthropic, message: field === undefined ? message : `${field}: ${message}` },
      request_id: requestId,
    };
  return { error: { message, type: row.openai.type, param: field ?? null, code: row.openai.code } };
}
