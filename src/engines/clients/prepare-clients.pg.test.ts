import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../../../test/support/people.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import type { Reference } from '../../connections/connection-types.ts';
import { storeReference } from '../../connections/stored-reference.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { ProviderCredentials } from '../../nango/read-credentials.ts';
import { createBody } from '../../sandbox/protocol.ts';
import type { Database } from '../../store/database.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { NO_AUTHORITY } from '../../runs/record/run-authority.ts';
import { createRunCallbackServer, type RunCallbackServer } from '../run-callback-server.ts';
import type { RepositoryWish } from '../../runs/environments/environment.ts';
import type { SandboxSetup } from '../run-sandbox.ts';
import { GCLOUD_HOSTS } from './cloud-hosts.ts';
import { createPrepareClients } from './prepare-clients.ts';

const KEY = randomBytes(32);
const NONE: ProviderCredentials = { token: undefined, pair: undefined, expiresAt: undefined, settings: {} };

describe("the clients of a run's workspace", () => {
  let db: Database;
  let owner: Person;
  let organization: TestOrganization;
  let callbacks: RunCallbackServer;
  let held: Record<string, ProviderCredentials>;
  let told: unknown[];
  let wish: RepositoryWish | undefined;
  beforeAll(async () => {
    db = await openTestDatabase();
    callbacks = createRunCallbackServer();
  });
  beforeEach(async () => {
    owner = await addPerson(db);
    organization = await addOrganization(db, owner);
    [held, told, wish] = [{}, [], undefined];
  });
  afterAll(async () => {
    await callbacks.close();
    await db.close();
  });

  async function connect(
    provider: string,
    name: string,
    reference: Partial<Reference> = {},
    more: { expiry?: Date; workspaceId?: string } = {},
  ): Promise<void> {
    const address = {
      organizationId: organization.id,
      workspaceId: more.workspaceId ?? organization.defaultId,
      provider,
      name,
    };
    const whole = {
      kind: 'integration-reference',
      integrationId: provider,
      connectionId: `${provider}-${name}`,
      ...reference,
    } as Reference;
    await db.transaction((tx) =>
      storeReference(db, tx, KEY, { address, reference: whole, expiry: more.expiry, whenTaken: 'replace' }),
    );
  }
  function prepare(
    userId = owner.id,
    { scopes = ['connect:write'], capabilities = [] }: { scopes?: Scope[]; capabilities?: string[] } = {},
  ): Promise<SandboxSetup> {
    const credentials = {
      read: async ({ connectionId }: { connectionId: string }) => held[connectionId] ?? NONE,
      close: async () => {},
    };
    const attempt = {
      run: {
        organizationId: organization.id,
        workspaceId: organization.defaultId,
        createdBy: userId,
        capabilities,
        authority: { ...NO_AUTHORITY, scopes },
      },
      signal: new AbortController().signal,
      progress: async (fact: unknown) => void told.push(fact),
    } as unknown as RunAttempt;
    return createPrepareClients({
      db,
      log: pino({ level: 'silent' }),
      catalog: loadConnectors(),
      wrappingKey: KEY,
      credentials,
      callbacks,
      stsUrl: 'http://127.0.0.1:9',
      localProfiles: undefined,
      path: '/usr/bin',
      allowPrivate: false,
      findRepository: async () => wish,
    })(attempt);
  }
  const filesOf = ({ files = [] }: SandboxSetup): string =>
    files.map(({ path, content }) => `${path}\n${String(content)}`).join('\n');

  it('keep tokens in brokers outside, and only what they need in files', async () => {
    await connect('databricks', 'default');
    await connect('databricks', 'lab');
    await connect('google-cloud', 'default');
    await connect('github', 'default');
    await connect('gitlab', 'default', { kind: 'code-host-token', token: 'glpat-secret-1', host: 'git.acme.example' });
    held = {
      'databricks-default': { ...NONE, token: 'dapi-secret-1', settings: { host: 'dbc-1.cloud.databricks.com' } },
      'databricks-lab': { ...NONE, token: 'dapi-secret-2', settings: { host: 'https://evil.example' } },
      'google-cloud-default': { ...NONE, token: 'ya29.secret-3' },
      'github-default': { ...NONE, token: 'gho-secret-4' },
    };
    const setup = await prepare();
    // What the controller is sent is what it takes.
    const { network } = createBody.parse({ network: setup.network, env: setup.env });
    expect(network.allow).toEqual(GCLOUD_HOSTS);
    expect(
      network.brokers.map(({ host, target, headers, publicOnly }) => [
        host,
        target,
        headers['authorization'],
        publicOnly,
      ]),
    ).toEqual([
      ['databricks.broker', 'https://dbc-1.cloud.databricks.com', 'Bearer dapi-secret-1', true],
      [
        'github.broker',
        'https://github.com',
        `Basic ${Buffer.from('x-access-token:gho-secret-4').toString('base64')}`,
        true,
      ],
      ['api.github.com', 'https://api.github.com', 'token gho-secret-4', true],
      [
        'gitlab.broker',
        'https://git.acme.example',
        `Basic ${Buffer.from('oauth2:glpat-secret-1').toString('base64')}`,
        true,
      ],
    ]);
    expect(filesOf(setup)).not.toMatch(/dapi-secret|gho-secret|glpat-secret/);
    expect(filesOf(setup)).toContain('ya29.secret-3');
    expect(JSON.stringify(setup.env)).not.toContain('secret');
    expect(told).toEqual([
      {
        type: 'clients',
        profiles: ['databricks:service', 'github:service', 'gitlab:service', 'google-cloud:service'],
        leftOut: [{ connection: 'databricks:lab', reason: 'its settings name no Databricks host' }],
      },
    ]);
    expect(JSON.stringify(told)).not.toContain('secret');
    expect(setup.about).toContain('gcloud, with the configurations service');
  });

  it('come from usable connections of this workspace, and never from the agent registry', async () => {
    await connect('aws', 'agent-registry');
    await connect('aws', 'old', {}, { expiry: new Date(Date.now() - 1_000) });
    await connect('google-cloud', 'default', {}, { workspaceId: organization.globalId });
    await connect('slack', 'default');
    expect(filesOf(await prepare())).toBe('');
    expect(told).toEqual([
      { type: 'clients', profiles: [], leftOut: [{ connection: 'aws:old', reason: 'it is expired' }] },
    ]);
  });

  it('are none without a connect scope, and none that can write without connect:write', async () => {
    for (const provider of ['aws', 'google-cloud', 'databricks', 'github']) await connect(provider, 'default');
    held = {
      'databricks-default': { ...NONE, token: 'dapi-secret-1', settings: { host: 'dbc-1.cloud.databricks.com' } },
      'google-cloud-default': { ...NONE, token: 'ya29.secret-3' },
      'github-default': { ...NONE, token: 'gho-secret-4' },
    };
    expect(await prepare(owner.id, { scopes: ['jobs:read', 'jobs:write', 'chat'] })).toEqual({});
    expect(told).toEqual([]);
    const { network } = await prepare(owner.id, { scopes: ['connect:read'] });
    expect(network?.allow).toEqual([]);
    expect(
      network?.brokers?.map(({ host, paths }) => [
        host,
        paths.every((path) => path.startsWith('GET ') || path.endsWith('/git-upload-pack')),
      ]),
    ).toEqual([
      ['databricks.broker', true],
      ['github.broker', true],
      ['api.github.com', true],
    ]);
    expect(told).toMatchObject([
      {
        profiles: ['databricks:service', 'github:service'],
        leftOut: [{ connection: 'aws' }, { connection: 'google-cloud' }],
      },
    ]);
  });

  it('are those that the run names, and no hosts are open for the others', async () => {
    await connect('aws', 'default');
    await connect('github', 'default');
    held = { 'github-default': { ...NONE, token: 'gho-secret-4' } };
    expect(await prepare(owner.id, { capabilities: ['slack.general'] })).toEqual({ env: {}, files: [] });
    const { network } = await prepare(owner.id, { capabilities: ['github'] });
    expect(network?.allow).toEqual([]);
    expect(network?.brokers?.map(({ host }) => host)).toEqual(['github.broker', 'api.github.com']);
  });

  it('are not given to a person who is not a member', async () => {
    await connect('aws', 'default');
    await expect(prepare((await addPerson(db)).id)).rejects.toMatchObject({ code: 'workspace_membership_required' });
  });

  it('plan the checkout of the repository that the run begins with, named or not, by the rules of its connection', async () => {
    await connect('github', 'default');
    await connect('gitlab', 'lab', { kind: 'code-host-token', token: 'glpat-secret-1', host: 'git.acme.example' });
    held = { 'github-default': { ...NONE, token: 'gho-secret-4' } };
    const planned = async (wished: RepositoryWish, options?: Parameters<typeof prepare>[1]): Promise<unknown> => {
      wish = wished;
      return (await prepare(owner.id, options)).checkout;
    };
    expect(await planned({ connection: 'github', name: 'acme/app', ref: 'v1.2' })).toMatchObject({
      repository: 'acme/app',
      ref: 'v1.2',
      remote: 'https://github.com/acme/app.git',
      address: 'http://github.broker/acme/app.git',
      directory: '/workspace/app',
    });
    expect(
      await planned({ connection: 'gitlab:lab', name: 'a/b/.git-tools' }, { capabilities: ['github'] }),
    ).toMatchObject({
      remote: 'https://service-lab@git.acme.example/a/b/.git-tools.git',
      address: 'http://gitlab-lab.broker/a/b/.git-tools.git',
      directory: '/workspace/repository-git-tools',
    });
    for (const ref of ['-upload-pack=x', 'a..b', 'a:b', '+a', 'a b', 'a@{1}', 'a.lock', ''])
      await expect(planned({ connection: 'github', name: 'acme/app', ref })).rejects.toThrow(
        'is not the name of a branch',
      );
    for (const name of ['acme', '../app', 'acme/..', 'acme/app?x', '-x/-y\n'])
      await expect(planned({ connection: 'github', name })).rejects.toThrow('this is not the name of a repository');
    await expect(planned({ connection: 'github:gone', name: 'acme/app' })).rejects.toMatchObject({
      code: 'repository_unavailable',
      message: 'acme/app cannot be checked out through github:gone: the connection does not exist.',
    });
    await expect(planned({ connection: 'github', name: 'acme/app' }, { scopes: ['jobs:write'] })).rejects.toThrow(
      'may not use connected apps',
    );
    await db.query(
      `insert into :schema.connection_policy (connection_id, enforce_repositories, selected_repositories, updated_by)
       select id, true, '{acme/app}', $2 from :schema.org_connection_secret where organization_id = $1 and provider = 'github'`,
      [organization.id, owner.id],
    );
    expect(await planned({ connection: 'github', name: 'acme/app' })).toBeDefined();
    await expect(planned({ connection: 'github', name: 'acme/other' })).rejects.toThrow('it is not selected');
  });
});
