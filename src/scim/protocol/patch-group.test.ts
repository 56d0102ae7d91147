import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGroup, readGroupPatch } from './patch-group.ts';
import { readPatch } from './read-patch.ts';

const patch = (...Operations: object[]) => {
  const { members, ...rest } = readGroupPatch(readPatch({ Operations }));
  return { ...rest, keepsOthers: members.keepsOthers, added: [...members.added], removed: [...members.removed] };
};

describe('a change of a group', () => {
  it.each([
    ['Okta renames', { op: 'replace', value: { id: 'ws_1', displayName: 'Ops' } }, { displayName: 'Ops' }],
    ['Entra renames', { op: 'Replace', path: 'displayName', value: 'Ops' }, { displayName: 'Ops' }],
    ['Okta adds', { op: 'add', path: 'members', value: [{ value: 'a', display: 'A' }] }, { added: ['a'] }],
    ['Entra adds', { op: 'Add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] }, { added: ['a', 'b'] }],
    ['Okta removes', { op: 'remove', path: 'members[value eq "a"]' }, { removed: ['a'] }],
    ['Entra removes', { op: 'Remove', path: 'members', value: [{ value: 'a' }] }, { removed: ['a'] }],
    [
      'everyone is replaced',
      { op: 'replace', path: 'members', value: [{ value: 'a' }] },
      { keepsOthers: false, added: ['a'] },
    ],
    ['everyone is removed', { op: 'remove', path: 'members' }, { keepsOthers: false }],
    ['the id goes', { op: 'remove', path: 'externalId' }, { externalId: null }],
  ])('is understood: %s', (_what, operation, expected) => {
    expect(patch(operation)).toEqual({ keepsOthers: true, added: [], removed: [], ...expected });
  });

  it.each([
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ display: 'A' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members[value eq "a"]', value: {} }, 'mutability'],
    [{ op: 'remove', path: 'members[display eq "a"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(101) }, 'invalidValue'],
  ])('is refused: %j', (operation, scimType) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ scimType }));
  });

  it('comes to the same as its operations one after the other, on anyone who is in it', () => {
    const ids = fc.subarray(['a', 'b', 'c', 'd']);
    const step = fc.record({ op: fc.constantFrom('add', 'remove', 'replace'), ids });
    fc.assert(
      fc.property(ids, fc.array(step, { minLength: 1, maxLength: 8 }), (before, steps) => {
        const one = steps.reduce((now, { op, ids: named }) => {
          if (op === 'replace') return new Set(named);
          return new Set([...now, ...named].filter((id) => op === 'add' || !named.includes(id)));
        }, new Set(before));
        const { keepsOthers, added, removed } = patch(
          ...steps.map(({ op, ids: named }) => ({ op, path: 'members', value: named.map((value) => ({ value })) })),
        );
        const summed = new Set([...(keepsOthers ? before.filter((id) => !removed.includes(id)) : []), ...added]);
        expect([...summed].sort()).toEqual([...one].sort());
      }),
    );
  });

  it('sets the members of a whole group only if it names them', () => {
    expect(readGroup({ displayName: ' Ops ', members: [{ value: 'a' }] }).members).toMatchObject({
      keepsOthers: false,
    });
    expect(readGroup({ displayName: ' Ops ' })).toMatchObject({ displayName: 'Ops', members: { keepsOthers: true } });
    expect(() => readGroup({ members: [] })).toThrow('displayName is required.');
  });
});
