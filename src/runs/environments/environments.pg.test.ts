// Who sees an environment, who may change it, and what is kept of its secrets.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { ENVIRONMENT_LIMITS } from '../../contract/environments/environment-rules.ts';
import type { EnvironmentContent } from '../../contract/environments/environments.ts';
import { SCOPES } from '../../contract/tokens.ts';
import type { Database } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { startRun } from '../delivery/start-run.ts';
import type { RunReader } from '../record/find-runs.ts';
import { type EnvironmentDeps, putEnvironment, removeEnvironment } from './change-environment.ts';
import { presentEnvironment } from './environment.ts';
import { getEnvironment, listEnvironments, type SeenEnvironment } from './find-environments.ts';
import { openSecrets } from './open-secrets.ts';
import { rewrapEnvironments } from './rewrap-environments.ts';

const KEY = randomBytes(32);
const TOKEN = 'planted-secret-7f3a';

let db: Database;
let deps: EnvironmentDeps;
let owner: Person;
let lead: Person;
let member: Person;
let outsider: Person;
let organization: TestOrganization;
let lab: string;
beforeAll(async () => {
  db = await openTestDatabase();
  deps = { db, catalog: loadConnectors(), sealingKey: KEY, allowPrivateUrls: false };
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await addPerson(db, 'Olga');
  organization = await addOrganization(db, owner);
  const named = async (name: string): Promise<Person> => join(db, organization.id, await addPerson(db, name), 'member');
  [lead, member, outsider] = [await named('Lea'), await named('Mia'), await named('Otto')];
  lab = (await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' })).id;
  await joinWorkspace(db, organization.id, lab, lead, 'admin');
  await joinWorkspace(db, organization.id, lab, member, 'member');
});

const as = (person: Person, workspaceId?: string): RunReader => ({
  userId: person.id,
  organizationId: organization.id,
  workspaceId,
});
async function membershipOf(person: Person, workspace = lab) {
  const membership = await findMembership(db, {
    userId: person.id,
    organizationId: organization.id,
    workspaceId: workspace,
  });
  if (!membership) throw new Error('no such place');
  return membership;
}
const put = async (
  person: Person,
  name: string,
  content: EnvironmentContent = {},
  workspace = lab,
): Promise<SeenEnvironment> => putEnvironment(deps, await membershipOf(person, workspace), { name, content });
const details = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: { details: unknown }) => error.details,
  );

