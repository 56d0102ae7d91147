import { expect, it } from 'vitest';
import { MOST_TRANSLATED_ITEMS, refuseTooMany } from './refuse-too-many.ts';

const message = { role: 'user', content: 'x' };
const parts = (count: number): unknown => ({
  role: 'user',
  content: Array.from({ length: count }, () => ({ type: 'text', text: 'x' })),
});
const many = (count: number): unknown[] => Array.from({ length: count }, () => message);

it.each([
  ['chat', { messages: many(MOST_TRANSLATED_ITEMS) }, undefined],
  ['chat', { messages: many(MOST_TRANSLATED_ITEMS + 1) }, 'messages'],
  ['messages', { messages: [parts(MOST_TRANSLATED_ITEMS)] }, 'messages'],
  ['responses', { input: many(MOST_TRANSLATED_ITEMS + 1) }, 'input'],
  ['responses', { input: 'a text', tools: many(MOST_TRANSLATED_ITEMS + 1) }, 'input'],
  ['responses', { input: 'a text' }, undefined],
] as const)('%s', (protocol, body, field) => {
  const work = (): void => refuseTooMany(protocol, body);
  if (field === undefined) expect(work).not.toThrow();
  else
    expect(work).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { [field]: expect.stringContaining('10000') } }),
    );
});
