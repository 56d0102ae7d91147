import { describe, expect, it } from 'vitest';
import { patchUser, readUser } from './patch-user.ts';
import { readPatch } from './read-patch.ts';
import { addressOf, nameOf, type UserRecord } from './user-record.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ADA: UserRecord = {
  userName: 'ada@example.com',
  externalId: 'x1',
  displayName: 'Ada',
  givenName: 'Ada',
  familyName: 'King',
  email: 'ada@example.com',
  active: true,
};
const patch = (...Operations: object[]): UserRecord => patchUser(ADA, readPatch({ Operations }));

describe('a change of a user', () => {
  it.each([
    ['Okta deactivates', { op: 'replace', value: { active: false } }, { active: false }],
    ['Entra deactivates', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['Entra without a path', { op: 'Replace', value: { active: 'False' } }, { active: false }],
    ['Entra with real booleans', { op: 'replace', path: 'active', value: false }, { active: false }],
    ['a name in dotted keys', { op: 'Replace', value: { 'name.givenName': 'Augusta' } }, { givenName: 'Augusta' }],
    ['a name by its path', { op: 'Add', path: 'name.familyName', value: 'Lovelace' }, { familyName: 'Lovelace' }],
    ['a part of the name', { op: 'replace', value: { name: { familyName: 'L' } } }, { familyName: 'L' }],
    ['a name under the URN', { op: 'replace', path: `${CORE}:displayName`, value: 'A' }, { displayName: 'A' }],
    [
      'the address of work',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'A@b.co' },
      { email: 'a@b.co' },
    ],
    ['the address as a key', { op: 'add', value: { 'emails[type eq "work"].value': 'a@b.co' } }, { email: 'a@b.co' }],
    [
      'the primary address',
      { op: 'replace', path: 'emails[primary eq true].value', value: 'a@b.co' },
      { email: 'a@b.co' },
    ],
    ['another address', { op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.co' }, {}],
    [
      'all addresses',
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'h@b.co', type: 'home' },
          { value: 'w@b.co', type: 'work' },
        ],
      },
      { email: 'w@b.co' },
    ],
    ['the address goes', { op: 'remove', path: 'emails[type eq "work"]' }, { email: undefined }],
    ['a name goes', { op: 'Remove', path: 'displayName' }, { displayName: undefined }],
    ['a department', { op: 'Add', path: `${ENTERPRISE}:department`, value: 'R&D' }, {}],
    ['a department as an object', { op: 'add', value: { [ENTERPRISE]: { department: 'R&D' } } }, {}],
    ['a title, which is not kept', { op: 'replace', path: 'title', value: 'Countess' }, {}],
    ['a name of JavaScript', { op: 'add', value: { constructor: 'x', 'name.constructor': 'y' } }, {}],
  ])('is understood: %s', (_what, operation, expected) => {
    expect(patch(operation)).toEqual({ ...ADA, ...expected });
  });

  it.each([
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: 'nobody' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: 'a@b.co\nBcc: c@d.co' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(255) }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'add', path: 'name.', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "work" or primary eq true].value', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'a'.repeat(2_000), value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'active' }, 'invalidValue'],
  ])('is refused: %j', (operation, scimType) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ scimType }));
  });
});

describe('a user as a whole', () => {
  it('keeps access and the id of the identity provider where it does not name them', () => {
    expect(readUser({ userName: 'ada', name: { formatted: 'Ada K.' } }, { ...ADA, active: false })).toEqual({
      userName: 'ada',
      externalId: 'x1',
      formattedName: 'Ada K.',
      active: false,
    });
    expect(() => readUser({ displayName: 'Ada' })).toThrow('userName is required.');
  });

  it('names the account by what there is', () => {
    expect(nameOf(ADA)).toBe('Ada');
    expect(nameOf({ ...ADA, displayName: undefined })).toBe('Ada King');
    expect(nameOf({ userName: 'ada', active: true })).toBe('ada');
    expect(addressOf({ userName: 'Ada@Example.com', active: true })).toBe('ada@example.com');
    expect(() => addressOf({ userName: 'ada', active: true })).toThrow('An email address is needed');
  });
});
