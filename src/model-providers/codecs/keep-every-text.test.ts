// Several instructions, and several texts in one message: each must reach the provider, in its order.
import { expect, it } from 'vitest';
import { encodeChatRequest } from './chat/encode-request.ts';
import { encodeMessagesRequest } from './messages/encode-request.ts';
import type { NeutralRequest, Protocol } from './neutral.ts';
import { PROTOCOLS } from './protocols.ts';
import { isObject, type Loose } from './read-fields.ts';
import { encodeResponsesRequest } from './responses/encode-request.ts';

const SURFACES: Readonly<Record<Protocol, Loose>> = {
  chat: {
    model: 'm',
    messages: [
      { role: 'system', content: 'S1' },
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'S2' },
          { type: 'text', text: 'S3' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'U1' },
          { type: 'text', text: 'U2' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A1' },
          { type: 'text', text: 'A2' },
        ],
      },
      { role: 'user', content: 'U3' },
      { role: 'user', content: 'U4' },
    ],
  },
  messages: {
    model: 'm',
    max_tokens: 10,
    system: [
      { type: 'text', text: 'S1' },
      { type: 'text', text: 'S2', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'S3' },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'U1' },
          { type: 'text', text: 'U2' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A1' },
          { type: 'text', text: 'A2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'U3' },
          { type: 'text', text: 'U4' },
        ],
      },
    ],
  },
  responses: {
    model: 'm',
    instructions: 'S1',
    input: [
      { role: 'system', content: 'S2' },
      { role: 'developer', content: [{ type: 'input_text', text: 'S3' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'U1' },
          { type: 'input_text', text: 'U2' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'A1' },
          { type: 'output_text', text: 'A2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'U3' },
          { type: 'input_text', text: 'U4' },
        ],
      },
    ],
  },
};

const TARGETS: Readonly<Record<Protocol, (request: NeutralRequest) => Loose>> = {
  chat: (request) =>
    encodeChatRequest(request, { model: 'm', maxTokensField: 'max_tokens', reasoning: false, sampling: true }),
  messages: (request) =>
    encodeMessagesRequest(request, { model: 'm', defaultMaxTokens: 10, thinking: 'none', sampling: true }),
  responses: (request) => encodeResponsesRequest(request, { model: 'm', reasoning: false, sampling: true }),
};

/** Every text of a body under the keys that hold what is said, instructions first. */
function textsOf({ system, instructions, messages, input }: Loose): string {
  const collect = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.flatMap(collect);
    return isObject(value) ? collect(value['content'] ?? value['text']) : [];
  };
  return [system, instructions, messages, input]
    .flatMap((part) => (part === undefined ? [] : collect(part)))
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/([A-Z]\d)(?=[A-Z])/g, '$1 ');
}

const WAYS = (['chat', 'messages', 'responses'] as const).flatMap((from) =>
  (['chat', 'messages', 'responses'] as const).map((to) => [from, to] as const),
);

it.each(WAYS)('from %s to %s no text is lost and none moves', (from, to) => {
  expect(textsOf(TARGETS[to](PROTOCOLS[from].decodeRequest(SURFACES[from])))).toBe('S1 S2 S3 U1 U2 A1 A2 U3 U4');
});

it.each(['chat', 'messages'] as const)('an instruction in the middle of a conversation reaches %s too', (to) => {
  const messages = [
    { role: 'system', content: 'S1' },
    { role: 'user', content: 'U1' },
    { role: 'system', content: 'S2' },
    { role: 'user', content: 'U2' },
  ];
  const expected = { chat: 'S1 U1 S2 U2', messages: 'S1 S2 U1 U2' }[to];
  expect(textsOf(TARGETS[to](PROTOCOLS.chat.decodeRequest({ model: 'm', messages })))).toBe(expected);
});
