import { expect, test } from 'vitest';
import { spokenText } from './read-content.ts';

test('what a person said is read without reminders of an agent and passages of a project', () => {
  const passages = 'passages 0123456789abcdef\n\n[1] notes.md\nMake a list.\n\nend of passages 0123456789abcdef';
  const spoken = spokenText([
    { type: 'text', text: passages },
    { type: 'text', text: '<system-reminder>Be good.</system-reminder> When?' },
  ]);
  expect(spoken).toBe('When?');
  expect(spokenText('passages of text')).toBe('passages of text');
});
