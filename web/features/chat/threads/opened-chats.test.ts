import { expect, it } from 'vitest';
import { type OpenedChats, weighOpenings, withOpening } from './opened-chats.ts';

const DAY_MS = 86_400_000;
const open = (opened: OpenedChats, chat: string, days: number): OpenedChats => withOpening(opened, chat, days * DAY_MS);

it('weighs a chat by how often it was opened, each opening half as much after a week', () => {
  const opened = open(open({}, 'a', 0), 'a', 7);
  expect(weighOpenings(opened, 'a', 7 * DAY_MS)).toBeCloseTo(1.5);
  expect(weighOpenings(opened, 'a', 14 * DAY_MS)).toBeCloseTo(0.75);
  expect(weighOpenings(opened, 'b', 0)).toBe(0);
});

it('puts what was opened often before what was opened last, until that is long ago', () => {
  const opened = open(
    [0, 0, 0].reduce<OpenedChats>((known, day) => open(known, 'often', day), {}),
    'last',
    1,
  );
  const heavier = (days: number, chats: OpenedChats): boolean =>
    weighOpenings(chats, 'often', days * DAY_MS) > weighOpenings(chats, 'last', days * DAY_MS);
  expect(heavier(1, opened)).toBe(true);
  expect(heavier(30, open(opened, 'last', 30))).toBe(false);
});

it('keeps the two hundred heaviest', () => {
  const many = Array.from({ length: 250 }, (_, at) => at).reduce<OpenedChats>(
    (opened, at) => open(opened, `chat-${at}`, at),
    {},
  );
  expect(Object.keys(many)).toHaveLength(200);
  expect(many['chat-49']).toBeUndefined();
  expect(many['chat-50']).toBeDefined();
});
