import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeDraft, changeFile, draftText, editOf, EMPTY_DRAFT, getDraft, moveDraft, takeBack } from './drafts.ts';

const type = (chat: string, text: string): void => changeDraft(chat, (draft) => ({ ...draft, text }));

it('keeps what was typed in each chat', () => {
  type('a', 'one');
  type('b', 'two');
  expect([getDraft('a').text, getDraft('b').text, getDraft('c')]).toEqual(['one', 'two', EMPTY_DRAFT]);
});

it('moves what was typed with a new chat into its thread', () => {
  type('new', 'meanwhile');
  moveDraft('new', 'thread');
  type('new', ', and more');
  moveDraft('new', 'thread');
  expect([getDraft('new'), getDraft('thread').text]).toEqual([EMPTY_DRAFT, 'meanwhile, and more']);
});

it('finds an uploading file after its draft has moved', () => {
  changeDraft('new', (draft) => ({ ...draft, files: [{ key: 7, name: 'a.txt', size: 1, progress: 0 }] }));
  moveDraft('new', 'thread');
  changeFile(7, { progress: 1 });
  expect(getDraft('thread').files).toEqual([{ key: 7, name: 'a.txt', size: 1, progress: 1 }]);
});

it('restores a message before what was typed since', () => {
  type('back', 'and more');
  takeBack('back', { text: 'The question', attachments: [{ id: 'att', name: 'a.txt', size: 1, type: 'text/plain' }] });
  expect(getDraft('back')).toMatchObject({
    text: 'The question\n\nand more',
    files: [{ name: 'a.txt', progress: 1, uploaded: { id: 'att' } }],
  });
});

it('restores an edit as it was sent, also the second time, without the files of its message', () => {
  const unsent = { text: 'Changed', attachments: [{ id: 'att', name: 'a.txt', size: 1, type: 'text/plain' }] };
  for (let time = 0; time < 2; time++) takeBack(editOf('msg_1'), unsent);
  expect(getDraft(editOf('msg_1'))).toEqual({ ...EMPTY_DRAFT, text: 'Changed' });
});

it('sends pasted text after what was typed', () => {
  expect(
    draftText({
      text: ' Sum this up: ',
      pasted: [
        { key: 1, text: 'A' },
        { key: 2, text: 'B' },
      ],
    }),
  ).toBe('Sum this up:\n\nA\n\nB');
  expect(draftText({ text: '', pasted: [] })).toBe('');
});

describe('through a reload', () => {
  const storage = new Map<string, string>();
  const reload = () => {
    vi.resetModules();
    return import('./drafts.ts');
  };
  it('finds a refused message, but not an accepted one', async () => {
    const { keepUnsent: keepRefused } = await reload();
    keepRefused('refused', {
      text: 'Again, please',
      attachments: [{ id: 'att', name: 'a.txt', size: 1, type: 'text/plain' }],
    });
    expect((await reload()).getDraft('refused')).toMatchObject({
      text: 'Again, please',
      files: [{ name: 'a.txt', uploaded: { id: 'att' } }],
    });
    const { keepUnsent: keepTaken } = await reload();
    keepTaken('taken', { text: 'Again, please', attachments: [] });
    keepTaken('taken', undefined);
    expect((await reload()).getDraft('taken').text).toBe('');
  });

  beforeEach(() => {
    storage.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it('keeps what was typed and uploaded, by chat, and forgets what was sent', async () => {
    const uploaded = { id: 'att_1', name: 'a.txt', size: 1, type: 'text/plain' };
    changeDraft('kept', () => ({
      text: 'half a thought',
      pasted: [],
      files: [
        { key: 1, name: 'a.txt', size: 1, progress: 1, uploaded },
        { key: 2, name: 'b.txt', size: 1, progress: 0.5 },
      ],
    }));
    changeDraft('sent', () => ({ ...EMPTY_DRAFT, text: 'gone' }));
    changeDraft('sent', () => EMPTY_DRAFT);
    const later = await reload();
    expect(later.getDraft('kept')).toMatchObject({ text: 'half a thought', files: [{ name: 'a.txt', uploaded }] });
    expect(later.getDraft('kept')).toBe(later.getDraft('kept'));
    expect(later.getDraft('sent')).toBe(later.EMPTY_DRAFT);
  });

  it('does not store very long texts', () => {
    type('book', 'x'.repeat(200_000));
    expect(storage.size).toBe(0);
  });
});
