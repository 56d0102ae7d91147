import { describe, expect, test } from 'vitest';
import type { NeutralRequest } from '../neutral.ts';
import { encodeResponsesRequest } from '../responses/encode-request.ts';
import { encodeChatRequest, type ChatTarget } from './encode-request.ts';

const TARGET: ChatTarget = { model: 'gpt', maxTokensField: 'max_completion_tokens', reasoning: true, sampling: true };
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const FULL: NeutralRequest = {
  model: 'm',
  system: ['one'],
  messages: [
    {
      role: 'user',
      parts: [
        text('look'),
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' }, detail: 'low' },
        { type: 'document', source: { kind: 'text', text: 'notes' }, title: 't' },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'secret', signature: 's' },
        text('o'),
        text('k'),
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '' },
      ],
    },
    {
      role: 'tool',
      results: [
        {
          id: 'c1',
          parts: [text('r'), { type: 'image', source: { kind: 'url', url: 'https://x.test/i.png' } }],
          isError: false,
        },
        { id: 'c2', parts: [text('broke')], isError: true },
      ],
    },
    { role: 'system', text: 'two' },
    { role: 'user', parts: [text('go on')] },
  ],
  tools: [{ name: 'f', description: 'd', schema: { type: 'object' }, strict: true }],
  toolChoice: { type: 'named', name: 'f' },
  parallelToolCalls: false,
  maxOutputTokens: 9,
  temperature: 0.5,
  topP: 0.9,
  stop: ['END'],
  seed: 1,
  format: { type: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true },
  reasoning: { budgetTokens: 5000 },
  user: 'u',
  stream: true,
};

describe('encoding a request for Chat Completions', () => {
  test('writes every field; images of results follow in a user message', () => {
    expect(encodeChatRequest(FULL, TARGET)).toEqual({
      model: 'gpt',
      messages: [
        { role: 'system', content: 'one' },
        {
          role: 'user',
          content: [
            text('look'),
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
            text('t\n\nnotes'),
          ],
        },
        {
          role: 'assistant',
          content: 'ok',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'r\n(An attachment is shown in the next message.)' },
        { role: 'tool', tool_call_id: 'c2', content: 'Error: broke' },
        {
          role: 'user',
          content: [
            text('From the result of tool call c1:'),
            { type: 'image_url', image_url: { url: 'https://x.test/i.png' } },
          ],
        },
        { role: 'system', content: 'two' },
        { role: 'user', content: 'go on' },
      ],
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      max_completion_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      seed: 1,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      reasoning_effort: 'medium',
      user: 'u',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('knows accounts that take the older limit, and models that take neither effort nor temperature', () => {
    const body = encodeChatRequest(FULL, {
      model: 'x',
      maxTokensField: 'max_tokens',
      reasoning: false,
      sampling: false,
    });
    expect(body).toMatchObject({ max_tokens: 9 });
    for (const field of ['max_completion_tokens', 'reasoning_effort', 'temperature', 'top_p'])
      expect(body).not.toHaveProperty(field);
  });

  test('refuses what the model could not honour', () => {
    expect(() => encodeChatRequest({ ...FULL, stop: ['1', '2', '3', '4', '5'] }, TARGET)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    expect(() =>
      encodeChatRequest(
        {
          ...FULL,
          messages: [
            { role: 'user', parts: [{ type: 'document', source: { kind: 'url', url: 'https://x.test/a.pdf' } }] },
          ],
        },
        TARGET,
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => encodeChatRequest({ ...FULL, system: [], messages: [] }, TARGET)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('encoding a request for Responses', () => {
  test('writes items, stores nothing, and refuses stop sequences', () => {
    expect(
      encodeResponsesRequest({ ...FULL, stop: [] }, { model: 'gpt', reasoning: true, sampling: false }),
    ).toMatchObject({
      model: 'gpt',
      instructions: 'one',
      store: false,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA' },
            { type: 'input_text' },
          ],
        },
        { role: 'assistant', content: 'o' },
        { role: 'assistant', content: 'k' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [{ type: 'input_text', text: 'r' }, { type: 'input_image' }],
        },
        { type: 'function_call_output', call_id: 'c2', output: 'Error:\nbroke' },
        { role: 'developer', content: 'two' },
        { role: 'user' },
      ],
      tools: [{ type: 'function', name: 'f', strict: true }],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 'n' } },
      reasoning: { effort: 'medium' },
      max_output_tokens: 9,
    });
    expect(() => encodeResponsesRequest(FULL, { model: 'gpt', reasoning: true, sampling: true })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
