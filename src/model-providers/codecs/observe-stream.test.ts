import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk, neutralAnswer, toEvents } from '../../../test/support/models/neutral-answers.ts';
import { createStreamEncoder } from './encode-answer.ts';
import { createStreamObserver, type Observation } from './observe-stream.ts';
import { observeResponse } from './observe-response.ts';
import type { OutputPart, Protocol } from './neutral.ts';

function observe(protocol: Protocol, text: string, lengths?: readonly number[]): Observation {
  const observer = createStreamObserver(protocol);
  const bytes = Buffer.from(text);
  for (const piece of chunk(bytes, lengths ?? [bytes.length])) observer.feed(piece);
  return observer.see();
}

const sizeOf = (part: OutputPart): number => Buffer.byteLength(part.type === 'tool-call' ? part.arguments : part.text);
const ID = { chat: 'chatcmpl-k', messages: 'msg_k', responses: 'resp_k' };

describe('observing a stream that is passed through', () => {
  test.each(['chat', 'messages', 'responses'] as const)(
    'sees id, usage, size and end of %s in any chunks',
    (protocol) => {
      fc.assert(
        fc.property(
          neutralAnswer,
          fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }),
          (answer, lengths) => {
            const encoder = createStreamEncoder(protocol, {
              key: 'k',
              model: 'm',
              createdSeconds: 1,
              includeUsage: true,
              request: { tools: [{ parameters: { properties: { usage: { type: 'string', input_tokens: 'x' } } } }] },
            });
            const text = toEvents(answer)
              .map((event) => encoder.encode(event))
              .join('');
            const outputBytes = answer.parts.reduce((sum, part) => sum + sizeOf(part), 0);
            expect(observe(protocol, text, lengths)).toEqual({
              id: ID[protocol],
              usage: answer.usage,
              usageFinal: true,
              outputBytes,
              finished: true,
            });
          },
        ),
      );
    },
  );

  test('takes spaces after colons, as other servers write them, and escaped characters at their size', () => {
    const seen = observe(
      'chat',
      'data: {"id": "x", "choices": [{"delta": {"content": "\\u4e16\\n\\"q\\""}, "finish_reason": "stop"}]}\n\ndata: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}\n\n',
    );
    expect(seen).toMatchObject({ id: 'x', outputBytes: 7, finished: true, usage: { inputTokens: 3, outputTokens: 2 } });
  });

  test('counts the text that a custom tool is called with', () => {
    expect(
      observe(
        'chat',
        'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"type":"custom","custom":{"name":"sql","input":"SELECT"}}]}}]}\n\n',
      ),
    ).toMatchObject({ outputBytes: 6 });
    expect(
      observe('responses', 'data: {"type":"response.custom_tool_call_input.delta","delta":"SELECT"}\n\n'),
    ).toMatchObject({ outputBytes: 6 });
  });

  test('knows the input of Anthropic before the end, and that it is not the final count', () => {
    const start =
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":5,"cache_read_input_tokens":7,"output_tokens":1}}}\n\n';
    expect(observe('messages', start)).toMatchObject({
      id: 'msg_1',
      usageFinal: false,
      finished: false,
      usage: { inputTokens: 12, cacheReadTokens: 7 },
    });
    expect(
      observe(
        'messages',
        `${start}data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}\n\n`,
      ),
    ).toMatchObject({ usageFinal: true, finished: false, usage: { inputTokens: 12, outputTokens: 9 } });
  });

  test('is not misled by what a model writes', () => {
    const text = JSON.stringify({
      id: 'x',
      choices: [{ index: 0, delta: { content: '"usage":{"prompt_tokens":1},"finish_reason":"stop","content":"abc"' } }],
    });
    expect(observe('chat', `data: ${text}\n\n`)).toMatchObject({ usage: undefined, finished: false });
  });

  test('finds the usage at the end of a line that is too long to keep', () => {
    const last = JSON.stringify({
      type: 'response.completed',
      response: {
        id: 'resp_1',
        output: [{ text: 'x'.repeat(3_000_000) }],
        usage: { input_tokens: 4, output_tokens: 6 },
      },
    });
    expect(observe('responses', `event: response.completed\ndata: ${last}\n\n`, [65_536])).toMatchObject({
      finished: true,
      usage: { inputTokens: 4, outputTokens: 6 },
    });
  });

  test('keeps the last event whole on request, in any chunking, and returns it once', () => {
    const last = JSON.stringify({
      type: 'response.completed',
      response: { id: 'resp_1', output: [{ text: `Grüße ${'x'.repeat(2_000_000)}` }] },
    });
    for (const length of [1_000, 65_536, 3_000_000]) {
      const observer = createStreamObserver('responses', { keepLineBytes: 4_000_000 });
      for (const piece of chunk(
        Buffer.from(
          `event: response.created\ndata: {"type":"response.created"}\n\nevent: response.completed\ndata: ${last}\n\n`,
        ),
        [length],
      ))
        observer.feed(piece);
      expect([observer.takeEnd(), observer.takeEnd()]).toEqual([`data: ${last}`, undefined]);
    }
  });

  test('reads a whole answer', () => {
    expect(observeResponse('messages', { id: 'm', usage: { input_tokens: 1, output_tokens: 2 } })).toMatchObject({
      id: 'm',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(observeResponse('chat', { usage: { prompt_tokens: 8, total_tokens: 8 } })).toMatchObject({
      id: undefined,
      usage: { inputTokens: 8, outputTokens: 0 },
    });
    expect(observeResponse('chat', 'x')).toEqual({ id: undefined, usage: undefined });
  });
});
