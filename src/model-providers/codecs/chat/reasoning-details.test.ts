import { expect, test } from 'vitest';
import { decodeChatRequest } from './decode-request.ts';
import { decodeReasoningDetails } from './reasoning-details.ts';
import { createChatStreamEncoder } from './encode-stream.ts';

/** As clients put a stream together: lists grow, texts too. */
function readDetails(sse: string): unknown[] {
  return sse.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { reasoning_details?: unknown[] } }[] };
    return choices[0]?.delta.reasoning_details ?? [];
  });
}

test('a stream carries each piece of thinking with its signature, and it comes back as it was', () => {
  const encoder = createChatStreamEncoder({ id: 'x', model: 'm', createdSeconds: 1, includeUsage: false });
  const sse = [
    { type: 'start', id: 'x', model: 'm' } as const,
    { type: 'reasoning', text: 'Let me ' } as const,
    { type: 'reasoning', text: 'look.' } as const,
    { type: 'reasoning-signature', signature: 's1' } as const,
    { type: 'reasoning-redacted', data: 'r1' } as const,
    { type: 'reasoning', text: 'Again.' } as const,
    { type: 'reasoning-signature', signature: 's2' } as const,
    { type: 'finish', reason: 'stop' } as const,
  ]
    .map((event) => encoder.encode(event))
    .join('');
  expect(decodeReasoningDetails(readDetails(sse))).toEqual([
    { type: 'reasoning', text: 'Let me look.', signature: 's1' },
    { type: 'reasoning', text: '', redacted: 'r1' },
    { type: 'reasoning', text: 'Again.', signature: 's2' },
  ]);
});

test('it also comes back inside the text part if a client keeps a whole answer there', () => {
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's1', format: 'anthropic-claude-v1' }];
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: [{ type: 'text', text: 'b', role: 'assistant', reasoning_details: details }] },
  ];
  expect(decodeChatRequest({ model: 'm', messages }).messages[1]).toMatchObject({
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm.', signature: 's1' },
      { type: 'text', text: 'b' },
    ],
  });
});

test('details that are not Anthropic’s, not signed or not understood are dropped', () => {
  const format = 'anthropic-claude-v1';
  expect(
    decodeReasoningDetails([
      { type: 'reasoning.text', text: 'a', signature: 's', format: 'openai-responses-v1' },
      { type: 'reasoning.text', text: 'a', format },
      { type: 'reasoning.encrypted', format },
      'x',
      null,
    ]),
  ).toEqual([]);
  expect(decodeReasoningDetails('x')).toEqual([]);
});
