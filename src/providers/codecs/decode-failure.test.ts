import { describe, expect, test } from 'vitest';
import { decodeFailure, describeFailure } from './decode-failure.ts';

describe('a failure of a provider', () => {
  test.each([
    [401, 'authentication'], [403, 'authentication'], [429, 'rate_limit'], [400, 'invalid'], [413, 'invalid'], [422, 'invalid'], [404, 'not_found'], [503, 'overloaded'], [529, 'overloaded'], [500, 'other'], [302, 'other'],
  ])('of status %i is %s', (status, kind) => {
    expect(decodeFailure(status, '{}').kind).toBe(kind);
  });

  test('is told by its name when no status tells', () => {
    expect(describeFailure({ type: 'overloaded_error', message: 'busy' })).toEqual({ kind: 'overloaded', message: 'busy' });
    expect(describeFailure({ code: 'rate_limit_exceeded', type: 'x', message: 'slow' })).toEqual({ kind: 'rate_limit', message: 'slow' });
    expect(describeFailure({ type: 'constructor', message: 'm' }).kind).toBe('other');
    expect(decodeFailure(500, '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}')).toEqual({ kind: 'overloaded', message: 'busy' });
  });

  test('keeps the message of OpenAI, Anthropic and other servers', () => {
    expect(decodeFailure(400, '{"error":{"message":"max_tokens is too large","type":"invalid_request_error"}}').message).toBe('max_tokens is too large');
    expect(decodeFailure(400, Buffer.from('{"detail":"bad model"}')).message).toBe('bad model');
    expect(decodeFailure(400, '{"error":"plain"}').message).toBe('plain');
    expect(decodeFailure(502, '<html>nginx</html>').message).toBe('The provider is overloaded. Try again shortly.');
  });

  test('never repeats a key', () => {
    const said = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-proj-abc***xyz.' } });
    expect(decodeFailure(401, said).message).not.toContain('abc');
    expect(decodeFailure(400, said).message).toBe('Incorrect API key provided: [key]');
    expect(decodeFailure(400, '{"error":{"message":"header Bearer abcdef and sk-ant-api03-AbC_d"}}').message).toBe('header Bearer [key] and [key]');
    expect(decodeFailure(400, JSON.stringify({ error: { message: 'x'.repeat(5000) } })).message).toHaveLength(1000);
  });
});
