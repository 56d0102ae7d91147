import { expect, test } from 'vitest';
import { decodeChatRequest } from './chat/decode-request.ts';
import { encodeChatRequest } from './chat/encode-request.ts';
import { encodeMessagesRequest } from './messages/encode-request.ts';

const TARGET = { model: 'm', defaultMaxTokens: 100, thinking: 'none', sampling: true } as const;
const mark = { cache_control: { type: 'ephemeral' } };
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };

const BODY = {
  model: 'm',
  messages: [
    { role: 'system', content: 'one' },
    { role: 'system', content: [{ type: 'text', text: 'two', ...mark }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look', ...hour },
        {
          type: 'image_url',
          image_url: { url: 'https://x.test/a.png' },
          prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' },
        },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      ...mark,
    },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'r', ...mark }] },
    { role: 'user', content: 'go on', ...hour },
  ],
  tools: [
    { type: 'function', function: { name: 'f', parameters: { type: 'object' } }, ...mark },
    { type: 'function', function: { name: 'g', parameters: { type: 'object' }, ...hour } },
  ],
};

test('a mark by a Chat Completions client becomes a mark for Anthropic at the same position', () => {
  expect(encodeMessagesRequest(decodeChatRequest(BODY), TARGET)).toMatchObject({
    system: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two', ...mark },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look', ...hour },
          { type: 'image', ...hour },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', ...mark }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'r', ...mark },
          { type: 'text', text: 'go on', ...hour },
        ],
      },
    ],
    tools: [
      { name: 'f', ...mark },
      { name: 'g', ...hour },
    ],
  });
});

test('is sent to no other provider', () => {
  expect(
    JSON.stringify(
      encodeChatRequest(decodeChatRequest(BODY), {
        model: 'm',
        maxTokensField: 'max_tokens',
        reasoning: false,
        sampling: true,
      }),
    ),
  ).not.toContain('cache');
});

test.each([
  [{ cache_control: 'yes' }, 'messages.0.cache_control'],
  [{ cache_control: { type: 'forever' } }, 'messages.0.cache_control.type'],
  [{ cache_control: { type: 'ephemeral', ttl: '2d' } }, 'messages.0.cache_control.ttl'],
])('%j is a fault', (fields, place) => {
  expect(() => decodeChatRequest({ model: 'm', messages: [{ role: 'user', content: 'x', ...fields }] })).toThrow(
    expect.objectContaining({ details: { [place]: expect.any(String) as string } }),
  );
});
