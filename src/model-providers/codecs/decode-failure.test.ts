import { describe, expect, test } from 'vitest';
import { decodeFailure, describeFailure } from './decode-failure.ts';

describe('a failure of a provider', () => {
  test.each([
    [401, 'authentication'],
    [403, 'authentication'],
    [429, 'rate_limit'],
    [400, 'invalid'],
    [402, 'quota'],
    [408, 'timeout'],
    [413, 'too_large'],
    [422, 'invalid'],
    [404, 'not_found'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [529, 'overloaded'],
    [500, 'other'],
    [502, 'other'],
    [302, 'other'],
  ])('of status %i is %s', (status, kind) => {
    expect(decodeFailure(status, '{}').kind).toBe(kind);
  });

  test('is recognized by its name if the status says nothing', () => {
    expect(describeFailure({ type: 'overloaded_error', message: 'busy' })).toEqual({
      kind: 'overloaded',
      message: 'busy',
    });
    expect(describeFailure({ code: 'rate_limit_exceeded', type: 'x', message: 'slow' })).toEqual({
      kind: 'rate_limit',
      message: 'slow',
      code: 'rate_limit_exceeded',
    });
    expect(describeFailure({ type: 'constructor', message: 'm' }).kind).toBe('other');
    expect(decodeFailure(502, '{"error":{"type":"invalid_request_error","message":"m"}}').kind).toBe('other');
    expect(decodeFailure(500, '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}')).toEqual({
      kind: 'overloaded',
      message: 'busy',
    });
  });

  test('keeps the message of OpenAI, Anthropic and other servers', () => {
    expect(
      decodeFailure(400, '{"error":{"message":"max_tokens is too large","type":"invalid_request_error"}}').message,
    ).toBe('max_tokens is too large');
    expect(decodeFailure(400, Buffer.from('{"detail":"bad model"}')).message).toBe('bad model');
    expect(decodeFailure(400, '{"error":"plain"}').message).toBe('plain');
    expect(decodeFailure(503, '<html>nginx</html>').message).toBe('The provider is overloaded. Try again shortly.');
  });

  test.each([
    [400, { code: 'context_length_exceeded', message: 'm' }, 'context_length'],
    [
      400,
      { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      'context_length',
    ],
    [
      400,
      {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
      },
      'context_length',
    ],
    [
      400,
      {
        code: 400,
        type: 'BadRequestError',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      },
      'context_length',
    ],
    [
      400,
      {
        type: 'exceed_context_size_error',
        message: 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
      },
      'context_length',
    ],
    [413, { message: 'The request exceeds the context window.' }, 'context_length'],
    [413, { type: 'request_too_large', message: 'Request exceeds the maximum size' }, 'too_large'],
    [
      429,
      { type: 'insufficient_quota', code: 'insufficient_quota', message: 'You exceeded your current quota' },
      'quota',
    ],
    [
      400,
      { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
      'quota',
    ],
    [503, { code: 'slow_down', message: 'm' }, 'overloaded'],
    [429, { code: 'slow_down', message: 'm' }, 'rate_limit'],
    [403, { code: 'misalignment_policy_violation', message: 'm' }, 'invalid'],
    [401, { message: 'maximum context length' }, 'authentication'],
  ])('of status %i that says %j is %s', (status, error, kind) => {
    expect(decodeFailure(status, JSON.stringify({ error })).kind).toBe(kind);
  });

  test('keeps the code and the path that the provider names, but no code that is a sentence', () => {
    expect(
      decodeFailure(400, '{"error":{"message":"no","code":"unsupported_parameter","param":"max_tokens"}}'),
    ).toEqual({ kind: 'invalid', message: 'no', code: 'unsupported_parameter', param: 'max_tokens' });
    expect(decodeFailure(400, '{"error":{"message":"no","code":"a key sk-proj-abcdef","param":null}}')).toEqual({
      kind: 'invalid',
      message: 'no',
    });
  });

  test('never names the account that was used', () => {
    const said =
      'Rate limit reached for gpt-5 in organization org-AbCdEfGh12345678 (project proj_AbCdEfGh12345678), 7d1b2c3d-0000-4000-8000-1234567890ab, request req_011CSHoEeqs5C35K2UUqR7Fy. Please try again in 11.054s.';
    const { message } = decodeFailure(429, JSON.stringify({ error: { message: said } }));
    expect(message).not.toMatch(/org-|proj_|req_|7d1b/);
    expect(message).toContain('Please try again in 11.054s.');
  });

  test('never repeats a key', () => {
    const said = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-proj-abc***xyz.' } });
    expect(decodeFailure(401, said).message).not.toContain('abc');
    expect(decodeFailure(400, said).message).toBe('Incorrect API key provided: [key]');
    expect(decodeFailure(400, '{"error":{"message":"header Bearer abcdef and sk-ant-api03-AbC_d"}}').message).toBe(
      'header Bearer [key] and [key]',
    );
    expect(decodeFailure(400, JSON.stringify({ error: { message: 'x'.repeat(5000) } })).message).toHaveLength(1000);
  });
});
