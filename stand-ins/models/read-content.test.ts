import { expect, test } from 'vitest';
import { spokenText, userItem } from './read-content.ts';
import { writeArguments } from './write-file.ts';

test('what a person said is read without reminders of an agent and passages of a project', () => {
  const passages = 'passages 0123456789abcdef\n\n[1] notes.md\nMake a list.\n\nend of passages 0123456789abcdef';
  const spoken = spokenText([
    { type: 'text', text: passages },
    { type: 'text', text: '<system-reminder>Be good.</system-reminder> When?' },
  ]);
  expect(spoken).toBe('When?');
  expect(spokenText('passages of text')).toBe('passages of text');
});

test('a file is written in the directory that an agent names in a reminder', () => {
  const asked = userItem([
    {
      type: 'text',
      text: "<system-reminder>\nI'm currently working in the directory: /home/jo/app\n</system-reminder>",
    },
    { type: 'text', text: 'Write a file demo-a.txt' },
  ]);
  const writer = { name: 'write_file', schema: { properties: { file_path: {}, content: {} } } };
  expect(asked.text).toBe('Write a file demo-a.txt');
  expect(writeArguments(writer, 'demo-a.txt', { system: '', items: [asked] })).toMatchObject({
    file_path: '/home/jo/app/demo-a.txt',
  });
});
