import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { ShutDeps } from '../../leaving/shut-person.ts';
import { deletePerson, disablePerson, enablePerson } from '../../leaving/shut-person.ts';
import {
  deleteOrganization,
  listShutOrganizations,
  type OrganizationDeps,
  restoreOrganization,
} from '../../leaving/shut-organization.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import { listOrganizations } from '../../tenancy/organizations/list-organizations.ts';
import { revokeToken, revokeTokensOf } from '../../tenancy/tokens/revoke-token.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, join, outcome } from '../../../test/support/people.ts';
import type { ControlDeps } from './control-deps.ts';
import { eraseDue } from './erase-due.ts';

let db: Database;
let deps: ShutDeps;
beforeAll(async () => {
  db = await openTestDatabase();
  const on = (tx: Queryable): { db: Database; clock: typeof systemClock } => ({
    db: tx as Database,
    clock: systemClock,
  });
  deps = {
    db,
    clock: systemClock,
    revokeToken: (tx, id) => revokeToken(on(tx), id),
    revokeTokensOf: (tx, id) => revokeTokensOf(on(tx), id),
  };
});
afterAll(() => db.close());

const mails: unknown[] = [];
const shutting = (deletionDays: number): OrganizationDeps => ({
  ...deps,
  deletionDays,
  mailer: { configured: true, queue: async (_tx, { to, kind }) => void mails.push({ to, kind }) },
});

const attempt: RunAttempt = {
  run: {} as Run,
  begunBefore: false,
  signal: new AbortController().signal,
  artifacts: async () => tmpdir(),
  progress: async () => undefined,
};

async function erase(removed: string[] = []): Promise<unknown> {
  const provider = {
    repair: () => Promise.reject(new Error('nothing is repaired here')),
    remove: async ({ workspaceId }: { workspaceId: string }) => void removed.push(workspaceId),
    close: async () => {},
  };
  const control = { db, dataDirectory: tmpdir(), openRepair: async () => provider } as unknown as ControlDeps;
  return eraseDue(control)(attempt);
}

const exists = async (table: string, id: string): Promise<boolean> =>
  (await db.query(`select 1 from :schema.${table} where id = $1`, [id])).rowCount > 0;

it('shuts an account at once, and opens it again', async () => {
  const [owner, person] = [await addPerson(db, 'owner'), await addPerson(db, 'person')];
  const organization = await addOrganization(db, owner);
  await join(db, organization.id, person, 'member');
  await db.query(
    "insert into :schema.identity_session (id, user_id, token, expires_at) values ('ses_1', $1, 'sha256:x', now() + interval '1 day')",
    [person.id],
  );
  await db.query(
    "insert into :schema.connect_token (id, user_id, organization_id, name, created_at, expires_at) values ('tok_1', $1, $2, 'laptop', now(), now() + interval '1 day')",
    [person.id, organization.id],
  );
  const place = { userId: person.id, organizationId: organization.id };
  expect(await findMembership(db, place)).toBeDefined();

  await disablePerson(deps, person.id);
  await disablePerson(deps, person.id);
  expect(await findMembership(db, place)).toBeUndefined();
  expect(await listOrganizations(db, person.id)).toEqual([]);
  expect(await exists('identity_session', 'ses_1')).toBe(false);
  const { rows } = await db.query(
    "select revoked_at is not null as revoked from :schema.connect_token where id = 'tok_1'",
  );
  expect(rows).toEqual([{ revoked: true }]);

  await enablePerson(deps, person.id);
  expect(await findMembership(db, place)).toBeDefined();
  expect(await outcome(disablePerson(deps, 'usr_nobody'))).toBe('not_found');
});

it('keeps the last owner, also when two leave at the same time, and erases who may go', async () => {
  const [first, second] = [await addPerson(db, 'first'), await addPerson(db, 'second')];
  const organization = await addOrganization(db, first);
  await join(db, organization.id, second, 'owner');
  const outcomes = await Promise.all([first, second].map(({ id }) => outcome(deletePerson(deps, id, `user:${id}`))));
  expect(outcomes.sort()).toEqual(['last_owner', 'ok']);
  const stays = await findMembership(db, { userId: first.id, organizationId: organization.id });
  const [left, leaver] = stays ? [first, second] : [second, first];
  expect(await outcome(enablePerson(deps, leaver.id))).toBe('conflict');
  const { rows } = await db.query('select task from :schema.job where idempotency_key = $1', [
    `erase/person/${leaver.id}`,
  ]);
  expect(rows).toEqual([{ task: 'erase' }]);

  expect(await erase()).toEqual({ person: 1, organization: 0, workspace: 0, left: 0 });
  expect(await exists('identity_user', leaver.id)).toBe(false);
  expect(await exists('identity_user', left.id)).toBe(true);
});

it('brings a deleted organization back until its day, and erases it then', async () => {
  const owner = await addPerson(db, 'owner');
  const organization = await addOrganization(db, owner);
  const place = { userId: owner.id, organizationId: organization.id };
  await deleteOrganization(shutting(7), organization.id, 'operator');
  expect(await findMembership(db, place)).toBeUndefined();
  expect(await listShutOrganizations(db, owner.id, new Date())).toMatchObject([
    { id: organization.id, state: 'deleted' },
  ]);
  expect(await erase()).toMatchObject({ organization: 0 });
  await restoreOrganization(deps, organization.id);
  expect(await findMembership(db, place)).toBeDefined();
  expect(await outcome(restoreOrganization(deps, organization.id))).toBe('not_found');

  await deleteOrganization(shutting(0), organization.id, 'operator');
  expect(mails).toEqual(Array.from({ length: 2 }, () => ({ to: owner.email, kind: 'organization-deleted' })));
  expect(await outcome(restoreOrganization(deps, organization.id))).toBe('not_found');
  expect(await erase()).toMatchObject({ organization: 1, left: 0 });
  expect(await exists('organization', organization.id)).toBe(false);
  expect(await exists('identity_user', owner.id)).toBe(true);
});
