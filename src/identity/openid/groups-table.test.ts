import { expect, it } from 'vitest';
import { ConfigError } from '../../base/config.ts';
import { decideMemberships, findGroups, parseGroupsTable } from './groups-table.ts';

const parse = (table: unknown) => parseGroupsTable(JSON.stringify(table));

it.each<[unknown, string]>([
  [[], 'its top'],
  [{ groups: [{ group: 'a', organization: 'acme', role: 'chief' }] }, 'groups.0.role'],
  [{ groups: [{ group: 'a' }] }, 'groups.0.organization'],
  [{ groups: [{ group: 'a', organization: 'Acme' }] }, 'groups.0.organization'],
  [{ groups: [{ group: 'a', organization: 'acme', workspace: 'lab' }] }, 'groups.0'],
  [{ groups: [{ group: 'a', organization: 'acme', workspaces: [{ workspace: 'lab', role: 'x' }] }] }, 'groups.0'],
  [{ groups: [{ group: 'a', organization: 'acme', workspaces: ['default'] }] }, 'groups.0.workspaces.0'],
])('%j is refused with the place of its fault', (table, place) => {
  expect(() => parse(table)).toThrow(ConfigError);
  expect(() => parse(table)).toThrow(`SERVICE_OIDC_GROUPS names a file with a fault at ${place}`);
});

it('gives the highest role of all groups that match, and no membership where none does', () => {
  const table = parse({
    groups: [
      { group: 'staff', organization: 'acme', workspaces: ['lab'] },
      {
        group: 'leads',
        organization: 'acme',
        role: 'admin',
        workspaces: [{ workspace: 'lab', role: 'owner' }, 'office'],
      },
      { group: 'guests', organization: 'other' },
    ],
  });
  expect(decideMemberships(table, ['staff', 'leads', 'unknown'])).toEqual([
    {
      organization: 'acme',
      role: 'admin',
      workspaces: new Map([
        ['lab', 'owner'],
        ['office', 'member'],
      ]),
    },
    { organization: 'other', role: undefined, workspaces: new Map() },
  ]);
});

it.each<[string, Record<string, unknown>, readonly string[] | undefined]>([
  ['groups', { groups: ['a', 7, 'b'] }, ['a', 'b']],
  ['groups', { groups: 'a' }, ['a']],
  ['groups', {}, []],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['https://example.com/groups', { 'https://example.com/groups': ['a'] }, ['a']],
  ['groups', { _claim_names: { groups: 'src1' } }, undefined],
  ['groups', { hasgroups: true }, undefined],
])('finds the claim %s in %j', (claim, claims, groups) => {
  expect(findGroups(claims, claim)).toEqual(groups);
});
