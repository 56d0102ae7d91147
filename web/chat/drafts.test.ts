import { expect, it } from 'vitest';
import { changeDraft, changeFile, draftText, EMPTY_DRAFT, getDraft, moveDraft, subscribeDrafts, takeBack } from './drafts.ts';

const type = (chat: string, text: string): void => changeDraft(chat, (draft) => ({ ...draft, text }));

it('keeps what was typed in each chat', () => {
  type('a', 'one');
  type('b', 'two');
  expect([getDraft('a').text, getDraft('b').text, getDraft('c')]).toEqual(['one', 'two', EMPTY_DRAFT]);
});

it('moves what was typed with a new chat into its thread', () => {
  type('new', 'meanwhile');
  moveDraft('new', 'thread');
  expect([getDraft('new'), getDraft('thread').text]).toEqual([EMPTY_DRAFT, 'meanwhile']);
});

it('finds a file that is being uploaded wherever its draft has gone', () => {
  changeDraft('new', (draft) => ({ ...draft, files: [{ key: 7, name: 'a.txt', size: 1, progress: 0 }] }));
  moveDraft('new', 'thread');
  changeFile(7, { progress: 1 });
  expect(getDraft('thread').files).toEqual([{ key: 7, name: 'a.txt', size: 1, progress: 1 }]);
});

it('keeps a bounded number of drafts, the oldest go first', () => {
  for (let n = 0; n < 60; n++) type(`many-${n}`, 'x');
  expect([getDraft('many-0'), getDraft('many-59').text]).toEqual([EMPTY_DRAFT, 'x']);
});

it('gives a message back in front of what was typed since', () => {
  type('back', 'and more');
  takeBack('back', { text: 'The question', attachments: [{ id: 'att', name: 'a.txt', size: 1, type: 'text/plain' }] });
  expect(getDraft('back')).toMatchObject({ text: 'The question\n\nand more', files: [{ name: 'a.txt', progress: 1, uploaded: { id: 'att' } }] });
});

it('tells whoever shows one', () => {
  let told = 0;
  const unsubscribe = subscribeDrafts(() => void told++);
  type('a', 'more');
  unsubscribe();
  type('a', 'most');
  expect(told).toBe(1);
});

it('sends pasted text after what was typed', () => {
  expect(draftText({ text: ' Sum this up: ', pasted: [{ key: 1, text: 'A' }, { key: 2, text: 'B' }] })).toBe('Sum this up:\n\nA\n\nB');
  expect(draftText({ text: '', pasted: [] })).toBe('');
});