describe('environments', () => {
  it('are seen by who sees their workspace, and changed by its owners and admins and those of the organization', async () => {
    await put(lead, 'node', { setup: 'npm ci', variables: { STAGE: 'test' }, hosts: ['package-registries'] });
    await put(owner, 'audit');
    expect((await listEnvironments(db, as(member), { workspaceId: lab })).environments).toMatchObject([
      { environment: { name: 'audit' }, editable: false },
      { environment: { name: 'node', setup: 'npm ci', variables: { STAGE: 'test' } }, editable: false },
    ]);
    const page = await listEnvironments(db, as(lead), { limit: 1 });
    expect(page.environments.map(({ environment }) => environment.name)).toEqual(['audit']);
    expect((await listEnvironments(db, as(lead), { limit: 1, cursor: page.cursor })).environments).toMatchObject([
      { environment: { name: 'node' }, editable: true },
    ]);
    const node = { workspace: lab, name: 'node' };
    expect(await outcome(getEnvironment(db, as(outsider), node))).toBe('environment_not_found');
    expect(await outcome(getEnvironment(db, as(lead, organization.globalId), node))).toBe('environment_not_found');
    expect(await outcome(put(member, 'mine'))).toBe('workspace_authority_required');
    expect(await outcome(removeEnvironment(db, await membershipOf(member), 'node'))).toBe(
      'workspace_authority_required',
    );
    await removeEnvironment(db, await membershipOf(lead), 'node');
    expect(await outcome(removeEnvironment(db, await membershipOf(lead), 'node'))).toBe('environment_not_found');
  });

  it('are replaced as a whole, except for the secrets that are left out', async () => {
    await put(lead, 'node', { setup: 'npm ci', hosts: ['api.example.com'], secrets: { A: TOKEN, B: `${TOKEN}-b` } });
    const { environment } = await put(lead, 'node', { limits: { minutes: 5 }, secrets: { B: null, C: `${TOKEN}-c` } });
    expect(environment).toMatchObject({ setup: '', hosts: [], minutes: 5, memoryMiB: undefined, secrets: ['A', 'C'] });
    expect(await openSecrets(db, KEY, environment)).toEqual(
      new Map([
        ['A', TOKEN],
        ['C', `${TOKEN}-c`],
      ]),
    );
    expect(JSON.stringify(presentEnvironment(environment, true))).not.toContain(TOKEN);
  });

  it('keep their secrets sealed, and open with the key that they are moved to', async () => {
    const { environment } = await put(lead, 'node', { secrets: { A: TOKEN } });
    const { rows } = await db.query<{ row: string }>(
      'select s::text as row from :schema.environment_secret s where environment_id = $1',
      [environment.id],
    );
    expect(rows[0]?.row).not.toContain(TOKEN);
    expect(rows[0]?.row).not.toContain(Buffer.from(TOKEN).toString('hex'));
    const next = randomBytes(32);
    await rewrapEnvironments(db, { from: KEY, to: next });
    expect((await openSecrets(db, next, environment)).get('A')).toBe(TOKEN);
    expect(await outcome(openSecrets(db, KEY, environment))).toBe('environment_secret_lost');
    expect(await outcome(openSecrets(db, undefined, environment))).toBe('environment_secret_lost');
    const without = putEnvironment({ ...deps, sealingKey: undefined }, await membershipOf(lead), {
      name: 'other',
      content: { secrets: { A: TOKEN } },
    });
    expect(await outcome(without)).toBe('environment_secrets_not_configured');
    // Nothing is left of what was refused.
    expect(await outcome(getEnvironment(db, as(lead), { workspace: lab, name: 'other' }))).toBe(
      'environment_not_found',
    );
  });

  it('are refused by the field that is wrong', async () => {
    expect(await details(put(lead, 'x', { secrets: { A: TOKEN }, variables: { A: '1' } }))).toEqual({
      'variables.A': expect.stringContaining('secret'),
    });
    expect(await details(put(lead, 'x', { secretVariables: ['A'] }))).toEqual({
      secretVariables: expect.stringContaining('names A'),
    });
    for (const host of ['localhost', 'db.internal', '10.0.0.1', '169.254.169.254', 'api.example.com:8080'])
      expect(await details(put(lead, 'x', { hosts: [host] })), host).toEqual({
        hosts: expect.stringContaining(host),
      });
    expect(await details(put(lead, 'x', { repository: { connection: 'con_none', name: 'acme/site' } }))).toEqual({
      'repository.connection': expect.stringContaining('not a connection'),
    });
  });

  it('are bounded per workspace', async () => {
    await db.query(
      `insert into :schema.environment (id, organization_id, workspace_id, name, created_by)
         select 'env_' || $1 || n, $1, $2, 'e' || n, $3 from generate_series(1, $4::int) n`,
      [organization.id, lab, lead.id, ENVIRONMENT_LIMITS.environments],
    );
    expect(await outcome(put(lead, 'one-more'))).toBe('too_many_environments');
    expect(await outcome(put(lead, 'e1', { setup: 'true' }))).toBe('ok');
    expect(await outcome(put(owner, 'elsewhere', {}, organization.globalId))).toBe('ok');
  });

  it('have to be there when a run asks for one', async () => {
    await put(lead, 'node');
    const engines = { chat: undefined, control: undefined, codex: undefined };
    const authority = { startedWith: 'session', scopes: SCOPES, tokenId: undefined, grantId: undefined } as const;
    const start = async (environment: string, workspace = lab) =>
      startRun(
        { db, catalog: deps.catalog, models: loadModels(undefined), engines },
        await membershipOf(owner, workspace),
        { objective: 'do it', kind: 'chat', authority, environment },
      );
    expect((await start('node')).run.environment).toBe('node');
    expect(await outcome(start('gone'))).toBe('environment_not_found');
    expect(await outcome(start('node', organization.globalId))).toBe('environment_not_found');
  });
});
