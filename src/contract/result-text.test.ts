import { expect, it } from 'vitest';
import { resultText } from './result-text.ts';

it.each([
  [undefined, undefined],
  [null, undefined],
  ['Done.', 'Done.'],
  [{ text: 'Said.', steps: 3 }, 'Said.'],
  [{ text: '', answer: 'The second.' }, 'The second.'],
  [{ text: 7, did: 'it' }, '```json\n{\n  "text": 7,\n  "did": "it"\n}\n```'],
  [[1], '```json\n[\n  1\n]\n```'],
])('%j reads as %j', (result, text) => {
  expect(resultText(result)).toBe(text);
});
