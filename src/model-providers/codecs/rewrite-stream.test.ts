import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { chunk } from '../../../test/support/models/neutral-answers.ts';
import type { Protocol } from './neutral.ts';
import { toPassThroughBody } from './pass-through.ts';
import {
  correctAnswer,
  createCorrector,
  createModelRenamer,
  createUsageChunkFilter,
  findCorrections,
  renameModel,
} from './rewrite-stream.ts';

function rename(protocol: Protocol, text: string, lengths: readonly number[]): string {
  const made = createModelRenamer(protocol, 'openai/ours');
  const out = chunk(Buffer.from(text), lengths).map((piece) => Buffer.from(made.feed(piece)));
  return Buffer.concat([...out, made.end()]).toString();
}

/** What a model writes may look like the key; in JSON its quotes are escaped. */
const written = JSON.stringify('"model":"x" and "model": "y", "response":{"model":"z"} Grüße 🌍');

const STREAMS: Readonly<Record<Protocol, (model: string) => string>> = {
  chat: (model) =>
    [
      `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"${model}","choices":[{"index":0,"delta":{"role":"assistant","content":${written}}}]}`,
      ': ping',
      `data: {"id":"c","created":1,"model": "${model}","choices":[{"index":0,"delta":{"content":${written}}}],"extra":{"model":"kept"}}`,
      `data: {"id":"c","model":"${model}","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
      'data: {"id":"c","model":null,"choices":[],"other":{"model":"kept"}}',
      'data: [DONE]',
      '',
    ].join('\n\n'),
  messages: (model) =>
    [
      `event: message_start\ndata: {"type":"message_start","message":{"model":"${model}","id":"msg","type":"message","content":[]}}`,
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${written}}}`,
      'event: content_block_start\ndata: {"type":"content_block_start","message":{"model":"kept"}}',
      '',
    ].join('\r\n\r\n'),
  responses: (model) =>
    [
      `event: response.created\ndata: {"type":"response.created","response":{"id":"r","instructions":${written},"model":"${model}","output":[],"tools":[{"parameters":{"default":{"model":"kept"}}}],"metadata":{"model":"kept"}}}`,
      `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":${written}}`,
      'event: response.output_item.done\ndata: {"type":"response.output_item.done","item":{"type":"mcp_list_tools","tools":[{"input_schema":{"default":{"model":"kept"}}}]}}',
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","model":"${model}","output":[{"text":${written}}],"metadata":{"model":"kept"}}}`,
      '',
    ].join('\n\n'),
};

describe.each(Object.entries(STREAMS) as [Protocol, (model: string) => string][])(
  'a stream of %s',
  (protocol, stream) => {
    it('replaces the model name, however the bytes are split, and changes nothing else', () => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
          fc.stringMatching(/^[a-z0-9.-]{1,40}$/),
          (lengths, theirs) => {
            expect(rename(protocol, stream(theirs), lengths)).toBe(stream('openai/ours'));
          },
        ),
        { numRuns: 300 },
      );
    });

    it('leaves every other byte alone', () => {
      fc.assert(
        fc.property(
          fc.array(
            fc.constantFrom(
              '"model":',
              '"mod',
              'el":',
              '"',
              ' ',
              '\n',
              'data: {"x":1}',
              '"response":{',
              '"message":{',
              '\\',
              'é',
            ),
            { maxLength: 40 },
          ),
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
          (parts, lengths) => {
            const text = parts.join('');
            const renamed = rename(protocol, text, lengths);
            expect(renamed).toBe(rename(protocol, text, [text.length || 1]));
            expect(renamed.replaceAll('openai/ours', '').length).toBeLessThanOrEqual(text.length);
          },
        ),
      );
    });
  },
);

it('a chunk without the name is passed on without a copy', () => {
  const bytes = Buffer.from('data: {"type":"response.output_text.delta","delta":"x"}\n\n');
  expect(createModelRenamer('responses', 'ours').feed(bytes).buffer).toBe(bytes.buffer);
});

it('an endless value is not held forever', () => {
  const made = createModelRenamer('chat', 'ours');
  made.feed(Buffer.from('data: {"model":"'));
  expect(made.feed(Buffer.alloc(1024, 'x')).length).toBe(1024 + 'data: {"model":"'.length - 'data: {'.length);
});

describe('a whole answer', () => {
  it.each([
    [
      '{"id":"a","model":"gpt-5-2025-08-07","choices":[{"message":{"content":"\\"model\\":\\"gpt-5-2025-08-07\\""}}]}',
      'gpt-5-2025-08-07',
    ],
    ['{\n  "object": "list",\n  "data": [],\n  "model": "text-embedding-3-small"\n}', 'text-embedding-3-small'],
  ])('has the model name replaced: %s', (text, theirs) => {
    expect(renameModel(Buffer.from(text), theirs, 'openai/x').toString()).toBe(
      text.replace(`"${theirs}"`, '"openai/x"'),
    );
  });

  it('without a model name is left alone', () =>
    expect(renameModel(Buffer.from('{"model":7}'), 7, 'x').toString()).toBe('{"model":7}'));
});

function filter(text: string, lengths: readonly number[]): string {
  const made = createUsageChunkFilter();
  const out = chunk(Buffer.from(text), lengths).map((piece) => made.feed(piece));
  return Buffer.concat([...out, made.end()]).toString();
}

const word = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"Grüße \\"usage\\":{ 🌍"}}],"usage":null}';
const counts = 'data: {"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';

describe('the usage chunk that a client did not ask for', () => {
  test.each(['\n\n', '\r\n\r\n'])('is removed in any chunking, and nothing else changes', (blank) => {
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

  test('a chunk without usage is passed on without a copy', () => {
    const bytes = Buffer.from(`data: {"choices":[{"delta":{"content":"x"}}]}\n\n`);
    const made = createUsageChunkFilter();
    expect(made.feed(bytes).buffer).toBe(bytes.buffer);
  });

  test('an endless event is passed on instead of being held forever', () => {
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

describe('what an answer says of storing', () => {
  const request = { previous_response_id: 'resp_before', store: true };
  const corrections = findCorrections('responses', { request });
  const said = (previous: string, store: string): string =>
    `data: {"type":"response.completed","response":{"output":[{"text":${JSON.stringify('"store":false, "previous_response_id":null')}}],"previous_response_id":${previous},"store": ${store},"metadata":{"store":"false"}}}\n\n`;

  it('is what is true here, in pieces of any size and as a whole', () => {
    const theirs = said('null', 'false');
    const ours = said('"resp_before"', 'true');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (lengths) => {
        const corrector = createCorrector(corrections);
        const out = chunk(Buffer.from(theirs), lengths).map((piece) => Buffer.from(corrector.feed(piece)));
        expect(Buffer.concat([...out, corrector.end()]).toString()).toBe(ours);
      }),
    );
    expect(correctAnswer(Buffer.from(theirs), corrections).toString()).toBe(ours);
  });

  it('is passed on where nothing is stored and nothing was referred to, and on other surfaces', () => {
    expect(findCorrections('responses', { request: { store: false } })).toEqual([]);
    expect(findCorrections('chat', { request })).toEqual([]);
  });
});
