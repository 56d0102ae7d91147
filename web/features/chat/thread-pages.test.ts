import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/contract/threads.ts';
import {
  allMessages,
  cutAfter,
  cutFrom,
  findMessage,
  lastEnd,
  openPages,
  putMessage,
  reachesEnd,
  setStreaming,
  type ThreadPages,
} from './thread-pages.ts';

const AT = '2026-01-01T00:00:00.000Z';
const say = (id: string, text = id): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
  metadata: {},
  createdAt: AT,
});
const thread = { id: 't', title: 'T', workspace: 'w', createdAt: AT, updatedAt: AT };
const ids = (data: ThreadPages): string =>
  allMessages(data)
    .map(({ id }) => id)
    .join(' ');

/** Two pages: c d are the latest, a b came before. */
const two: ThreadPages = {
  pages: [...openPages(thread, [say('c'), say('d')]).pages, ...openPages(thread, [say('a'), say('b')]).pages],
  pageParams: [undefined, { before: 2 }],
};

/** Opened at c: more came before, and more came after. */
const found: ThreadPages = {
  pages: openPages(thread, [say('b'), say('c'), say('d')]).pages.map((page) => ({ ...page, before: 1, after: 3 })),
  pageParams: [{ around: 'c' }],
};

describe('the messages of a thread', () => {
  it('are in their order over all pages', () => {
    expect(ids(two)).toBe('a b c d');
  });

  it('take a new one at the end, and a known one in its place', () => {
    expect(ids(putMessage(two, say('e')))).toBe('a b c d e');
    const again = putMessage(two, say('b', 'changed'));
    expect(ids(again)).toBe('a b c d');
    expect(allMessages(again)[1]?.parts).toEqual([{ type: 'text', text: 'changed' }]);
  });

  it.each([
    ['d', 'a b c'],
    ['c', 'a b'],
    ['b', 'a'],
    ['a', ''],
    ['nobody', 'a b c d'],
  ])('are removed from %s on when it is retried', (from, left) => {
    expect(ids(cutFrom(two, from))).toBe(left);
    expect(ids(putMessage(cutFrom(two, from), say('e')))).toBe(`${left} e`.trim());
  });

  it('end with a message that is asked again, as it is now', () => {
    expect(ids(cutAfter(two, say('b', 'changed')))).toBe('a b');
    expect(findMessage(cutAfter(two, say('b', 'changed')), 'b')?.parts).toEqual([{ type: 'text', text: 'changed' }]);
  });

  it.each([
    [{ finish: 'stop' as const }, 'done'],
    [{ finish: 'stopped' as const }, 'stopped'],
    [{ finish: 'error' as const }, 'failed'],
  ])('end as their last answer did: %j', (metadata, end) => {
    expect(lastEnd(putMessage(two, { ...say('e'), role: 'assistant', metadata }))).toBe(end);
    expect(lastEnd(two)).toBe('failed');
  });

  it('take no new one where later ones are not loaded, but change those that are there', () => {
    expect([reachesEnd(two), reachesEnd(found)]).toEqual([true, false]);
    expect(ids(putMessage(found, say('z')))).toBe('b c d');
    expect(findMessage(putMessage(found, say('c', 'changed')), 'c')?.parts).toEqual([
      { type: 'text', text: 'changed' },
    ]);
    expect(lastEnd(found)).toBe('done');
  });

  it('reach the end once everything after a message is gone', () => {
    const cut = cutFrom(found, 'c');
    expect([ids(cut), reachesEnd(cut)]).toEqual(['b', true]);
    expect(ids(putMessage(cut, say('z')))).toBe('b z');
    expect(ids(cutAfter(found, say('c', 'changed')))).toBe('b c');
  });

  it('say whether an answer is being written in their latest page', () => {
    expect(setStreaming(two, true).pages.map(({ streaming }) => streaming)).toEqual([true, false]);
  });
});
