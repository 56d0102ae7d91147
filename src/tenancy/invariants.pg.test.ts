// Whatever is called in parallel: one membership a person, at least one owner, never more members than seats, and
// no workspace membership without the organization's.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { Role } from '../contract/common.ts';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, join, outcome, type Person } from '../../test/support/people.ts';
import { acceptInvitation } from './members/accept-invitation.ts';
import { addMember } from './members/add-member.ts';
import { changeMemberRole, removeMember } from './members/change-member.ts';
import { addWorkspaceMember, removeWorkspaceMember } from './workspaces/change-workspace-member.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { inviteMember } from './members/invite-member.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 16 });
});
afterAll(() => db.close());

const people = (count: number): Promise<Person[]> => Promise.all(Array.from({ length: count }, () => addPerson(db)));

async function memberCount(organizationId: string, role?: Role): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*) as n from :schema.organization_member where organization_id = $1 and ($2::text is null or role = $2)',
    [organizationId, role ?? null],
  );
  return rows[0]?.n ?? 0;
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of outcomes) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

it('gives the last seats of a plan once when many are added at the same time', async () => {
  const [owner, ...others] = await people(13);
  if (!owner) throw new Error('no owner');
  const organization = await addOrganization(db, owner, 'free');
  const place = { userId: owner.id, organizationId: organization.id };
  const outcomes = await Promise.all(
    others.map(({ email }) => outcome(addMember(db, place, { email, role: 'member' }))),
  );
  expect(tally(outcomes)).toEqual({ ok: 2, seat_capacity_reached: 10 });
  expect(await memberCount(organization.id)).toBe(3);
});

it('gives the last seats once when many accept at the same time', async () => {
  const [owner, ...others] = await people(11);
  if (!owner) throw new Error('no owner');
  const organization = await addOrganization(db, owner, 'free');
  const place = { userId: owner.id, organizationId: organization.id };
  const invitations = await Promise.all(
    others.map(({ email }) => inviteMember(db, systemClock, place, { email, role: 'member' })),
  );
  const outcomes = await Promise.all(
    others.map((person, i) => outcome(acceptInvitation(db, systemClock, person, invitations[i]?.id ?? ''))),
  );
  expect(tally(outcomes)).toEqual({ ok: 2, seat_capacity_reached: 8 });
});

it('makes one membership of many parallel additions and acceptances of the same person', async () => {
  const [owner, person] = await people(2);
  if (!owner || !person) throw new Error('nobody');
  const organization = await addOrganization(db, owner);
  const place = { userId: owner.id, organizationId: organization.id };
  const { id } = await inviteMember(db, systemClock, place, { email: person.email, role: 'admin' });
  const accepts = Array.from({ length: 8 }, () => outcome(acceptInvitation(db, systemClock, person, id)));
  const adds = Array.from({ length: 8 }, () => outcome(addMember(db, place, { email: person.email, role: 'member' })));
  const outcomes = await Promise.all([...accepts, ...adds]);
  expect(outcomes.every((each) => ['ok', 'already_member', 'not_found'].includes(each))).toBe(true);
  expect(await memberCount(organization.id)).toBe(2);
});

it('keeps one open invitation for an address that is invited many times concurrently', async () => {
  const [owner] = await people(1);
  if (!owner) throw new Error('nobody');
  const organization = await addOrganization(db, owner);
  await Promise.all(
    Array.from({ length: 10 }, () =>
      inviteMember(
        db,
        systemClock,
        { userId: owner.id, organizationId: organization.id },
        { email: 'once@example.test', role: 'member' },
      ),
    ),
  );
  const { rows } = await db.query('select 1 from :schema.invitation where organization_id = $1', [organization.id]);
  expect(rows).toHaveLength(1);
});

it('keeps an owner when all owners demote or remove each other at once', async () => {
  const owners = await people(8);
  const [first, ...rest] = owners;
  if (!first) throw new Error('nobody');
  const organization = await addOrganization(db, first);
  for (const owner of rest) await join(db, organization.id, owner, 'owner');
  const outcomes = await Promise.all(
    owners.flatMap((actor) =>
      owners.map((target, i) => {
        const place = { userId: actor.id, organizationId: organization.id };
        return outcome(
          i % 2 === 0 ? removeMember(db, place, target.id) : changeMemberRole(db, place, target.id, 'member'),
        );
      }),
    ),
  );
  expect(await memberCount(organization.id, 'owner')).toBe(1);
  expect(tally(outcomes).ok).toBeGreaterThanOrEqual(7);
});

it('gives parallel organizations of one name different slugs, each with one Global and one Default', async () => {
  const [owner] = await people(1);
  if (!owner) throw new Error('nobody');
  const made = await Promise.all(
    Array.from({ length: 4 }, () => createOrganization(db, owner.id, { name: 'Same Name GmbH' })),
  );
  expect(new Set(made.map(({ organization }) => organization.slug)).size).toBe(4);
  for (const { organization } of made) {
    const { rows } = await db.query<{ kind: string }>(
      'select kind from :schema.workspace where organization_id = $1 order by kind',
      [organization.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['default', 'global']);
  }
  await expect(
    db.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_2', $1, 'default', 'x', 'default')",
      [made[0]?.organization.id],
    ),
  ).rejects.toThrow(/unique/);
});

const step = fc.record({
  verb: fc.constantFrom('add', 'invite', 'accept', 'remove', 'role', 'workspace', 'leaveWorkspace'),
  actor: fc.nat(5),
  target: fc.nat(5),
  role: fc.constantFrom<Role>('owner', 'admin', 'member'),
});

it('holds under any mixture of parallel calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const crowd = await people(6);
      const [owner] = crowd;
      if (!owner) throw new Error('nobody');
      const organization = await addOrganization(db, owner, 'free');
      const workspace = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'W' });
      const invitations = new Map<string, string>();
      const run = async ({ verb, actor, target, role }: (typeof steps)[number]): Promise<unknown> => {
        const [by, on] = [crowd[actor] ?? owner, crowd[target] ?? owner];
        const place = { userId: by.id, organizationId: organization.id };
        const inWorkspace = { userId: by.id, workspaceId: workspace.id };
        if (verb === 'add') return addMember(db, place, { email: on.email, role });
        if (verb === 'invite')
          return inviteMember(db, systemClock, place, { email: on.email, role }).then(({ id }) =>
            invitations.set(on.id, id),
          );
        if (verb === 'accept') return acceptInvitation(db, systemClock, on, invitations.get(on.id) ?? 'inv_none');
        if (verb === 'remove') return removeMember(db, place, on.id);
        if (verb === 'role') return changeMemberRole(db, place, on.id, role);
        if (verb === 'workspace') return addWorkspaceMember(db, inWorkspace, on.id, role);
        return removeWorkspaceMember(db, inWorkspace, on.id);
      };
      const outcomes = await Promise.all(steps.map((each) => outcome(run(each))));
      // Refusals only: no deadlock, no constraint that the code ran into.
      expect(outcomes.filter((each) => !/^[a-z_]+$/.test(each))).toEqual([]);
      expect(await memberCount(organization.id)).toBeLessThanOrEqual(3);
      expect(await memberCount(organization.id, 'owner')).toBeGreaterThanOrEqual(1);
      const orphans = await db.query(
        'select 1 from :schema.workspace_member w where workspace_id = $1 and not exists (select 1 from :schema.organization_member m where m.organization_id = w.organization_id and m.user_id = w.user_id)',
        [workspace.id],
      );
      expect(orphans.rowCount).toBe(0);
    }),
    { numRuns: 30 },
  );
});
