import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../store/database.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, join, joinWorkspace, outcome } from '../../../test/support/people.ts';
import { addMember } from './add-member.ts';
import { changeMemberRole, removeMember } from './change-member.ts';
import { addWorkspaceMember } from '../workspaces/change-workspace-member.ts';
import { changeWorkspace } from '../workspaces/change-workspace.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';
import { findMembership } from './find-membership.ts';
import { getMembership } from './get-membership.ts';
import { listMembers, listWorkspaceMembers } from './list-members.ts';
import { listOrganizations } from '../organizations/list-organizations.ts';
import { listWorkspaces } from '../workspaces/list-workspaces.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());

it('finds organization and workspace by id or slug, and means Default when none is named', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const named = await createWorkspace(
    db,
    { userId: owner.id, organizationId: organization.id },
    { name: 'Übung Eins!' },
  );
  expect(named).toMatchObject({
    slug: 'ubung-eins',
    kind: 'named',
    role: 'owner',
    canManage: true,
    organization: organization.id,
  });
  const at = (organizationId?: string, workspaceId?: string): Promise<unknown> =>
    findMembership(db, { userId: owner.id, organizationId, workspaceId });
  expect(await at(organization.id)).toMatchObject({
    workspaceId: organization.defaultId,
    workspaceKind: 'default',
    organizationRole: 'owner',
    workspaceRole: 'owner',
    isWorkspaceMember: true,
    plan: 'business',
  });
  expect(await at(organization.slug, 'global')).toMatchObject({
    workspaceId: organization.globalId,
    workspaceKind: 'global',
  });
  expect(await at(organization.id, 'ubung-eins')).toMatchObject({ workspaceId: named.id });
  expect(await at(undefined, named.id)).toMatchObject({ organizationSlug: organization.slug, workspaceId: named.id });
  expect(await at(undefined, 'default')).toBeUndefined();
  expect(await at()).toBeUndefined();
});

it('resolves nothing across organizations', async () => {
  const [mine, theirs] = [await addPerson(db), await addPerson(db)];
  const [home, away] = [await addOrganization(db, mine), await addOrganization(db, theirs)];
  for (const place of [
    { organizationId: away.id },
    { organizationId: away.slug },
    { workspaceId: away.defaultId },
    { organizationId: home.id, workspaceId: away.defaultId },
  ]) {
    expect(await findMembership(db, { userId: mine.id, ...place })).toBeUndefined();
  }
});

it('distinguishes a member of the organization from a member of the named workspace', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const member = await join(db, organization.id, await addPerson(db), 'member');
  const { id } = await createWorkspace(db, { userId: member.id, organizationId: organization.id }, { name: 'W' });
  expect(await findMembership(db, { userId: owner.id, workspaceId: id })).toMatchObject({
    organizationRole: 'owner',
    workspaceRole: undefined,
    isWorkspaceMember: false,
  });
  expect(await findMembership(db, { userId: member.id, workspaceId: id })).toMatchObject({
    organizationRole: 'member',
    workspaceRole: 'owner',
    isWorkspaceMember: true,
  });
});

it('removes a removed member from every workspace, even if they come back', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const place = { userId: owner.id, organizationId: organization.id };
  const member = await join(db, organization.id, await addPerson(db), 'member');
  const { id } = await createWorkspace(db, place, { name: 'W' });
  await joinWorkspace(db, organization.id, id, member, 'admin');
  await removeMember(db, place, member.id);
  expect(await findMembership(db, { userId: member.id, workspaceId: id })).toBeUndefined();
  await addMember(db, place, { email: member.email, role: 'member' });
  expect(await findMembership(db, { userId: member.id, workspaceId: id })).toMatchObject({ isWorkspaceMember: false });
});

it('keeps the last owner, whether removed or demoted, by themself or by another', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const place = { userId: owner.id, organizationId: organization.id };
  expect(await outcome(removeMember(db, place, owner.id))).toBe('last_owner');
  expect(await outcome(changeMemberRole(db, place, owner.id, 'admin'))).toBe('last_owner');
  expect(await outcome(changeMemberRole(db, place, owner.id, 'owner'))).toBe('ok');
});

