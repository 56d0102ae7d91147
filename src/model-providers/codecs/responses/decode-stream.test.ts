import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../../test/support/models/neutral-answers.ts';
import type { NeutralEvent } from '../neutral.ts';
import { decodeResponsesResponse } from './decode-response.ts';
import { createResponsesStreamDecoder } from './decode-stream.ts';

let sequence = 0;
const send = (event: { type: string } & Record<string, unknown>): string =>
  `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: (sequence += 1) })}\n\n`;
const output = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'one' },
      { type: 'summary_text', text: 'two' },
    ],
  },
  { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
];
const final = {
  id: 'resp_1',
  model: 'gpt',
  status: 'completed',
  output,
  usage: {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 1 },
  },
};
const STREAM =
  send({ type: 'response.created', response: { id: 'resp_1', model: 'gpt', status: 'in_progress' } }) +
  send({ type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0 }) +
  send({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'one' }) +
  send({ type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 1 }) +
  send({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'two' }) +
  send({ type: 'response.output_text.delta', output_index: 1, delta: 'Hel' }) +
  send({ type: 'response.output_text.delta', output_index: 1, delta: 'lo' }) +
  send({
    type: 'response.output_item.added',
    output_index: 2,
    item: { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '' },
  }) +
  send({ type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":1}' }) +
  send({ type: 'response.output_item.done', output_index: 2, item: output[2] }) +
  send({ type: 'response.completed', response: final });

function decode(text: string, lengths?: readonly number[]): NeutralEvent[] {
  const decoder = createResponsesStreamDecoder();
  const bytes = Buffer.from(text);
  return [...chunk(bytes, lengths ?? [bytes.length]).flatMap((part) => decoder.feed(part)), ...decoder.end()];
}

describe('a stream of Responses', () => {
  test('produces reasoning, text, calls, usage and finish', () => {
    expect(decode(STREAM)).toEqual([
      { type: 'start', id: 'resp_1', model: 'gpt' },
      { type: 'reasoning', text: 'one' },
      { type: 'reasoning', text: '\n\n' },
      { type: 'reasoning', text: 'two' },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'tool-start', index: 0, id: 'call_1', name: 'f' },
      { type: 'tool-arguments', index: 0, text: '{"a":1}' },
      { type: 'tool-end', index: 0 },
      {
        type: 'usage',
        usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 3, cacheWriteTokens: 0, reasoningTokens: 1 },
        final: true,
      },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('produces the same for a whole answer', () => {
    const joined = (events: NeutralEvent[]): string =>
      events.map((event) => ('text' in event ? event.text : JSON.stringify(event))).join('');
    expect(joined(decodeResponsesResponse(final))).toBe(joined(decode(STREAM)));
  });

  test('produces the same events for any chunking', () => {
    const whole = decode(STREAM);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        expect(decode(STREAM, lengths)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    [
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      { type: 'finish', reason: 'length' },
    ],
    [
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      { type: 'finish', reason: 'content-filter' },
    ],
    [
      { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' } },
      { type: 'error', kind: 'rate_limit', message: 'slow down', code: 'rate_limit_exceeded' },
    ],
  ])('ends %j', (state, last) => {
    expect(decode(send({ type: `response.${state.status}`, response: { id: 'r', ...state } })).at(-1)).toEqual(last);
  });

  test('takes both shapes of an error event, and reports bytes that end early', () => {
    expect(decode(send({ type: 'error', code: 'server_error', message: 'broke' })).at(-1)).toEqual({
      type: 'error',
      kind: 'other',
      message: 'broke',
      code: 'server_error',
    });
    expect(decode(send({ type: 'error', error: { type: 'invalid_request_error', message: 'bad' } })).at(-1)).toEqual({
      type: 'error',
      kind: 'invalid',
      message: 'bad',
    });
    expect(decode(send({ type: 'response.output_text.delta', output_index: 0, delta: 'cut' })).at(-1)).toMatchObject({
      type: 'error',
      message: 'The provider ended the answer early.',
    });
  });
});
