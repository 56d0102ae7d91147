import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../test/support/neutral-answers.ts';
import { createUsageChunkFilter } from './drop-usage-chunk.ts';
import { toPassThroughBody } from './pass-through.ts';

function filter(text: string, lengths: readonly number[]): string {
  const made = createUsageChunkFilter();
  const out = chunk(Buffer.from(text), lengths).map((piece) => made.feed(piece));
  return Buffer.concat([...out, made.end()]).toString();
}

const word = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"Grüße \\"usage\\":{ 🌍"}}],"usage":null}';
const counts = 'data: {"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';

describe('the usage chunk that a client did not ask for', () => {
  test.each(['\n\n', '\r\n\r\n'])('is taken out, in any chunks, and nothing else changes', (blank) => {
    const kept = [
      word,
      'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}',
      ': ping',
      'data: {"choices":[],"prompt_filter_results":[]}',
    ];
    const stream = [...kept, counts, 'data: [DONE]', ''].join(blank);
    const expected = [...kept, 'data: [DONE]', ''].join(blank);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 }), (lengths) => {
        expect(filter(stream, lengths)).toBe(expected);
      }),
    );
  });

  test('a chunk of bytes without usage is handed on as it is, not copied', () => {
    const bytes = Buffer.from(`data: {"choices":[{"delta":{"content":"x"}}]}\n\n`);
    const made = createUsageChunkFilter();
    expect(made.feed(bytes).buffer).toBe(bytes.buffer);
  });

  test('an event without end is handed on instead of being held for ever', () => {
    const made = createUsageChunkFilter();
    let sent = 0;
    for (let turn = 0; turn < 40; turn += 1) sent += made.feed(Buffer.alloc(64 * 1024, 'x')).length;
    expect(sent).toBeGreaterThan(1024 * 1024);
    expect(sent + made.end().length).toBe(40 * 64 * 1024);
  });
});

const THEIRS = { model: 'theirs', target: 'openai' } as const;

describe('a body that is passed through', () => {
  test('gets another model, and usage on a stream of Chat Completions', () => {
    const body = { model: 'ours', stream: true, stream_options: { include_obfuscation: false }, anything: [1] };
    expect(toPassThroughBody('chat', body, THEIRS)).toEqual({
      model: 'theirs',
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
      anything: [1],
    });
    expect(toPassThroughBody('chat', { model: 'ours' }, THEIRS)).toEqual({ model: 'theirs' });
    expect(toPassThroughBody('messages', body, THEIRS)).toEqual({ ...body, model: 'theirs' });
    expect(body.model).toBe('ours');
  });
});