it('lists what a person may see: Default, their workspaces, all of them for owners and admins, never Global', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const [one, two] = [
    await join(db, organization.id, await addPerson(db), 'member'),
    await join(db, organization.id, await addPerson(db), 'admin'),
  ];
  await createWorkspace(db, { userId: one.id, organizationId: organization.id }, { name: 'One' });
  await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Two' });
  const seen = async (userId: string): Promise<unknown> => {
    const { workspaces } = await listWorkspaces(
      db,
      await getMembership(db, { userId, organizationId: organization.id }),
      {},
    );
    return workspaces.map(({ slug, role, canManage }) => [slug, role, canManage]);
  };
  expect(await seen(one.id)).toEqual([
    ['default', 'member', false],
    ['one', 'owner', true],
  ]);
  expect(await seen(two.id)).toEqual([
    ['default', 'admin', true],
    ['one', undefined, true],
    ['two', undefined, true],
  ]);
  expect(await listOrganizations(db, one.id)).toEqual([
    { id: organization.id, slug: organization.slug, name: expect.any(String), plan: 'business', role: 'member' },
  ]);
});

it('pages through workspaces and members without losing or repeating one', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const membership = await getMembership(db, { userId: owner.id, organizationId: organization.id });
  for (let i = 0; i < 6; i++) {
    await join(db, organization.id, await addPerson(db), 'member');
    await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Same' });
  }
  const members: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listMembers(db, membership, { cursor, limit: 3 });
    members.push(...page.members.map(({ user }) => user));
    if (page.cursor === undefined) break;
    cursor = page.cursor;
  }
  expect([members.length, new Set(members).size, members[0]]).toEqual([7, 7, owner.id]);
  const first = await listWorkspaces(db, membership, { limit: 7 });
  expect(first.cursor).toBeUndefined();
  const page = await listWorkspaces(db, membership, { limit: 4 });
  const rest = await listWorkspaces(db, membership, { limit: 4, cursor: page.cursor });
  expect([...page.workspaces, ...rest.workspaces]).toEqual(first.workspaces);
  expect(await outcome(listMembers(db, membership, { cursor: 'bm9wZQ' }))).toBe('invalid_request');
  expect((await listWorkspaceMembers(db, membership, {})).members).toHaveLength(7);
});

it('never gives a named workspace the short name of Global or Default, nor one that is taken', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const place = { userId: owner.id, organizationId: organization.id };
  expect((await createWorkspace(db, place, { name: 'Default' })).slug).toMatch(/^default-[0-9a-f]{6}$/);
  for (const slug of ['default', 'global'])
    expect(await outcome(createWorkspace(db, place, { name: 'x', slug }))).toBe('slug_taken');
  const { id } = await createWorkspace(db, place, { name: 'Free' });
  await createWorkspace(db, place, { name: 'Taken' });
  for (const slug of ['default', 'global', 'taken'])
    expect(await outcome(changeWorkspace(db, { userId: owner.id, workspaceId: id }, { slug }))).toBe('slug_taken');
  expect(await outcome(createOrganization(db, owner.id, { name: 'x', slug: organization.slug }))).toBe('slug_taken');
});

it('adds only members of the organization to a workspace, once', async () => {
  const owner = await addPerson(db);
  const organization = await addOrganization(db, owner);
  const member = await join(db, organization.id, await addPerson(db), 'member');
  const { id } = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'W' });
  const place = { userId: owner.id, workspaceId: id };
  expect(await outcome(addWorkspaceMember(db, place, (await addPerson(db)).id, 'member'))).toBe('user_not_found');
  expect(await outcome(addWorkspaceMember(db, place, member.id, 'member'))).toBe('ok');
  expect(await outcome(addWorkspaceMember(db, place, member.id, 'admin'))).toBe('already_member');
});
