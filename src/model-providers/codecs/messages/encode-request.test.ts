import { describe, expect, test } from 'vitest';
import type { NeutralRequest } from '../neutral.ts';
import { encodeMessagesRequest, type MessagesTarget } from './encode-request.ts';

const TARGET: MessagesTarget = { model: 'claude', defaultMaxTokens: 4096, thinking: 'adaptive', sampling: true };
const request = (more: Partial<NeutralRequest> = {}): NeutralRequest => ({
  model: 'm',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  stop: [],
  stream: false,
  ...more,
});
const encode = (more: Partial<NeutralRequest> = {}, target: Partial<MessagesTarget> = {}): Record<string, unknown> =>
  encodeMessagesRequest(request(more), { ...TARGET, ...target });
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const call = { type: 'tool-call', id: 'functions.f:0', name: 'f', arguments: '{"a":1}' } as const;

describe('encoding a request for Anthropic', () => {
  test('names the model and a limit, and nothing that was not asked for', () => {
    expect(encode()).toEqual({
      model: 'claude',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [text('hi')] }],
    });
  });

  test('merges adjacent messages, turns results into user blocks, moves later instructions up, drops empty text', () => {
    const body = encode({
      system: ['one', ' '],
      messages: [
        { role: 'user', parts: [text('a'), text('  ')] },
        { role: 'user', parts: [text('b')] },
        {
          role: 'assistant',
          parts: [
            text(''),
            { type: 'reasoning', text: 'unsigned' },
            { type: 'reasoning', text: 'signed', signature: 's' },
            call,
          ],
        },
        {
          role: 'tool',
          results: [
            { id: 'functions.f:0', parts: [text('42')], isError: false },
            { id: 'c2', parts: [], isError: true },
          ],
        },
        { role: 'user', parts: [text('go on')] },
        { role: 'system', text: 'two' },
        { role: 'assistant', parts: [text('Well, ')] },
      ],
    });
    expect(body['system']).toEqual([text('one'), text('two')]);
    expect(body['messages']).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'signed', signature: 's' },
          { type: 'tool_use', id: 'functions_f_0', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'functions_f_0', content: '42' },
          { type: 'tool_result', tool_use_id: 'c2', is_error: true },
          text('go on'),
        ],
      },
      { role: 'assistant', content: [text('Well,')] },
    ]);
  });

  test('declares the tools that were called, though none may be called now', () => {
    const messages: NeutralRequest['messages'] = [
      { role: 'user', parts: [text('a')] },
      { role: 'assistant', parts: [call, { ...call, id: 'c2' }] },
      {
        role: 'tool',
        results: [
          { id: call.id, parts: [text('1')], isError: false },
          { id: 'c2', parts: [text('2')], isError: false },
        ],
      },
    ];
    expect(encode({ messages })).toMatchObject({
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
    expect(encode({ messages, tools: [{ name: 'g', schema: {} }] })).toMatchObject({ tools: [{ name: 'g' }] });
  });

  test('begins with the user and contains a message', () => {
    expect(encode({ messages: [{ role: 'assistant', parts: [text('Hi')] }] })['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
    ]);
    expect(() => encode({ messages: [{ role: 'user', parts: [text('')] }] })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  test('continues a conversation whose arguments were not JSON', () => {
    const input = (written: string): unknown =>
      (
        encode({ messages: [{ role: 'assistant', parts: [{ ...call, arguments: written }] }] })['messages'] as {
          content: { input: unknown }[];
        }[]
      )[1]?.content[0]?.input;
    expect([input(''), input('{"a"'), input('[1]')]).toEqual([{}, { INVALID_JSON: '{"a"' }, { INVALID_JSON: '[1]' }]);
  });

  test('sends images and documents as data or by URL, and text documents as text', () => {
    const data = Buffer.from('Grüße').toString('base64');
    const body = encode({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } },
            { type: 'image', source: { kind: 'url', url: 'https://x.test/a.png' } },
            { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'BB' }, title: 'a.pdf' },
            { type: 'document', source: { kind: 'base64', mediaType: 'text/markdown', data } },
          ],
        },
      ],
    });
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
          { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BB' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
        ],
      },
    ]);
    expect(() =>
      encode({
        messages: [
          {
            role: 'user',
            parts: [{ type: 'document', source: { kind: 'base64', mediaType: 'application/zip', data: 'BB' } }],
          },
        ],
      }),
    ).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test.each([
    [{ type: 'none' }, undefined, { type: 'none' }],
    [{ type: 'auto' }, false, { type: 'auto', disable_parallel_tool_use: true }],
    [{ type: 'required' }, true, { type: 'any' }],
    [{ type: 'named', name: 'f' }, false, { type: 'tool', name: 'f', disable_parallel_tool_use: true }],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    [undefined, undefined, undefined],
  ] as const)('chooses tools: %j, parallel %s', (toolChoice, parallelToolCalls, expected) => {
    const body = encode({
      tools: [{ name: 'f', schema: { properties: {} }, strict: true }],
      toolChoice,
      parallelToolCalls,
    });
    expect(body['tools']).toEqual([{ name: 'f', input_schema: { type: 'object', properties: {} }, strict: true }]);
    expect(body['tool_choice']).toEqual(expected);
  });

  test('sends one of temperature and top_p, inside its range, to a model that takes them', () => {
    expect(encode({ temperature: 1.7, topP: 0.5 })).toMatchObject({ temperature: 1 });
    expect(encode({ temperature: 1, topP: 0.5 })).toMatchObject({ top_p: 0.5 });
    expect(encode({ temperature: 0.2 }, { sampling: false })).not.toHaveProperty('temperature');
    expect(encode({ temperature: 0.2, reasoning: { effort: 'low' } })).not.toHaveProperty('temperature');
  });

  test('thinks by effort or by budget, and never with a forced call or without room', () => {
    expect(encode({ reasoning: { effort: 'minimal', summary: true } })).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    });
    expect(encode({ reasoning: { effort: 'none' } })).toMatchObject({ thinking: { type: 'disabled' } });
    expect(encode({ reasoning: { effort: 'high' } }, { thinking: 'budget', defaultMaxTokens: 10_000 })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 8000 },
    });
    expect(encode({ reasoning: { effort: 'high' }, maxOutputTokens: 1000 }, { thinking: 'budget' })).not.toHaveProperty(
      'thinking',
    );
    expect(encode({ reasoning: { effort: 'high' } }, { thinking: 'none' })).not.toHaveProperty('thinking');
    expect(
      encode({ reasoning: { effort: 'high' }, tools: [{ name: 'f', schema: {} }], toolChoice: { type: 'required' } }),
    ).not.toHaveProperty('thinking');
    const turn = (signature: string | undefined): NeutralRequest['messages'] => [
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'x', signature }, call] },
      { role: 'tool', results: [] },
    ];
    expect(
      encode({ reasoning: { effort: 'high' }, messages: turn(undefined) }, { thinking: 'budget' }),
    ).not.toHaveProperty('thinking');
    expect(encode({ reasoning: { effort: 'high' }, messages: turn('s') }, { thinking: 'budget' })).toHaveProperty(
      'thinking',
    );
  });

  test('asks for JSON by schema when strict, otherwise by an instruction', () => {
    const schema = { type: 'object', additionalProperties: false };
    expect(encode({ format: { type: 'json-schema', name: 'n', schema, strict: true } })).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(
      JSON.stringify(encode({ format: { type: 'json-schema', name: 'n', schema, strict: false } })['system']),
    ).toContain('additionalProperties');
    expect(encode({ format: { type: 'json' } })).toMatchObject({
      system: [{ type: 'text', text: expect.stringContaining('JSON') }],
    });
  });

  test('refuses a stop sequence of white space, which would be lost', () => {
    expect(encode({ stop: ['END'], user: 'u', stream: true })).toMatchObject({
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      stream: true,
    });
    expect(() => encode({ stop: ['\n'] })).toThrow(expect.objectContaining({ details: { stop: expect.any(String) } }));
  });
});
