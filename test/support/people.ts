// People and organizations for tests, put straight into the tables where no rule is under test.
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/base/ids.ts';
import type { Role } from '../../src/contract/common.ts';
import type { Database } from '../../src/store/database.ts';
import { digestSecret } from '../../src/identity/secret-digests.ts';
import type { Plan } from '../../src/tenancy/members/membership.ts';
import { createOrganization } from '../../src/tenancy/organizations/create-organization.ts';
import { PLANS } from '../../src/tenancy/organizations/plans.ts';
import { setPlan } from '../../src/tenancy/organizations/set-plan.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export async function addPerson(db: Database, name = 'person'): Promise<Person> {
  const id = `usr_${randomBytes(8).toString('hex')}`;
  const person = { id, name, email: `${name}.${id}@example.test`.toLowerCase() };
  await db.query('insert into :schema.identity_user (id, name, email) values ($1, $2, $3)', [
    person.id,
    person.name,
    person.email,
  ]);
  return person;
}

export interface TestOrganization {
  readonly id: string;
  readonly slug: string;
  readonly globalId: string;
  readonly defaultId: string;
}

/** Each one with the signup credit of a first one, however many the owner has. */
export async function addOrganization(db: Database, owner: Person, plan: Plan = 'business'): Promise<TestOrganization> {
  const { organization, workspaces } = await createOrganization(
    db,
    owner.id,
    { name: `Org ${randomBytes(4).toString('hex')}` },
    { newOrganizations: 'anyone', firstPlan: 'free', organizationsPerPerson: 1_000_000 },
  );
  await db.query('update :schema.organization set signup_credit_micros = $2 where id = $1', [
    organization.id,
    PLANS.free.signupCreditMicros,
  ]);
  await setPlan(db, organization.id, plan);
  return {
    id: organization.id,
    slug: organization.slug,
    globalId: workspaces.global.id,
    defaultId: workspaces.default.id,
  };
}

export async function join(db: Database, organizationId: string, person: Person, role: Role): Promise<Person> {
  await db.query('insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, $3)', [
    organizationId,
    person.id,
    role,
  ]);
  return person;
}

export async function joinWorkspace(
  db: Database,
  organizationId: string,
  workspaceId: string,
  person: Person,
  role: Role,
): Promise<Person> {
  await db.query(
    'insert into :schema.workspace_member (organization_id, workspace_id, user_id, role) values ($1, $2, $3, $4)',
    [organizationId, workspaceId, person.id, role],
  );
  return person;
}

/** A session of the person: its token, as a bearer token of the web server's API. */
export async function addSession(db: Database, person: Person): Promise<string> {
  const token = randomBytes(16).toString('hex');
  await db.query(
    "insert into :schema.identity_session (id, user_id, token, expires_at) values ($1, $2, $3, now() + interval '1 hour')",
    [newId('ses'), person.id, digestSecret(token)],
  );
  return token;
}

/** How a promise ended: 'ok' or the code of the refusal. */
export function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}
