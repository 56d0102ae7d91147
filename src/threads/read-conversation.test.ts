import { expect, it } from 'vitest';
import type { MessagePart } from '../contract/threads.ts';
import type { ShownAttachment } from '../documents/attachments/read-attachments.ts';
import { buildConversation } from './read-conversation.ts';
import type { StoredMessage } from './messages.ts';

const message = (position: number, role: 'user' | 'assistant', ...parts: MessagePart[]): StoredMessage => ({
  id: `m${position}`,
  position,
  role,
  parts,
  metadata: {},
  createdAt: '',
});
const text = (value: string): MessagePart => ({ type: 'text', text: value });
const attached = (id: string): MessagePart => ({
  type: 'data-attachment',
  data: { id, name: id, type: 'image/png', size: 1 },
});
const shown = new Map<string, ShownAttachment>([
  ['a', { part: { type: 'text', text: 'picture' }, weight: 500, use: { id: 'a', used: 'whole' } }],
]);

it('includes everything that fits, without reasoning and without empty answers', () => {
  const stored = [
    message(0, 'user', attached('a'), text('one')),
    message(1, 'assistant', { type: 'reasoning', text: 'hm' }, text('two')),
    message(2, 'assistant'),
    message(3, 'user', text('three')),
  ];
  expect(buildConversation(stored, shown, 10_000)).toEqual({
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'picture' },
          { type: 'text', text: 'one' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'two' }] },
      { role: 'user', parts: [{ type: 'text', text: 'three' }] },
    ],
    inputBytes: 511,
    questionBytes: 5,
    leftOut: 0,
    attachments: [{ id: 'a', used: 'whole' }],
  });
});

it('drops the oldest messages beyond the budget, including attachments, and always keeps the question', () => {
  const stored = [
    message(0, 'user', attached('a'), text('one')),
    message(1, 'assistant', text('two')),
    message(2, 'user', text('x'.repeat(300))),
  ];
  expect(buildConversation(stored, shown, 400)).toMatchObject({
    messages: [{ role: 'assistant' }, { role: 'user' }],
    inputBytes: 303,
    questionBytes: 300,
    leftOut: 1,
    attachments: [],
  });
  expect(buildConversation(stored, shown, 10).messages).toHaveLength(1);
});
