// The table of who may do what, every row walked against the real thing: seven people towards one organization
// with one named workspace, and every action on them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../test/support/people.ts';
import { addMember } from './members/add-member.ts';
import { requireSettings } from './authority.ts';
import { changeMemberRole, removeMember } from './members/change-member.ts';
import {
  addWorkspaceMember,
  changeWorkspaceMemberRole,
  removeWorkspaceMember,
} from './workspaces/change-workspace-member.ts';
import { changeWorkspace, deleteWorkspace } from './workspaces/change-workspace.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { getMembership } from './members/get-membership.ts';
import { inviteMember } from './members/invite-member.ts';
import { listInvitations, revokeInvitation } from './members/list-invitations.ts';
import { listMembers, listWorkspaceMembers } from './members/list-members.ts';
import type { Membership } from './members/membership.ts';
import { renameOrganization } from './organizations/rename-organization.ts';

const PEOPLE = [
  'owner',
  'admin',
  'memberOwningWorkspace',
  'memberAdminOfWorkspace',
  'memberInWorkspace',
  'memberElsewhere',
  'outsider',
] as const;
type Who = (typeof PEOPLE)[number];

interface Scene {
  db: Database;
  organization: TestOrganization;
  workspaceId: string;
  people: Record<Who, Person>;
  stranger: Person;
  /** Members to act upon. */
  otherOwner: Person;
  otherMember: Person;
  invitationId: string;
}

async function setScene(db: Database): Promise<Scene> {
  const person = (name: string): Promise<Person> => addPerson(db, name);
  const owner = await person('owner');
  const organization = await addOrganization(db, owner);
  const creator = await join(db, organization.id, await person('creator'), 'member');
  const workspaceId = (
    await createWorkspace(db, { userId: creator.id, organizationId: organization.id }, { name: 'Research' })
  ).id;
  const inWorkspace = async (name: string, role: 'owner' | 'admin' | 'member'): Promise<Person> =>
    joinWorkspace(
      db,
      organization.id,
      workspaceId,
      await join(db, organization.id, await person(name), 'member'),
      role,
    );
  return {
    db,
    organization,
    workspaceId,
    people: {
      owner,
      admin: await join(db, organization.id, await person('admin'), 'admin'),
      memberOwningWorkspace: await inWorkspace('wsowner', 'owner'),
      memberAdminOfWorkspace: await inWorkspace('wsadmin', 'admin'),
      memberInWorkspace: await inWorkspace('wsmember', 'member'),
      memberElsewhere: await join(db, organization.id, await person('elsewhere'), 'member'),
      outsider: await person('outsider'),
    },
    stranger: await person('stranger'),
    otherOwner: await join(db, organization.id, await person('otherowner'), 'owner'),
    otherMember: await inWorkspace('othermember', 'member'),
    invitationId: (
      await inviteMember(
        db,
        systemClock,
        { userId: owner.id, organizationId: organization.id },
        { email: 'invited@example.test', role: 'member' },
      )
    ).id,
  };
}

type Action = (scene: Scene, actor: Person) => Promise<unknown>;
const org = ({ organization }: Scene, actor: Person): { userId: string; organizationId: string } => ({
  userId: actor.id,
  organizationId: organization.id,
});
const ws = ({ workspaceId }: Scene, actor: Person): { userId: string; workspaceId: string } => ({
  userId: actor.id,
  workspaceId,
});
const defaultWs = ({ organization }: Scene, actor: Person): { userId: string; workspaceId: string } => ({
  userId: actor.id,
  workspaceId: organization.defaultId,
});
const globalWs = ({ organization }: Scene, actor: Person): { userId: string; workspaceId: string } => ({
  userId: actor.id,
  workspaceId: organization.globalId,
});

/** These take a membership that the route has decided on. */
const managing = async (scene: Scene, actor: Person): Promise<Membership> => {
  const membership = await getMembership(scene.db, org(scene, actor));
  requireSettings(membership, 'members');
  return membership;
};

// Outcomes in the order of PEOPLE.
const OK = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'not_found'];
const MANAGERS = [
  'ok',
  'ok',
  'settings_refused',
  'settings_refused',
  'settings_refused',
  'settings_refused',
  'not_found',
];
const OWNERS = [
  'ok',
  'owner_required',
  'settings_refused',
  'settings_refused',
  'settings_refused',
  'settings_refused',
  'not_found',
];
const VISIBLE = ['ok', 'ok', 'ok', 'ok', 'ok', 'not_found', 'not_found'];
const AUTHORITY = ['ok', 'ok', 'ok', 'ok', 'workspace_authority_required', 'not_found', 'not_found'];
const RESERVED = [
  'workspace_reserved',
  'workspace_reserved',
  'workspace_authority_required',
  'workspace_authority_required',
  'workspace_authority_required',
  'workspace_authority_required',
  'not_found',
];
const NEVER_LEFT = [...Array.from({ length: 6 }, () => 'workspace_reserved'), 'not_found'];

