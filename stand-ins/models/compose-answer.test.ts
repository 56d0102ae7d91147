import { expect, test } from 'vitest';
import type { DemoRequest } from './demo-request.ts';
import { composeAnswer } from './compose-answer.ts';

function ask(text: string, more: Partial<DemoRequest> = {}): DemoRequest {
  return {
    model: 'gpt-6-sol',
    system: '',
    items: [{ kind: 'user', text, attachments: 0 }],
    tools: [],
    toolChoice: 'auto',
    parallelCalls: true,
    schema: undefined,
    maxTokens: undefined,
    stops: [],
    stream: false,
    streamUsage: false,
    ...more,
  };
}

test.each([
  'Hello',
  'Write a function',
  'Make a table',
  'Tell me a long story',
  'Count the words in: a b',
  '',
  'x'.repeat(100_000),
])('every answer says that it is a demo: %.20s', (text) => {
  expect(composeAnswer(ask(text)).text).toMatch(/^Demo answer: /);
});

test('an ordinary answer names the model it stands for and repeats what it was asked', () => {
  const { text } = composeAnswer(ask('What is the weather like on Mars?'));
  expect(text).toContain('demo model in the place of `gpt-6-sol`; no real model was called');
  expect(text).toContain('“What is the weather like on Mars?”');
  expect(text).toContain('That is 7 words.');
});

test('it counts the words that it is pointed at', () => {
  expect(composeAnswer(ask('How many words are in "one two three"?')).text).toContain('3 words in “one two three”');
  expect(composeAnswer(ask('Count the words: alpha')).text).toContain('1 word in “alpha”');
});

test('asked for code it answers with a list and a code block of that language', () => {
  expect(composeAnswer(ask('Write a function in Python')).text).toMatch(/\n- .+\n- .+\n[^]*```python\n[^]+\n```$/);
  expect(composeAnswer(ask('Write a function')).text).toContain('```typescript\n');
});

test('a long text has about as many words as were asked for, within bounds', () => {
  expect(composeAnswer(ask('a long text of 900 words')).text.split(/\s+/).length).toBeGreaterThan(900);
  expect(composeAnswer(ask('a long text of 99999 words')).text.split(/\s+/).length).toBeLessThan(4_200);
});

test('attachments are mentioned, not read', () => {
  expect(composeAnswer(ask('', { items: [{ kind: 'user', text: 'See this', attachments: 2 }] })).text).toContain(
    '2 attachments that I do not look at',
  );
});

test('a request for a title is answered with a short one that says demo', () => {
  expect(
    composeAnswer(
      ask('Plan the move of our office to Lisbon in spring', { system: 'Write a title for this conversation.' }),
    ).text,
  ).toBe('Demo: Plan the move of our office');
  const whole = 'When are refunds paid?\n\n---\n\nDemo answer: I understood nothing.';
  expect(composeAnswer(ask(whole, { system: 'Write a title for this conversation.' })).text).toBe(
    'Demo: When are refunds paid?',
  );
  expect(composeAnswer(ask('Hello', { system: 'Mind the title of each document.' })).text).toMatch(/^Demo answer: /);
});

test('an answer that has to be JSON is JSON', () => {
  const { text } = composeAnswer(
    ask('Name it "Ada"', { schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }),
  );
  expect(JSON.parse(text)).toEqual({ name: 'Ada' });
});

test('after a tool has answered, the answer is what the tool said', () => {
  const items = [
    { kind: 'user', text: 'get the weather', attachments: 0 },
    { kind: 'call', id: '1', name: 'get_weather' },
    { kind: 'result', id: '1', text: 'Sunny, 31 degrees' },
  ] as const;
  const answer = composeAnswer(ask('', { items, tools: [{ name: 'get_weather', schema: {} }] }));
  expect(answer.calls).toEqual([]);
  expect(answer.text).toContain('I called `get_weather` (1 call). The last answer was:\n\n```\nSunny, 31 degrees\n```');
});
