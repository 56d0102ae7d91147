import { expect, it } from 'vitest';
import { compareOpenings, type OpenedChats, withOpening } from './opened-chats.ts';

const DAY_MS = 86_400_000;
const openedOn = (days: readonly (readonly [string, number])[]): OpenedChats =>
  days.reduce<OpenedChats>((opened, [chat, day]) => withOpening(opened, chat, day * DAY_MS), {});
const inOrder = (opened: OpenedChats): string[] =>
  Object.keys(opened).toSorted((one, other) => compareOpenings(opened, one, other));

it('counts every opening, half as much after a week', () => {
  expect(
    openedOn([
      ['a', 0],
      ['a', 7],
    ])['a']?.weight,
  ).toBeCloseTo(1.5);
});

it('puts what was opened often before what was opened last, until that is long ago', () => {
  const often = [
    ['often', 0],
    ['often', 0],
    ['often', 0],
  ] as const;
  expect(inOrder(openedOn([...often, ['last', 1]]))).toEqual(['often', 'last']);
  expect(inOrder(openedOn([...often, ['last', 30]]))).toEqual(['last', 'often']);
});

it('keeps the two hundred that count most', () => {
  const many = openedOn(Array.from({ length: 250 }, (_, day) => [`chat-${day}`, day] as const));
  expect(Object.keys(many)).toHaveLength(200);
  expect(many['chat-49']).toBeUndefined();
  expect(many['chat-50']).toBeDefined();
});
