import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { openListener } from '../store/listen.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { addOrganization, addPerson, outcome, type Person, type TestOrganization } from '../../test/support/people.ts';
import { acceptInvitation, showInvitation } from './members/accept-invitation.ts';
import { addMember } from './members/add-member.ts';
import { removeMember } from './members/change-member.ts';
import { findMembership } from './members/find-membership.ts';
import { getMembership } from './members/get-membership.ts';
import { inviteMember } from './members/invite-member.ts';
import { listInvitations } from './members/list-invitations.ts';
import { setPlan } from './organizations/set-plan.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());

async function scene(plan: 'free' | 'business' = 'business'): Promise<{
  owner: Person;
  invitee: Person;
  organization: TestOrganization;
  place: { userId: string; organizationId: string };
}> {
  const [owner, invitee] = [await addPerson(db, 'owner'), await addPerson(db, 'invitee')];
  const organization = await addOrganization(db, owner, plan);
  return { owner, invitee, organization, place: { userId: owner.id, organizationId: organization.id } };
}

it('brings the addressed person in with the offered role, in Global and Default but in no named workspace', async () => {
  const { invitee, organization, place } = await scene();
  const { id } = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'admin' });
  expect(await showInvitation(db, systemClock, invitee, id)).toMatchObject({
    id,
    organization: { id: organization.id },
    email: invitee.email,
    role: 'admin',
  });
  expect(await acceptInvitation(db, systemClock, invitee, id)).toMatchObject({
    id: organization.id,
    role: 'admin',
    plan: 'business',
  });
  for (const workspaceId of ['global', 'default']) {
    expect(
      await findMembership(db, { userId: invitee.id, organizationId: organization.id, workspaceId }),
    ).toMatchObject({
      workspaceRole: 'admin',
      isWorkspaceMember: true,
    });
  }
});

it('does not exist for anyone else, even with the link', async () => {
  const { owner, invitee, place } = await scene();
  const { id } = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' });
  expect(await outcome(showInvitation(db, systemClock, owner, id))).toBe('not_found');
  expect(await outcome(acceptInvitation(db, systemClock, await addPerson(db), id))).toBe('not_found');
});

it('may be accepted again by the same person while they are a member, but not after they were removed', async () => {
  const { invitee, place } = await scene();
  const { id } = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' });
  const first = await acceptInvitation(db, systemClock, invitee, id);
  expect(await acceptInvitation(db, systemClock, invitee, id)).toEqual(first);
  await removeMember(db, place, invitee.id);
  expect(await outcome(acceptInvitation(db, systemClock, invitee, id))).toBe('not_found');
});

it('is replaced by a second invitation to the same address', async () => {
  const { invitee, place } = await scene();
  const old = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' });
  const next = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'admin' });
  expect(await outcome(acceptInvitation(db, systemClock, invitee, old.id))).toBe('not_found');
  expect(
    (await listInvitations(db, systemClock, await getMembership(db, place), {})).invitations.map(({ id }) => id),
  ).toEqual([next.id]);
  expect(await acceptInvitation(db, systemClock, invitee, next.id)).toMatchObject({ role: 'admin' });
});

it('expires after seven days', async () => {
  const { invitee, place } = await scene();
  const start = Date.parse('2026-01-01T00:00:00Z');
  const { id, expiresAt } = await inviteMember(db, () => new Date(start), place, {
    email: invitee.email,
    role: 'member',
  });
  expect(expiresAt).toBe('2026-01-08T00:00:00.000Z');
  const later = (): Date => new Date(Date.parse(expiresAt));
  expect(await outcome(acceptInvitation(db, later, invitee, id))).toBe('invitation_expired');
  expect((await listInvitations(db, later, await getMembership(db, place), {})).invitations).toEqual([]);
  expect(await outcome(acceptInvitation(db, () => new Date(start + 1), invitee, id))).toBe('ok');
});

it('is refused for a member, and ends when the person is added another way', async () => {
  const { invitee, place } = await scene();
  const { id } = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' });
  await addMember(db, place, { email: invitee.email, role: 'member' });
  await removeMember(db, place, invitee.id);
  expect(await outcome(acceptInvitation(db, systemClock, invitee, id))).toBe('not_found');
  await addMember(db, place, { email: invitee.email, role: 'member' });
  expect(await outcome(inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' }))).toBe(
    'already_member',
  );
});

it('is refused while every seat is taken, when it is written and again when it is accepted', async () => {
  const { invitee, organization, place } = await scene('free');
  const { id } = await inviteMember(db, systemClock, place, { email: invitee.email, role: 'member' });
  for (let i = 0; i < 2; i++) await addMember(db, place, { email: (await addPerson(db)).email, role: 'member' });
  expect(await outcome(inviteMember(db, systemClock, place, { email: 'fourth@example.test', role: 'member' }))).toBe(
    'seat_capacity_reached',
  );
  expect(await outcome(acceptInvitation(db, systemClock, invitee, id))).toBe('seat_capacity_reached');
  await setPlan(db, organization.slug, 'team');
  expect(await outcome(acceptInvitation(db, systemClock, invitee, id))).toBe('ok');
  await setPlan(db, organization.id, 'free');
  expect(await outcome(addMember(db, place, { email: (await addPerson(db)).email, role: 'member' }))).toBe(
    'seat_capacity_reached',
  );
});

it('notifies listeners which organization changed, but not when the change was refused', async () => {
  const { invitee, organization, place } = await scene();
  const listener = openListener(db, quiet);
  try {
    const heard: string[] = [];
    const { promise: ready, resolve: listens } = Promise.withResolvers<void>();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    listener.subscribe('tenancy', (each) => {
      if (each.missed) return listens();
      heard.push(each.value);
      tell();
    });
    await ready;
    expect(await outcome(removeMember(db, place, place.userId))).toBe('last_owner');
    await addMember(db, place, { email: invitee.email, role: 'member' });
    await told;
    expect(heard).toEqual([organization.id]);
  } finally {
    await listener.close();
  }
});
