import { describe, expect, it } from 'vitest';
import { contains, matchActions } from './match-actions.ts';

const GROUPS = [
  {
    group: 'Go to',
    actions: [
      { id: 'members', label: 'Members', description: 'Organization settings' },
      { id: 'settings', label: 'Organization settings' },
      { id: 'chat', label: 'Chat', keywords: ['conversation'] },
    ],
  },
  { group: 'Messages', actions: [{ id: 'm', label: 'We deployed it.' }] },
];
const idsOf = (query: string): string[] =>
  matchActions(query, GROUPS, new Set(['Messages'])).flatMap(({ actions }) => actions.map(({ id }) => id));

it('needs every word, in the label, the description or a keyword', () => {
  expect(contains('Start a run', 'RUN sta')).toBe(true);
  expect(contains('Start a run', 'run stop')).toBe(false);
  expect(idsOf('conver ')).toEqual(['chat', 'm']);
});

it('puts labels before descriptions', () => {
  expect(idsOf('settings org')).toEqual(['settings', 'members', 'm']);
});

describe('chats that are opened often', () => {
  const CHATS = {
    group: 'Yours',
    actions: [
      { id: 'chat-1', label: 'Members' },
      { id: 'chat-2', label: 'Member lists' },
    ],
  };
  const firstFor = (query: string): string | undefined =>
    matchActions(query, [...GROUPS, CHATS], new Set(['Messages', 'Yours']), 'Yours')[0]?.group;

  it('come before a page of the same name', () => {
    expect(firstFor('members')).toBe('Yours');
    expect(firstFor('memb')).toBe('Yours');
  });

  it('come after a page that fits better, and before what the server found', () => {
    const order = (query: string): string[] =>
      matchActions(
        query,
        [...GROUPS, { group: 'Yours', actions: [{ id: 'chat-3', label: 'All members' }] }],
        new Set(['Messages', 'Yours']),
        'Yours',
      ).map(({ group }) => group);
    expect(order('members')).toEqual(['Go to', 'Yours', 'Messages']);
  });
});

it('keeps what the server found, and leaves out empty groups', () => {
  expect(matchActions('deploying', GROUPS, new Set(['Messages'])).map(({ group }) => group)).toEqual(['Messages']);
  expect(idsOf('')).toEqual(['members', 'settings', 'chat', 'm']);
});
