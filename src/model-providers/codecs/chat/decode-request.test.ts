import { describe, expect, test } from 'vitest';
import { AppError } from '../../../base/errors.ts';
import { decodeChatRequest } from './decode-request.ts';

const body = (more: object = {}): object => ({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more });

function faultsOf(input: unknown): Record<string, unknown> {
  try {
    decodeChatRequest(input);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.details;
    throw error;
  }
  return {};
}

describe('decoding a Chat Completions request', () => {
  test('reads a whole conversation with tools, images and files', () => {
    const request = decodeChatRequest(
      body({
        messages: [
          { role: 'system', content: 'one' },
          { role: 'developer', content: [{ type: 'text', text: 'two' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
              { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
              { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'r1' },
          { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'r2' }] },
          { role: 'system', content: 'later' },
        ],
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
          { type: 'function', function: { name: 'g' } },
        ],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
        max_tokens: 5,
        max_completion_tokens: 9,
        temperature: 0.5,
        top_p: 0.9,
        stop: 'END',
        seed: 7,
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
        reasoning_effort: 'high',
        user: 'u',
        stream: true,
        frequency_penalty: 1,
        logprobs: null,
        n: 1,
      }),
    );
    expect(request).toEqual({
      model: 'm',
      system: ['one', 'two'],
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'look' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: 'low' },
            {
              type: 'image',
              source: { kind: 'url', url: 'https://x.test/a.png', at: 'messages.2.content.2.image_url' },
            },
            {
              type: 'document',
              source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' },
              title: 'a.pdf',
            },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
            { type: 'tool-call', id: 'c2', name: 'g', arguments: '' },
          ],
        },
        {
          role: 'tool',
          results: [
            { id: 'c1', parts: [{ type: 'text', text: 'r1' }], isError: false },
            { id: 'c2', parts: [{ type: 'text', text: 'r2' }], isError: false },
          ],
        },
        { role: 'system', text: 'later' },
      ],
      tools: [
        { name: 'f', description: 'd', schema: { type: 'object' }, strict: true },
        { name: 'g', schema: { type: 'object', properties: {} } },
      ],
      toolChoice: { type: 'named', name: 'f' },
      parallelToolCalls: false,
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.9,
      stop: ['END'],
      seed: 7,
      format: { type: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true },
      reasoning: { effort: 'high' },
      user: 'u',
      stream: true,
    });
  });

  test('leaves only the allowed tools', () => {
    const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name } }));
    const { tools: kept, toolChoice } = decodeChatRequest(
      body({
        tools,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] },
        },
      }),
    );
    expect(kept.map((tool) => tool.name)).toEqual(['g']);
    expect(toolChoice).toEqual({ type: 'required' });
  });

  test.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { 50: -100 } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['tools.0.custom.name', { tools: [{ type: 'custom', custom: {} }] }],
    [
      'tool_choice',
      {
        tools: [{ type: 'custom', custom: { name: 'c' } }],
        tool_choice: { type: 'function', function: { name: 'c' } },
      },
    ],
    ['temperature', { temperature: 3 }],
    ['max_tokens', { max_tokens: 0 }],
    ['stream', { stream: 'yes' }],
    ['stop.0', { stop: [7] }],
    ['reasoning_effort', { reasoning_effort: 'huge' }],
    ['response_format.type', { response_format: { type: 'xml' } }],
  ])('refuses %s when it would change the meaning or is malformed', (field, more) => {
    expect(Object.keys(faultsOf(body(more)))).toEqual([field]);
  });

  test('reports every fault at once, by its path', () => {
    const faults = faultsOf({
      messages: [
        { role: 'user', content: 7 },
        { role: 'wizard' },
        'x',
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'ftp://x' } },
            { type: 'input_audio' },
            { type: 'file', file: { file_id: 'f' } },
          ],
        },
      ],
    });
    expect(Object.keys(faults).sort()).toEqual([
      'messages.0.content',
      'messages.1.role',
      'messages.2',
      'messages.3.content.0.image_url.url',
      'messages.3.content.1.type',
      'messages.3.content.2.file.file_id',
      'model',
    ]);
  });

  test('refuses a body that is not an object, and limits the number of faults it lists', () => {
    expect(faultsOf('x')).toEqual({ body: 'must be a JSON object' });
    expect(Object.keys(faultsOf(body({ messages: Array.from({ length: 1000 }, () => 1) })))).toHaveLength(20);
  });
});
