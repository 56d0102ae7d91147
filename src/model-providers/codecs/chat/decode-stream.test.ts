import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../../test/support/models/neutral-answers.ts';
import type { NeutralEvent } from '../neutral.ts';
import { createChatStreamDecoder } from './decode-stream.ts';

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const piece = (delta: object, finish: string | null = null): string =>
  data({ id: 'chatcmpl-1', model: 'gpt', choices: [{ index: 0, delta, finish_reason: finish }], usage: null });
const usage = data({
  id: 'chatcmpl-1',
  choices: [],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 5,
    total_tokens: 17,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
});
const DONE = 'data: [DONE]\n\n';

function decode(
  text: string,
  lengths?: readonly number[],
  limits?: { maxEventBytes?: number; maxStreamBytes?: number },
): NeutralEvent[] {
  const decoder = createChatStreamDecoder(limits);
  const bytes = Buffer.from(text);
  return [...chunk(bytes, lengths ?? [bytes.length]).flatMap((part) => decoder.feed(part)), ...decoder.end()];
}

const kinds = (events: NeutralEvent[]): string =>
  events
    .map((event) => ('text' in event ? event.text : 'index' in event ? `${event.type}${event.index}` : event.type))
    .join(' ');
const callDelta = (index: number, fields: object): object => ({ tool_calls: [{ index, ...fields }] });

describe('a stream of Chat Completions', () => {
  test('produces start, text, usage and finish, in this order', () => {
    expect(
      decode(
        piece({ role: 'assistant', content: '' }) +
          piece({ content: 'Hel' }) +
          piece({ content: 'lo' }) +
          piece({}, 'stop') +
          usage +
          DONE,
      ),
    ).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'gpt' },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      {
        type: 'usage',
        usage: { inputTokens: 12, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 0, reasoningTokens: 2 },
        final: true,
      },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('produces tool calls one after another, and reports them even if the provider’s finish reason is stop', () => {
    const stream =
      piece(callDelta(0, { id: 'a', function: { name: 'f', arguments: '' } })) +
      piece(callDelta(0, { function: { arguments: '{"x":' } })) +
      piece(callDelta(0, { function: { arguments: '1}' } })) +
      piece(callDelta(1, { id: 'b', function: { name: 'g', arguments: '{}' } })) +
      piece({}, 'stop') +
      DONE;
    expect(decode(stream).slice(1)).toEqual([
      { type: 'tool-start', index: 0, id: 'a', name: 'f' },
      { type: 'tool-arguments', index: 0, text: '{"x":' },
      { type: 'tool-arguments', index: 0, text: '1}' },
      { type: 'tool-end', index: 0 },
      { type: 'tool-start', index: 1, id: 'b', name: 'g' },
      { type: 'tool-arguments', index: 1, text: '{}' },
      { type: 'tool-end', index: 1 },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('puts interleaved calls and text in order', () => {
    const stream =
      piece(callDelta(0, { id: 'a', function: { name: 'f', arguments: '{"x"' } })) +
      piece(callDelta(1, { id: 'b', function: { name: 'g', arguments: '{"y"' } })) +
      piece({ content: 'between' }) +
      piece(callDelta(0, { function: { arguments: ':1}' } })) +
      piece(callDelta(1, { function: { arguments: ':2}' } })) +
      piece({}, 'tool_calls') +
      DONE;
    expect(kinds(decode(stream))).toBe(
      'start tool-start0 {"x" :1} tool-end0 tool-start1 {"y":2} tool-end1 between finish',
    );
  });

  test('tells calls apart that share an index, and names a call that has no id', () => {
    const stream =
      piece(callDelta(0, { id: 'a', function: { name: 'f', arguments: '{}' } })) +
      piece(callDelta(0, { id: 'b', function: { name: 'f', arguments: '{}' } })) +
      piece({ tool_calls: [{ index: 3, function: { name: 'h' } }] }) +
      piece({}, 'tool_calls') +
      DONE;
    const starts = decode(stream).filter((event) => event.type === 'tool-start');
    expect(starts.map((event) => event.id)).toEqual(['a', 'b', 'call_chatcmpl-1_3']);
    expect(
      decode(stream)
        .filter((event) => event.type === 'tool-arguments')
        .map((event) => event.text),
    ).toEqual(['{}', '{}', '{}']);
  });

  test('reads reasoning and refusals', () => {
    expect(
      kinds(
        decode(
          piece({ reasoning_content: 'hm' }) +
            piece({ reasoning: 'so' }) +
            piece({ refusal: 'no' }) +
            piece({}, 'content_filter') +
            DONE,
        ),
      ),
    ).toBe('start hm so no finish');
  });

  test('ends well without [DONE] when the finish reason came, and with an error when it did not', () => {
    expect(decode(piece({ content: 'x' }) + piece({}, 'length')).at(-1)).toEqual({ type: 'finish', reason: 'length' });
    expect(decode(piece({ content: 'x' })).at(-1)).toEqual({
      type: 'error',
      kind: 'other',
      message: 'The provider ended the answer early.',
    });
    expect(decode('').at(-1)).toMatchObject({ type: 'error' });
  });

  test('turns an error of the provider, malformed JSON and an oversized event into one error, the last event', () => {
    const overloaded = data({ error: { type: 'overloaded_error', message: 'busy' } });
    expect(decode(piece({ content: 'x' }) + overloaded + piece({ content: 'y' }) + DONE).slice(2)).toEqual([
      { type: 'error', kind: 'overloaded', message: 'busy' },
    ]);
    for (const bad of ['data: {"id"\n\n', 'data: 7\n\n', 'data: []\n\n'])
      expect(decode(bad + piece({}, 'stop') + DONE)).toEqual([
        { type: 'error', kind: 'other', message: 'The provider sent a malformed stream.' },
      ]);
    expect(decode(piece({ content: 'x'.repeat(500) }), [10], { maxEventBytes: 400 })).toEqual([
      { type: 'error', kind: 'other', message: 'The provider sent an event that is too large.' },
    ]);
    expect(decode(piece({ content: 'x' }).repeat(50), [10], { maxStreamBytes: 400 }).at(-1)).toMatchObject({
      type: 'error',
      message: 'The provider sent an answer that is too long.',
    });
  });

  test('produces the same events for any chunking', () => {
    const stream = (
      piece({ content: 'Grüße 🌍' }) +
      piece(callDelta(0, { id: 'a', function: { name: 'f', arguments: '{"ü":1}' } })) +
      piece({}, 'tool_calls') +
      usage +
      DONE
    ).replaceAll('\n\n', '\r\n\r\n');
    const whole = decode(stream);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        expect(decode(stream, lengths)).toEqual(whole);
      }),
    );
  });
});
