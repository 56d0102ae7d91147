import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DemoRequest } from './demo-request.ts';
import { buildReply } from './build-reply.ts';
import { splitTokens } from './count-tokens.ts';

const ASKED: DemoRequest = {
  model: 'm',
  system: 'Be kind.',
  items: [{ kind: 'user', text: 'Hello', attachments: 0 }],
  tools: [],
  toolChoice: 'auto',
  parallelCalls: true,
  schema: undefined,
  maxTokens: undefined,
  stops: [],
  stream: false,
  streamUsage: false,
};
const NOW = new Date('2026-05-01T10:00:00Z');

test('the pieces of a text, put together, are the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(' ', '\n', 'a', 'é', '7', '漢', '🙂', '.', '\ud83d', '_', '\u0301') }),
      (text) => {
        expect(splitTokens(text).join('')).toBe(text);
      },
    ),
  );
});

test('the same request has the same reply, another one has another id', () => {
  const answer = { text: 'Some answer', calls: [] };
  expect(buildReply(ASKED, answer, NOW)).toEqual(buildReply(ASKED, answer, NOW));
  expect(buildReply({ ...ASKED, model: 'other' }, answer, NOW).id).not.toBe(buildReply(ASKED, answer, NOW).id);
});

test('an answer longer than the limit is cut there and says so', () => {
  const reply = buildReply({ ...ASKED, maxTokens: 2 }, { text: 'one two three', calls: [] }, NOW);
  expect(reply).toMatchObject({ pieces: ['one', ' two'], end: 'length', usage: { outputTokens: 2 } });
  expect(buildReply({ ...ASKED, maxTokens: 3 }, { text: 'one two three', calls: [] }, NOW).end).toBe('complete');
});

test('an answer ends before the stop sequence that comes first', () => {
  const reply = buildReply({ ...ASKED, stops: ['three', 'two', ''] }, { text: 'one two three', calls: [] }, NOW);
  expect(reply).toMatchObject({ end: 'stop-sequence', stopSequence: 'two' });
  expect(reply.pieces.join('')).toBe('one ');
});

test('what is asked and what tools are offered both count as input', () => {
  const tokens = (request: DemoRequest): number =>
    buildReply(request, { text: 'x', calls: [] }, NOW).usage?.inputTokens ?? 0;
  expect(tokens({ ...ASKED, system: '' })).toBeLessThan(tokens(ASKED));
  expect(tokens(ASKED)).toBeLessThan(tokens({ ...ASKED, tools: [{ name: 'tool', schema: {} }] }));
});
