import { expect, it } from 'vitest';
import type { Thread } from '../../../../src/contract/threads.ts';
import { findNeighbour, groupThreads } from './list-threads.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const thread = (id: string, days: number, pinned = false): Thread => ({
  id,
  title: id,
  workspace: 'w',
  createdAt: daysAgo(days),
  updatedAt: daysAgo(days),
  ...(pinned ? { pinned } : {}),
});
const LIST = [thread('now', 0), thread('old', 40, true), thread('older', 90), thread('days', 3)];

it('puts pinned chats first and the others by age', () => {
  expect(groupThreads(LIST).map(({ threads }) => threads.map(({ id }) => id))).toEqual([
    ['old'],
    ['now'],
    ['days'],
    ['older'],
  ]);
});

it('steps through the list as it is shown, and stops at its ends', () => {
  expect(findNeighbour(LIST, 'old', 1)?.id).toBe('now');
  expect(findNeighbour(LIST, 'days', -1)?.id).toBe('now');
  expect(findNeighbour(LIST, 'older', 1)).toBeUndefined();
  expect(findNeighbour(LIST, 'old', -1)).toBeUndefined();
  expect(findNeighbour(LIST, undefined, 1)?.id).toBe('old');
  expect(findNeighbour([], undefined, 1)).toBeUndefined();
});
