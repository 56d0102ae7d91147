import { describe, expect, it } from 'vitest';
import { type CannedRoutes, json, refuse } from '../../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const ADA = { user: 'usr_1', name: 'Ada', email: 'ada@example.test', role: 'owner', createdAt: AT };
const GRACE = { user: 'usr_2', name: 'Grace', email: 'grace@example.test', role: 'member', createdAt: AT };
const MEMBERS: CannedRoutes = {
  'GET /api/organizations/org_1/members': ({ query }) =>
    json(query['cursor'] === undefined ? { members: [ADA], cursor: 'next' } : { members: [GRACE] }),
};
const INVITATION = {
  id: 'inv_1',
  url: 'https://service.test/invitations/inv_1',
  email: 'new@example.test',
  role: 'admin',
  expiresAt: AT,
  createdAt: AT,
};
const WORKSPACE = {
  id: 'ws_2',
  organization: 'org_1',
  slug: 'research',
  name: 'Research',
  kind: 'named',
  role: 'owner',
  canManage: true,
  createdAt: AT,
};
const WORKSPACES: CannedRoutes = { 'GET /api/organizations/org_1/workspaces': { workspaces: [WORKSPACE] } };
const last = () => stand.requests().at(-1);

describe('members', () => {
  it('lists every page', async () => {
    stand.serve(MEMBERS);
    expect((await stand.servicectl(['members'])).stdout).toBe(
      `ada@example.test\tAda\towner\t${AT}\tusr_1\ngrace@example.test\tGrace\tmember\t${AT}\tusr_2\n`,
    );
  });

  it('invites, and prints only the link on standard output', async () => {
    stand.serve({
      'POST /api/organizations/org_1/invitations': () => json({ invitation: INVITATION, sent: false }, 201),
    });
    expect(await stand.servicectl(['members', 'invite', 'new@example.test', '--role', 'admin'])).toEqual({
      code: 0,
      stdout: `${INVITATION.url}\n`,
      stderr: 'Send this link to new@example.test. It makes them an admin of the organization.\n',
    });
    expect(last()?.body).toEqual({ email: 'new@example.test', role: 'admin' });
  });

  it('adds an account, and says if its address was never verified', async () => {
    const account = { verified: false, registeredAt: AT };
    stand.serve({ 'POST /api/organizations/org_1/members': () => json({ member: GRACE, account }, 201) });
    expect((await stand.servicectl(['members', 'add', 'grace@example.test'])).stderr).toMatch(
      /is now a member of the organization\.\nThis address was never verified/,
    );
  });

  it('changes a role and removes a member, by email address', async () => {
    stand.serve({
      ...MEMBERS,
      'PATCH /api/organizations/org_1/members/usr_2': { member: { ...GRACE, role: 'admin' } },
      'DELETE /api/organizations/org_1/members/usr_2': { ok: true },
    });
    expect(await stand.servicectl(['members', 'role', 'Grace@example.test', 'admin'])).toMatchObject({
      code: 0,
      stderr: 'grace@example.test is now an admin of the organization.\n',
    });
    expect(await stand.servicectl(['members', 'remove', 'usr_2'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['members', 'remove', 'usr_2', '--yes', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"removed":{"user":"usr_2","email":"grace@example.test"}}\n',
    });
    expect(await stand.servicectl(['members', 'remove', 'nobody@example.test', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('servicectl members'),
    });
    expect(await stand.servicectl(['members', 'role', 'usr_2', 'king'])).toMatchObject({ code: 2 });
  });
});

it('invitations are listed, their link is printed again, and they are revoked', async () => {
  stand.serve({
    'GET /api/organizations/org_1/invitations': { invitations: [INVITATION] },
    'DELETE /api/organizations/org_1/invitations/inv_1': { ok: true },
  });
  expect((await stand.servicectl(['invitations'])).stdout).toBe(`new@example.test\tadmin\t${AT}\t${AT}\n`);
  expect((await stand.servicectl(['invitations', 'link', 'new@example.test'])).stdout).toBe(`${INVITATION.url}\n`);
  expect(await stand.servicectl(['invitations', 'revoke', 'inv_1'])).toMatchObject({
    code: 0,
    stderr: 'Revoked the invitation of new@example.test.\n',
  });
  expect(await stand.servicectl(['invitations', 'revoke', 'other@example.test'])).toMatchObject({ code: 1 });
});

describe('workspaces', () => {
  it('are created, renamed and deleted', async () => {
    stand.serve({
      ...WORKSPACES,
      'POST /api/organizations/org_1/workspaces': () => json({ workspace: WORKSPACE }, 201),
      'PATCH /api/workspaces/ws_2': { workspace: { ...WORKSPACE, name: 'Lab' } },
      'DELETE /api/workspaces/ws_2': { ok: true },
    });
    expect(await stand.servicectl(['workspaces', 'create', 'Research'])).toMatchObject({
      code: 0,
      stdout: 'research\n',
    });
    expect(await stand.servicectl(['workspaces', 'rename', 'research', 'Lab'])).toMatchObject({
      stderr: 'Renamed to Lab (research).\n',
    });
    expect(last()?.body).toEqual({ name: 'Lab' });
    expect(await stand.servicectl(['workspaces', 'delete', 'research'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['workspaces', 'delete', 'research', '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Deleted Research.\n',
    });
  });

  it('take and lose members', async () => {
    stand.serve({
      ...WORKSPACES,
      ...MEMBERS,
      'GET /api/workspaces/ws_2/members': { members: [GRACE] },
      'POST /api/workspaces/ws_2/members': () => json({ member: GRACE }, 201),
      'PATCH /api/workspaces/ws_2/members/usr_2': { member: { ...GRACE, role: 'admin' } },
      'DELETE /api/workspaces/ws_2/members/usr_2': { ok: true },
    });
    const members = (...args: string[]) => stand.servicectl(['workspaces', 'members', ...args]);
    expect((await members('list', 'research')).stdout).toMatch(/^grace@example\.test\tGrace\tmember\t/);
    expect(await members('add', 'research', 'grace@example.test')).toMatchObject({
      stderr: 'grace@example.test is now a member of Research.\n',
    });
    expect(last()?.body).toEqual({ user: 'usr_2', role: 'member' });
    expect((await members('role', 'research', 'grace@example.test', 'admin')).stderr).toContain('an admin of Research');
    expect(await members('remove', 'research', 'grace@example.test', '--yes')).toMatchObject({ code: 0 });
    expect(await members('remove', 'research', 'ada@example.test', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such member of this workspace'),
    });
  });

  it('a 404 names the command that lists them', async () => {
    stand.serve({ ...WORKSPACES, 'PATCH /api/workspaces/ws_2': refuse(404, 'not_found') });
    expect((await stand.servicectl(['workspaces', 'rename', 'research', 'Lab'])).stderr).toContain(
      '→ Check the name or ID. To see what exists, run: servicectl workspaces\n',
    );
  });
});
