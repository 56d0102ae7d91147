import { expect, it } from 'vitest';
import { invitationOf } from './invitation-of.ts';

const ORIGIN = 'https://app.example.test';

it.each([
  ['/invitations/inv_01abc', 'inv_01abc'],
  ['/invitations/inv_01abc?from=mail#top', 'inv_01abc'],
  ['/chat', undefined],
  ['/invitations/', undefined],
  ['/invitations/inv_1/accept', undefined],
  ['https://elsewhere.test/invitations/inv_1', undefined],
  ['//elsewhere.test/invitations/inv_1', undefined],
  [undefined, undefined],
])('finds in %s the invitation %s', (next, invitation) => {
  expect(invitationOf(next, ORIGIN)).toBe(invitation);
});
