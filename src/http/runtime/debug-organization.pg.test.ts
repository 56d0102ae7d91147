import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addPerson, outcome } from '../../../test/support/people.ts';
import { systemClock } from '../../base/clock.ts';
import { readConfig } from '../../base/config.ts';
import type { Database } from '../../store/database.ts';
import { acceptInvitation } from '../../tenancy/members/accept-invitation.ts';
import { createOrganization } from '../../tenancy/organizations/create-organization.ts';
import { listOrganizations } from '../../tenancy/organizations/list-organizations.ts';
import { orderOrganization } from './debug-organization.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const CLOSED = readConfig({
  SERVICE_NEW_ORGANIZATIONS: 'operator',
  SERVICE_SIGN_UP: 'invited',
  SERVICE_FIRST_PLAN: 'team',
  SERVICE_PUBLIC_URL: 'https://agents.example.test',
});
const FREE = readConfig({});

async function creditOf(id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ credit: number }>(
    'select signup_credit_micros as credit from :schema.organization where id = $1',
    [id],
  );
  return rows[0]?.credit;
}

it('makes the account with the address its owner, even if sign-up and new organizations are closed', async () => {
  const person = await addPerson(db);
  const made = await orderOrganization(db, CLOSED, { name: 'Acme', ownerEmail: person.email.toUpperCase() });
  expect(made).toMatchObject({
    ok: true,
    organization: { name: 'Acme', plan: 'team' },
    owner: { user: person.id, email: person.email, verified: false },
  });
  expect(await listOrganizations(db, person.id)).toEqual([{ ...made.organization, role: 'owner' }]);
  expect(
    (await orderOrganization(db, CLOSED, { name: 'Acme', ownerEmail: person.email, plan: 'business' })).organization
      .plan,
  ).toBe('business');
});

it('invites an address without an account; the person who accepts becomes the owner, with the credit of a first organization', async () => {
  const { organization, invitation, owner } = await orderOrganization(
    db,
    { ...CLOSED, SERVICE_FIRST_PLAN: 'free' },
    { name: 'Newcomers', ownerEmail: 'new@example.test' },
  );
  expect(owner).toBeUndefined();
  expect(invitation).toMatchObject({
    email: 'new@example.test',
    role: 'owner',
    url: `https://agents.example.test/invitations/${invitation?.id}`,
  });
  expect(await creditOf(organization.id)).toBe(0);
  const person = await addPerson(db);
  await db.query("update :schema.identity_user set email = 'new@example.test' where id = $1", [person.id]);
  const invitee = { id: person.id, email: 'new@example.test' };
  expect(await acceptInvitation(db, systemClock, invitee, invitation?.id ?? '')).toMatchObject({
    id: organization.id,
    role: 'owner',
  });
  expect(await creditOf(organization.id)).toBe(5_000_000);
  const second = await createOrganization(db, person.id, { name: 'Second' });
  expect(await creditOf(second.organization.id)).toBe(0);
});

it('brings signup credit once per person, and counts as created by them', async () => {
  const person = await addPerson(db);
  await createOrganization(db, person.id, { name: 'Own' });
  const { organization } = await orderOrganization(db, FREE, { name: 'Given', ownerEmail: person.email });
  expect(await creditOf(organization.id)).toBe(0);
  expect(
    await outcome(
      createOrganization(
        db,
        person.id,
        { name: 'Third' },
        { newOrganizations: 'anyone', firstPlan: 'free', organizationsPerPerson: 2 },
      ),
    ),
  ).toBe('organization_limit_reached');
});

it('refuses what it cannot do, and creates nothing', async () => {
  const count = async (): Promise<unknown> => (await db.query('select count(*) as n from :schema.organization')).rows;
  const before = await count();
  const closed = { ...CLOSED, SERVICE_SIGN_UP: 'closed' } as const;
  expect(await outcome(orderOrganization(db, closed, { name: 'Nobody', ownerEmail: 'never@example.test' }))).toBe(
    'user_not_found',
  );
  for (const body of [
    undefined,
    {},
    { name: 'x' },
    { name: '', ownerEmail: 'a@example.test' },
    { name: 'x', ownerEmail: 'nobody' },
    { name: 'x', ownerEmail: 'a@example.test', plan: 'gold' },
    { name: 'x', ownerEmail: 'a@example.test', more: 1 },
  ]) {
    expect(await outcome(orderOrganization(db, FREE, body))).toBe('invalid_request');
  }
  expect(await count()).toEqual(before);
});
