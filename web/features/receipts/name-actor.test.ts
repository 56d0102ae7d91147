import { expect, it } from 'vitest';
import { nameActor } from './name-actor.ts';

it('names members of the organization and the reader as you, and says when somebody has left', () => {
  const people = new Map([
    ['usr_1', 'Ada'],
    ['usr_2', 'Bea'],
  ]);
  expect(
    ['user:usr_1', 'user:usr_2', 'user:usr_gone', 'system:worker-chat'].map((actor) =>
      nameActor(actor, 'usr_1', people),
    ),
  ).toEqual(['You', 'Bea', 'A former member', 'system:worker-chat']);
});