const TABLE: [string, Action, string[]][] = [
  ['rename the organization', (s, a) => renameOrganization(s.db, org(s, a), 'Renamed'), MANAGERS],
  ['list members', async (s, a) => listMembers(s.db, await getMembership(s.db, org(s, a)), {}), OK],
  ['add a member', (s, a) => addMember(s.db, org(s, a), { email: s.stranger.email, role: 'member' }), MANAGERS],
  ['add an admin', (s, a) => addMember(s.db, org(s, a), { email: s.stranger.email, role: 'admin' }), MANAGERS],
  ['add an owner', (s, a) => addMember(s.db, org(s, a), { email: s.stranger.email, role: 'owner' }), OWNERS],
  ['promote a member to admin', (s, a) => changeMemberRole(s.db, org(s, a), s.otherMember.id, 'admin'), MANAGERS],
  ['promote a member to owner', (s, a) => changeMemberRole(s.db, org(s, a), s.otherMember.id, 'owner'), OWNERS],
  ['demote an owner', (s, a) => changeMemberRole(s.db, org(s, a), s.otherOwner.id, 'member'), OWNERS],
  ['remove a member', (s, a) => removeMember(s.db, org(s, a), s.otherMember.id), MANAGERS],
  ['remove an owner', (s, a) => removeMember(s.db, org(s, a), s.otherOwner.id), OWNERS],
  ['leave the organization', (s, a) => removeMember(s.db, org(s, a), a.id), OK],
  [
    'invite a member',
    (s, a) => inviteMember(s.db, systemClock, org(s, a), { email: 'new@example.test', role: 'member' }),
    MANAGERS,
  ],
  [
    'invite an owner',
    (s, a) => inviteMember(s.db, systemClock, org(s, a), { email: 'new@example.test', role: 'owner' }),
    OWNERS,
  ],
  ['list invitations', async (s, a) => listInvitations(s.db, systemClock, await managing(s, a), {}), MANAGERS],
  ['withdraw an invitation', async (s, a) => revokeInvitation(s.db, await managing(s, a), s.invitationId), MANAGERS],
  ['create a workspace', (s, a) => createWorkspace(s.db, org(s, a), { name: 'Mine' }), OK],
  ['see Default', (s, a) => getMembership(s.db, defaultWs(s, a)), OK],
  ['see a named workspace', (s, a) => getMembership(s.db, ws(s, a)), VISIBLE],
  ['list its members', async (s, a) => listWorkspaceMembers(s.db, await getMembership(s.db, ws(s, a)), {}), VISIBLE],
  ['rename it', (s, a) => changeWorkspace(s.db, ws(s, a), { name: 'Other', slug: 'other' }), AUTHORITY],
  ['delete it', (s, a) => deleteWorkspace(s.db, ws(s, a)), AUTHORITY],
  ['add a member to it', (s, a) => addWorkspaceMember(s.db, ws(s, a), s.otherOwner.id, 'member'), AUTHORITY],
  ['change a role in it', (s, a) => changeWorkspaceMemberRole(s.db, ws(s, a), s.otherMember.id, 'admin'), AUTHORITY],
  ['remove a member from it', (s, a) => removeWorkspaceMember(s.db, ws(s, a), s.otherMember.id), AUTHORITY],
  // The owner and the admin see it and are not in it, so there is nothing to leave.
  [
    'leave it',
    (s, a) => removeWorkspaceMember(s.db, ws(s, a), a.id),
    ['not_found', 'not_found', 'ok', 'ok', 'ok', 'not_found', 'not_found'],
  ],
  [
    'rename Default',
    (s, a) => changeWorkspace(s.db, defaultWs(s, a), { name: 'Everybody' }),
    ['ok', 'ok', ...RESERVED.slice(2)],
  ],
  ['move Default to another slug', (s, a) => changeWorkspace(s.db, defaultWs(s, a), { slug: 'everybody' }), RESERVED],
  ['rename Global', (s, a) => changeWorkspace(s.db, globalWs(s, a), { name: 'All' }), RESERVED],
  ['delete Default', (s, a) => deleteWorkspace(s.db, defaultWs(s, a)), RESERVED],
  ['delete Global', (s, a) => deleteWorkspace(s.db, globalWs(s, a)), RESERVED],
  ['leave Default', (s, a) => removeWorkspaceMember(s.db, defaultWs(s, a), a.id), NEVER_LEFT],
  ['leave Global', (s, a) => removeWorkspaceMember(s.db, globalWs(s, a), a.id), NEVER_LEFT],
  ['add a member to Default', (s, a) => addWorkspaceMember(s.db, defaultWs(s, a), s.otherMember.id, 'owner'), RESERVED],
  ['remove a member from Default', (s, a) => removeWorkspaceMember(s.db, defaultWs(s, a), s.otherMember.id), RESERVED],
];

describe('who may do what', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openTestDatabase({ poolMax: 8 });
  });
  afterAll(() => db.close());

  it.each(TABLE)('%s', async (_name, action, expected) => {
    const found = await Promise.all(
      PEOPLE.map(async (who) => {
        const scene = await setScene(db);
        return outcome(action(scene, scene.people[who]));
      }),
    );
    expect(Object.fromEntries(PEOPLE.map((who, i) => [who, found[i]]))).toEqual(
      Object.fromEntries(PEOPLE.map((who, i) => [who, expected[i]])),
    );
  });
});
