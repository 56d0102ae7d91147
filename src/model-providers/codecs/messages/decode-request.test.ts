import { describe, expect, test } from 'vitest';
import { AppError } from '../../../base/errors.ts';
import { decodeMessagesRequest } from './decode-request.ts';

const body = (more: object = {}): object => ({
  model: 'm',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

function faultsOf(input: unknown): string[] {
  try {
    decodeMessagesRequest(input);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return Object.keys(error.details);
    throw error;
  }
  return [];
}

describe('decoding a Messages request', () => {
  test('reads a whole conversation with thinking, tools, images and documents', () => {
    const request = decodeMessagesRequest(
      body({
        system: [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
              { type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data: 'notes' } },
              { type: 'document', context: 'c', source: { type: 'base64', media_type: 'application/pdf', data: 'BB' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'redacted_thinking', data: 'r' },
              { type: 'text', text: 'ok' },
              { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't1',
                is_error: true,
                content: [
                  { type: 'text', text: 'bad' },
                  { type: 'image', source: { type: 'url', url: 'https://x.test/i.png' } },
                ],
              },
              { type: 'text', text: 'go on' },
            ],
          },
          { role: 'system', content: 'later' },
        ],
        tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        thinking: { type: 'enabled', budget_tokens: 4000 },
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
        stop_sequences: ['END'],
        metadata: { user_id: 'u' },
        temperature: 1,
        top_k: 5,
        stream: true,
      }),
    );
    expect(request).toMatchObject({
      system: ['one'],
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } },
            { type: 'document', title: 't', source: { kind: 'text', text: 'notes' } },
            { type: 'text', text: 'c' },
            { type: 'document', source: { kind: 'base64', data: 'BB' } },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm', signature: 's' },
            { type: 'reasoning', text: '', redacted: 'r' },
            { type: 'text', text: 'ok' },
            { type: 'tool-call', id: 't1', name: 'f', arguments: '{"a":1}' },
          ],
        },
        {
          role: 'tool',
          results: [{ id: 't1', isError: true, parts: [{ type: 'text', text: 'bad' }, { type: 'image' }] }],
        },
        { role: 'user', parts: [{ type: 'text', text: 'go on' }] },
        { role: 'system', text: 'later' },
      ],
      toolChoice: { type: 'required' },
      parallelToolCalls: false,
      maxOutputTokens: 10,
      format: { type: 'json-schema', strict: true },
      reasoning: { budgetTokens: 4000 },
      stop: ['END'],
      user: 'u',
      stream: true,
    });
  });

  test.each([
    ['max_tokens', { max_tokens: undefined }],
    ['tools.0.type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['container', { container: 'c' }],
    ['tool_choice', { tool_choice: { type: 'tool', name: 'nobody' } }],
    ['messages.0.content.0.type', { messages: [{ role: 'assistant', content: [{ type: 'server_tool_use' }] }] }],
    [
      'messages.0.content.0.source.type',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
    ],
    ['messages', { messages: [] }],
    ['thinking.type', { thinking: { type: 'deep' } }],
  ])('refuses %s', (field, more) => {
    expect(faultsOf(body(more))).toEqual([field]);
  });
});
