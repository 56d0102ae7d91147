import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createKeyedStore } from './keyed-store.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
let page: EventTarget;
beforeEach(() => {
  stored.clear();
  page = new EventTarget();
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', page);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What a page has after it was loaded. */
const load = (area: 'session' | 'local' = 'session', most = 3) =>
  createKeyedStore<string>({
    empty: '',
    most,
    persist: {
      area,
      prefix: 'note:',
      pack: (note) => (note.length > 20 ? undefined : note),
      unpack: (text) => {
        if (text === 'broken') throw new Error('not a note');
        return text;
      },
    },
  });

it('has a value by key, and tells who follows', () => {
  const notes = load();
  let told = 0;
  const stop = notes.subscribe(() => void told++);
  notes.set('a', 'one');
  notes.change('a', (note) => `${note}, two`);
  stop();
  notes.set('b', 'three');
  expect([notes.get('a'), notes.get('b'), notes.get('c'), notes.keys(), told]).toEqual([
    'one, two',
    'three',
    '',
    ['a', 'b'],
    2,
  ]);
});

it('drops the value that was changed longest ago, also from storage', () => {
  const notes = load();
  for (const key of ['a', 'b', 'a', 'c', 'd']) notes.set(key, key);
  expect([notes.keys(), [...stored.keys()]]).toEqual([
    ['a', 'c', 'd'],
    ['note:a', 'note:c', 'note:d'],
  ]);
});

it('keeps values through a reload, but none that is empty or that is not packed', () => {
  const before = load();
  before.set('a', 'one');
  before.set('b', 'x'.repeat(21));
  before.set('c', 'gone');
  before.set('c', '');
  stored.set('note:d', 'broken');
  expect(before.get('b')).toHaveLength(21);
  expect(['a', 'b', 'c', 'd'].map(load().get)).toEqual(['one', '', '', '']);
});

it('keeps a value for the next page only', () => {
  const notes = load();
  notes.get('a');
  notes.keep('a', 'later');
  expect([notes.get('a'), load().get('a')]).toEqual(['', 'later']);
});

it('removes all that it stored, and nothing else', () => {
  const notes = load();
  notes.set('a', 'one');
  stored.set('other', 'x');
  vi.stubGlobal('sessionStorage', Object.assign(Object.fromEntries(stored), storage));
  notes.forget();
  expect([...stored.keys()]).toEqual(['other']);
});

it('sees what another tab stored', () => {
  const notes = load('local');
  notes.set('a', 'mine');
  stored.set('note:a', 'theirs');
  expect(notes.get('a')).toBe('mine');
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'note:a' }));
  expect(notes.get('a')).toBe('theirs');
});

it('works without storage', () => {
  vi.stubGlobal('sessionStorage', undefined);
  const notes = load();
  notes.set('a', 'one');
  notes.forget();
  expect(notes.get('a')).toBe('one');
});
