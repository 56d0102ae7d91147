import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../base/errors.ts';
import { encodeAnthropicError, encodeOpenAiError } from './encode-error.ts';
import { ProviderError } from './provider-error.ts';
import type { FailureKind } from './neutral.ts';
import { failureForClient, PROVIDER_FAILURES } from './provider-failures.ts';

const KINDS = Object.keys(PROVIDER_FAILURES) as FailureKind[];
const error = (kind: FailureKind, message = 'said', more = {}): ProviderError =>
  new ProviderError({ kind, message, ...more }, { provider: 'OpenAI' });

/** Statuses and types that the providers document, by kind: what clients act on. */
const WIRE = {
  context_length: [400, 'invalid_request_error', 'context_length_exceeded', 400, 'invalid_request_error'],
  too_large: [413, 'invalid_request_error', 'request_too_large', 413, 'request_too_large'],
  invalid: [400, 'invalid_request_error', 'provider_refused', 400, 'invalid_request_error'],
  not_found: [404, 'invalid_request_error', 'model_not_found', 404, 'not_found_error'],
  rate_limit: [429, 'rate_limit_error', 'provider_rate_limited', 429, 'rate_limit_error'],
  quota: [429, 'insufficient_quota', 'insufficient_quota', 402, 'billing_error'],
  overloaded: [503, 'service_unavailable_error', 'server_is_overloaded', 529, 'overloaded_error'],
  authentication: [502, 'server_error', 'provider_key_rejected', 502, 'provider_key_rejected'],
  timeout: [504, 'server_error', 'provider_timeout', 504, 'provider_timeout'],
  stopping: [503, 'server_error', 'unavailable', 503, 'unavailable'],
  other: [502, 'server_error', 'provider_unavailable', 502, 'provider_unavailable'],
} as const satisfies Record<FailureKind, readonly [number, string, string, number, string]>;

describe('a failure of a provider on /v1', () => {
  test.each(KINDS)('%s has a status, type and code on every surface', (kind) => {
    const [openAiStatus, type, code, anthropicStatus, anthropicType] = WIRE[kind];
    expect(encodeOpenAiError(error(kind))).toMatchObject({ status: openAiStatus, body: { error: { type, code } } });
    expect(encodeAnthropicError(error(kind))).toMatchObject({
      status: anthropicStatus,
      body: { error: { type: anthropicType } },
    });
  });

  test.each(KINDS)('%s is an error of ours anywhere else', (kind) => {
    expect(ERRORS[PROVIDER_FAILURES[kind].error]).toBeDefined();
    expect(error(kind).code).toBe(PROVIDER_FAILURES[kind].error);
  });

  test('keeps a code and a place that the provider names', () => {
    expect(
      encodeOpenAiError(error('invalid', 'no', { code: 'unsupported_parameter', param: 'max_tokens' })).body,
    ).toEqual({
      error: { message: 'no', type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
    });
    expect(encodeOpenAiError(error('rate_limit', 'no', { code: 'rate_limit_exceeded' })).body.error.code).toBe(
      'rate_limit_exceeded',
    );
  });

  test("says that a key was rejected in the specification's words, whatever the provider said", () => {
    expect(encodeOpenAiError(error('authentication', 'Incorrect key')).body.error.message).toBe(
      'Unable to connect to the AI service. Verify that your organization OpenAI API key is valid.',
    );
  });
});

describe('a conversation that is too long', () => {
  const anthropic = 'prompt is too long: 208310 tokens > 200000 maximum';
  const openai =
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.";

  test('keeps the provider’s wording if the client knows it', () => {
    expect(encodeAnthropicError(error('context_length', anthropic)).body.error).toEqual({
      type: 'invalid_request_error',
      message: anthropic,
    });
    expect(encodeOpenAiError(error('context_length', openai)).body.error.message).toBe(openai);
  });

  test.each([
    [openai, 'prompt is too long: 204308 tokens > 128000 maximum'],
    [
      "This model's maximum context length is 4097 tokens, however you requested 4231 tokens (3975 in your prompt; 256 for the completion).",
      'prompt is too long: 4231 tokens > 4097 maximum',
    ],
    [
      'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
      'prompt is too long: 5000 tokens > 4096 maximum',
    ],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'prompt is too long: 1200000 tokens > 1048576 maximum',
    ],
    [
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'prompt is too long: the input exceeds the context window of this model',
    ],
  ])('reaches Claude Code as the sentence it compacts on: %s', (said, expected) => {
    const { message } = encodeAnthropicError(error('context_length', said)).body.error;
    expect(message).toBe(expected);
  });

  test.each([
    [
      anthropic,
      "This model's maximum context length is 200000 tokens. However, your messages resulted in 208310 tokens. Please reduce the length of the messages.",
    ],
    [
      'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length',
      "This model's maximum context length is 200000 tokens. However, your messages resulted in 207951 tokens. Please reduce the length of the messages.",
    ],
    [
      'prompt is too long',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
  ])('reaches clients of OpenAI in its words: %s', (said, expected) => {
    expect(encodeOpenAiError(error('context_length', said)).body.error).toEqual({
      message: expected,
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    });
    expect(encodeOpenAiError(error('context_length', said), 'responses').body.error.param).toBe('input');
  });
});

describe('on platform credit', () => {
  test.each(['authentication', 'quota', 'not_found'] as const)(
    '%s is a trouble of the deployment that nobody else reads about',
    (kind) => {
      expect(failureForClient({ kind, message: 'said', code: 'c', param: 'p' }, false)).toEqual({
        kind: 'other',
        message: 'The AI service returned an error. Try again shortly.',
      });
      expect(failureForClient({ kind, message: 'said' }, true)).toEqual({ kind, message: 'said' });
    },
  );

  test('a limit of the deployment is reported without its numbers, and a fault of the request in full', () => {
    expect(
      failureForClient({ kind: 'rate_limit', message: 'Limit 30000, Used 22999', code: 'rate_limit_exceeded' }, false),
    ).toEqual({ kind: 'rate_limit', message: "The provider's rate limit was reached. Wait a moment, then try again." });
    for (const kind of ['context_length', 'too_large', 'invalid', 'overloaded'] as const)
      expect(failureForClient({ kind, message: 'said' }, false).message).toBe('said');
  });
});
