// A newcomer connects apps on the real stack: session, Connect page, OAuth, signed webhook, connection listed.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGuides, runBlock } from '../support/stack/guides.ts';
import { type Answer, type Body, type SignedIn, signUp } from '../support/http-client.ts';
import { submit, visit } from '../support/tools/local-provider.ts';
import { SERVICECTL } from '../support/cli/servicectl.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

let stack: TestStack;
let owner: SignedIn;
let member: SignedIn;
let organization: string;
let token: string;
const secretKey = randomUUID();

beforeAll(async () => {
  stack = await startStack({ environment: { SERVICE_INTEGRATIONS_SECRET_KEY: secretKey } });
  owner = await signUp(stack.url, 'Olga');
  member = await signUp(stack.url, 'Mika');
  const { body } = await owner.post('/api/organizations', { name: 'Connections' });
  organization = body.organization.id;
  await owner.post(`/api/organizations/${organization}/members`, { email: member.email, role: 'member' });
  token = await owner.token(organization, ['connect:read', 'connect:write']);
});
afterAll(() => stack?.stop());

async function connect(method: string, path: string, body?: unknown, bearer = token): Promise<Answer> {
  const response = await fetch(`${stack.url}/connect${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

async function openSession(input: object, bearer = token): Promise<string> {
  const { status, body } = await connect('POST', '/sessions', input, bearer);
  expect([status, body]).toEqual([
    201,
    { token: expect.any(String), connectLink: expect.any(String), expiresAt: expect.any(String) },
  ]);
  return body.connectLink;
}

const list = async (workspace?: string): Promise<Body[]> =>
  (await connect('GET', `/connections${workspace === undefined ? '' : `?workspace=${workspace}`}`)).body.connections;
const approve = async (link: string): Promise<void> => {
  const done = await submit(await submit(await visit(link)), { decision: 'allow' });
  expect(done.html).toContain('is connected');
};

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (
      await client.query<Record<string, unknown>>(
        sql
          .replaceAll(':schema', pg.escapeIdentifier(stack.schema))
          .replaceAll(':local', pg.escapeIdentifier(`${stack.schema}_integrations`)),
      )
    ).rows;
  } finally {
    await client.end();
  }
}

describe('connecting an app', () => {
  it('by OAuth: through the gateway, the Connect page and the consent page, to a valid connection', async () => {
    const link = await openSession({ provider: 'github' });
    expect(link).toContain(`apiURL=${encodeURIComponent(`${stack.url}/integrations`)}`);
    expect(link.startsWith(`${stack.url}/integrations-connect/?`)).toBe(true);
    await approve(link);
    expect(await list()).toEqual([
      expect.objectContaining({
        provider: 'github',
        name: 'default',
        kind: 'integration-reference',
        status: 'valid',
        lastValidatedAt: expect.any(String),
      }),
    ]);
    // Stored by the webhook, not by read repair.
    expect(await query('select created_by from :schema.org_connection_secret')).toEqual([{ created_by: owner.id }]);
    expect((await connect('GET', '/capabilities')).body).toMatchObject({
      status: 'online',
      capabilities: { github: { provider: 'github', status: 'valid', name: 'default' } },
    });
  });

  it('by API key, under a name', async () => {
    const page = await visit(await openSession({ provider: 'sentry', name: ' Production  Errors ' }));
    expect(page.html).toContain('Local integration provider: for development and demo');
    expect((await submit(page, { api_key: 'any text' })).html).toContain('Sentry is connected');
    expect(await list()).toContainEqual(
      expect.objectContaining({ provider: 'sentry', name: 'production-errors', status: 'valid' }),
    );
    expect((await connect('GET', '/capabilities')).body.capabilities).toHaveProperty(['sentry.production-errors']);
  });

  it('again keeps the id and the policy, and goes by the reconnect route', async () => {
    const [before] = (await list()).filter(({ provider }) => provider === 'github');
    expect(
      (await connect('PUT', `/connections/${before.id}/policy`, { actions: { 'create-issue': true } })).body.actions,
    ).toMatchObject({ 'create-issue': true, 'list-issues': true });
    const [remote] = await query("select connection_id from :local.connection where provider_config_key = 'github'");
    await approve(await openSession({ provider: 'github' }));
    expect(await query("select connection_id from :local.connection where provider_config_key = 'github'")).toEqual([
      remote,
    ]);
    const [after] = (await list()).filter(({ provider }) => provider === 'github');
    expect(after).toMatchObject({ id: before.id, status: 'valid', createdAt: before.createdAt });
    expect((await connect('GET', `/connections/${before.id}/policy`)).body.actions['create-issue']).toBe(true);
  });

  it('that has an MCP server of its own: its tools are discovered and called on the demo server', async () => {
    await approve(await openSession({ provider: 'linear-mcp' }));
    const call = (tool: string, given: object): Promise<Answer> =>
      connect('POST', '/call', { connection: 'linear-mcp', tool, arguments: given });
    expect(await call('create_issue', { title: 'From a test' })).toMatchObject({
      status: 404,
      body: { error: 'integration action not found or disabled' },
    });
    const [{ id }] = (await list()).filter(({ provider }) => provider === 'linear-mcp') as [Body];
    expect((await connect('PUT', `/connections/${id}/policy`, { actions: { create_issue: true } })).status).toBe(200);
    expect((await call('create_issue', { title: 'From a test' })).body).toMatchObject({ ok: true, status: 200 });
    const { body } = await call('list_issues', { query: 'from a' });
    expect(JSON.parse(body.data.content[0].text)).toEqual([
      expect.objectContaining({ title: 'From a test', demo: true }),
    ]);
  });

  it('whose renewal fails for a moment is valid again once a call through it is answered, over REST or MCP', async () => {
    const stored = (): Promise<unknown> =>
      query("select status, reason from :schema.org_connection_secret where provider = 'github'");
    const [valid, failed] = [
      [{ status: 'valid', reason: null }],
      [{ status: 'invalid', reason: 'provider_auth_refresh_failed' }],
    ];
    const fail = async (): Promise<void> => {
      await query("update :local.connection set expires_at = now() where provider_config_key = 'github'");
      await query('update :local.demo_grant set revoked = true');
      const refused = await connect('POST', '/call', {
        connection: 'github',
        tool: 'list-repositories',
        arguments: {},
      });
      expect(refused.body).toMatchObject({ ok: false, error: 'reconnect_required' });
      await expect.poll(stored, { timeout: 20_000 }).toEqual(failed);
      await query('update :local.demo_grant set revoked = false');
      // What the provider says about it is not heard: only the call counts here.
      await query(
        "update :local.connection set expires_at = now() + interval '1 hour', failed_refreshes = 0 where provider_config_key = 'github'",
      );
    };
    await fail();
    const answered = await connect('POST', '/call', { connection: 'github', tool: 'list-repositories', arguments: {} });
    expect(answered.body).toMatchObject({ ok: true, status: 200 });
    expect(await stored()).toEqual(valid);
    await fail();
    const overMcp = await connect('POST', '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'github__list-repositories', arguments: {} },
    });
    expect(overMcp.status).toBe(200);
    expect(await stored()).toEqual(valid);
  });

  it('whose authorization is revoked upstream: the refresh fails, the webhook marks it, a member reconnects it', async () => {
    await query('update :local.demo_grant set revoked = true');
    // Its token has run out, and the list leaves it out: read repair asks for it by id, and the provider must renew it.
    await query("update :local.connection set expires_at = now(), tags = '{}' where provider_config_key = 'github'");
    expect(await list()).toContainEqual(expect.objectContaining({ provider: 'github', status: 'invalid' }));
    const memberToken = await member.token(organization, ['connect:read', 'connect:write']);
    await approve(await openSession({ provider: 'github' }, memberToken));
    expect(await list()).toContainEqual(expect.objectContaining({ provider: 'github', status: 'valid' }));
  });
});

describe('visibility and permissions', () => {
  it('a session finished by a person who has left the workspace stores nothing and leaves nothing at the provider', async () => {
    const { body } = await owner.post(`/api/organizations/${organization}/workspaces`, { name: 'Leaving' });
    const workspace = body.workspace.id;
    expect((await owner.post(`/api/workspaces/${workspace}/members`, { user: member.id, role: 'member' })).status).toBe(
      201,
    );
    const memberToken = await member.token(organization, ['connect:read', 'connect:write']);
    const link = await openSession({ provider: 'slack', workspace }, memberToken);
    expect((await owner.send('DELETE', `/api/workspaces/${workspace}/members/${member.id}`)).status).toBe(200);
    await approve(link);
    expect(await list(workspace)).toEqual([]);
    expect(await query("select 1 from :local.connection where provider_config_key = 'slack'")).toEqual([]);
  });

  it('connections of a workspace are for its members alone, and no answer holds the payload or the provider’s ids', async () => {
    const { body } = await owner.post(`/api/organizations/${organization}/workspaces`, { name: 'Secret' });
    const workspace = body.workspace.id;
    await approve(await openSession({ provider: 'notion', workspace }));
    const memberToken = await member.token(organization, ['connect:read', 'connect:write']);
    for (const path of ['/connections', '/capabilities'])
      expect(await connect('GET', `${path}?workspace=${workspace}`, undefined, memberToken)).toMatchObject({
        status: 403,
        body: { error: 'workspace_membership_required' },
      });
    const ids = (await query('select connection_id from :local.connection')).map((row) => String(row['connection_id']));
    const shown = JSON.stringify([
      await list(workspace),
      await list(),
      (await connect('GET', '/capabilities')).body,
      (await connect('GET', '/connectors')).body,
    ]);
    for (const id of ids) expect(shown).not.toContain(id);
    expect(shown).not.toMatch(/ciphertext|integrationId|demo_at_|demo_rt_/);
  });

  it('removing a connection removes it at the provider too', async () => {
    const [connection] = (await list()).filter(({ provider }) => provider === 'sentry');
    expect((await connect('DELETE', `/connections/${connection.id}`)).body).toEqual({ ok: true });
    expect((await list()).some(({ provider }) => provider === 'sentry')).toBe(false);
    expect(await query("select 1 from :local.connection where provider_config_key = 'sentry'")).toEqual([]);
  });
});

it('the apps of the bundle are sent to the provider through the public address, as the guide says', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'service-apps-'));
  try {
    await writeFile(join(directory, 'servicectl'), `#!/bin/sh\nexec '${process.execPath}' '${SERVICECTL}' "$@"\n`, {
      mode: 0o755,
    });
    await writeFile(
      join(directory, 'production.env'),
      [
        `SERVICE_PUBLIC_URL=${stack.url}`,
        `SERVICE_INTEGRATIONS_SECRET_KEY=${secretKey}`,
        'NANGO_DASHBOARD_USERNAME=operator',
        `NANGO_DASHBOARD_PASSWORD=${secretKey}`,
        'SERVICE_OAUTH_HUBSPOT_CLIENT_ID=a-client',
        'SERVICE_OAUTH_HUBSPOT_CLIENT_SECRET=its-secret',
        'SERVICE_OAUTH_HUBSPOT_SCOPES=oauth,crm.objects.contacts.read',
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    for (const id of ['hubspot', 'notion-mcp'])
      expect(
        (
          await fetch(`${stack.url}/integrations/integrations/${id}`, {
            method: 'DELETE',
            headers: { authorization: `Bearer ${secretKey}` },
          })
        ).status,
      ).toBe(200);
    const blocks = readGuides('provider');
    expect(blocks.map(({ name }) => name)).toEqual(['reconcile']);
    for (const block of blocks) {
      const environment = { HOME: directory, PATH: `${directory}:${dirname(process.execPath)}:/usr/bin:/bin` };
      const { code, stdout, stderr } = await runBlock(block, { cwd: directory, environment });
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^Used the account of the provider's dashboard .*\n$/)]);
      for (const id of ['hubspot', 'notion-mcp']) expect(stdout).toMatch(new RegExp(`^${id}\\tcreated`, 'm'));
      expect(stdout).not.toContain('its-secret');
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

it('the provider’s API, Connect page and callback are where the gateway promises them', async () => {
  expect(await (await fetch(`${stack.url}/integrations/health`)).json()).toEqual({ result: 'ok' });
  expect((await fetch(`${stack.url}/integrations/connections`)).status).toBe(401);
  expect((await fetch(`${stack.url}/integrations-connect/`)).status).toBe(200);
  expect((await fetch(`${stack.url}/integrations-connect/?session_token=made-up`)).status).toBe(410);
  expect((await fetch(`${stack.url}/oauth/callback`)).status).toBe(400);
});
