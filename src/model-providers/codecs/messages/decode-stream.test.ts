import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../../test/support/models/neutral-answers.ts';
import type { NeutralEvent } from '../neutral.ts';
import { createMessagesStreamDecoder } from './decode-stream.ts';

const send = (event: { type: string } & Record<string, unknown>): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const start = send({
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude',
    usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 },
  },
});
const block = (index: number, content_block: object, ...deltas: object[]): string =>
  send({ type: 'content_block_start', index, content_block }) +
  deltas.map((delta) => send({ type: 'content_block_delta', index, delta })).join('') +
  send({ type: 'content_block_stop', index });
const end = (stop_reason: string, stop_sequence: string | null = null): string =>
  send({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence },
    usage: { output_tokens: 30, cache_read_input_tokens: null },
  }) + send({ type: 'message_stop' });

function decode(text: string, lengths?: readonly number[]): NeutralEvent[] {
  const decoder = createMessagesStreamDecoder();
  const bytes = Buffer.from(text);
  return [...chunk(bytes, lengths ?? [bytes.length]).flatMap((part) => decoder.feed(part)), ...decoder.end()];
}

const WHOLE =
  start +
  'event: ping\ndata: {"type": "ping"}\n\n' +
  block(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'Let me see' },
    { type: 'signature_delta', signature: 'sig' },
  ) +
  block(1, { type: 'redacted_thinking', data: 'blob' }) +
  block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'Grüße 🌍' }) +
  block(
    3,
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    { type: 'input_json_delta', partial_json: '' },
    { type: 'input_json_delta', partial_json: '{"a":' },
    { type: 'input_json_delta', partial_json: '1}' },
  ) +
  block(4, { type: 'tool_use', id: 'toolu_2', name: 'g', input: {} }) +
  block(5, { type: 'tool_use', id: 'toolu_3', name: 'h', input: { whole: true } }) +
  end('tool_use');

describe('a stream of Messages', () => {
  test('produces reasoning, text, calls, usage and finish; cached tokens are counted once', () => {
    expect(decode(WHOLE)).toEqual([
      { type: 'start', id: 'msg_1', model: 'claude' },
      {
        type: 'usage',
        usage: { inputTokens: 130, outputTokens: 1, cacheReadTokens: 100, cacheWriteTokens: 20, reasoningTokens: 0 },
        final: false,
      },
      { type: 'reasoning', text: 'Let me see' },
      { type: 'reasoning-signature', signature: 'sig' },
      { type: 'reasoning-redacted', data: 'blob' },
      { type: 'text', text: 'Grüße 🌍' },
      { type: 'tool-start', index: 0, id: 'toolu_1', name: 'f' },
      { type: 'tool-arguments', index: 0, text: '{"a":' },
      { type: 'tool-arguments', index: 0, text: '1}' },
      { type: 'tool-end', index: 0 },
      { type: 'tool-start', index: 1, id: 'toolu_2', name: 'g' },
      { type: 'tool-arguments', index: 1, text: '{}' },
      { type: 'tool-end', index: 1 },
      { type: 'tool-start', index: 2, id: 'toolu_3', name: 'h' },
      { type: 'tool-arguments', index: 2, text: '{"whole":true}' },
      { type: 'tool-end', index: 2 },
      {
        type: 'usage',
        usage: { inputTokens: 130, outputTokens: 30, cacheReadTokens: 100, cacheWriteTokens: 20, reasoningTokens: 0 },
        final: true,
      },
      { type: 'finish', reason: 'tool-calls', stopSequence: undefined },
    ]);
  });

  test('produces the same events for any chunking', () => {
    const whole = decode(WHOLE);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        expect(decode(WHOLE, lengths)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['something_new', 'stop'],
  ])('ends %s as %s', (reason, finish) => {
    expect(decode(start + end(reason, 'X')).at(-1)).toEqual({ type: 'finish', reason: finish, stopSequence: 'X' });
  });

  test('turns an error in the middle into the last event', () => {
    expect(
      decode(
        start + send({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }) + end('end_turn'),
      ).at(-1),
    ).toEqual({ type: 'error', kind: 'overloaded', message: 'Overloaded' });
  });

  test('reports bytes that end before the message does', () => {
    expect(decode(start + block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'cut' })).at(-1)).toEqual({
      type: 'error',
      kind: 'other',
      message: 'The provider ended the answer early.',
    });
  });
});
