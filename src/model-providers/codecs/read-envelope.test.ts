import { describe, expect, test } from 'vitest';
import { readEnvelope } from './read-envelope.ts';

describe('the envelope of a request', () => {
  test('contains what must be known first', () => {
    expect(
      readEnvelope('chat', {
        model: 'm',
        messages: [],
        stream: true,
        n: 3,
        max_tokens: 5,
        max_completion_tokens: 7,
        stream_options: { include_usage: true },
      }),
    ).toEqual({ model: 'm', stream: true, maxOutputTokens: 7, answers: 3, includeUsage: true });
    expect(readEnvelope('messages', { model: 'm', messages: [], max_tokens: 5, n: 9 })).toEqual({
      model: 'm',
      stream: false,
      maxOutputTokens: 5,
      answers: 1,
      includeUsage: false,
    });
    expect(readEnvelope('responses', { model: 'm', input: 'x', max_output_tokens: null })).toEqual({
      model: 'm',
      stream: false,
      maxOutputTokens: undefined,
      answers: 1,
      includeUsage: false,
    });
  });

  test('names each fault', () => {
    expect(() => readEnvelope('chat', { messages: 'x', stream: 1, n: 0, max_tokens: 1.5 })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: {
          messages: expect.any(String),
          model: expect.any(String),
          stream: expect.any(String),
          n: expect.any(String),
          max_tokens: expect.any(String),
        },
      }),
    );
  });
});
