// The contract of the integration provider as our client relies on it. It runs against the local provider and, when
// SERVICE_TEST_NANGO_URL and SERVICE_TEST_NANGO_SECRET are set, against a real one, so that both behave alike.
// The whole service against a real one is test/flows/real-nango.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalProvider, startLocalProvider, submit, visit } from '../../test/support/tools/local-provider.ts';
import { createNangoClient, isMissingConnection, type NangoClient } from './nango-client.ts';
import { NangoError } from './nango-error.ts';

const real = process.env['SERVICE_TEST_NANGO_URL'];
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) =>
      error instanceof NangoError ? { failure: error.failure, status: error.status, code: error.code } : error,
  );

describe.each(real === undefined ? ['local'] : ['local', 'real'])('the %s integration provider', (which) => {
  let local: LocalProvider | undefined;
  let client: NangoClient;
  const key = `exa-${randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    if (which === 'local') local = await startLocalProvider();
    client = createNangoClient({
      url: local?.url ?? real ?? '',
      secretKey: local?.deps.settings.secretKey ?? process.env['SERVICE_TEST_NANGO_SECRET'] ?? '',
    });
  });
  afterAll(async () => {
    await client.close();
    await local?.close();
  });

  it('is healthy', async () => expect(await client.checkHealth()).toBe(true));

  it('refuses another secret key', async () => {
    const stranger = createNangoClient({ url: local?.url ?? real ?? '', secretKey: randomUUID() });
    expect(await failure(stranger.listIntegrations())).toMatchObject({ failure: 'refused', status: 401 });
    await stranger.close();
  });

  it('creates, finds, lists, changes and deletes an integration, and refuses a second of the same key and an unknown app', async () => {
    expect(await client.hasIntegration(key)).toBe(false);
    await client.createIntegration({ key, provider: 'sentry', displayName: 'Exa' });
    expect(await client.hasIntegration(key)).toBe(true);
    expect(await client.listIntegrations()).toContainEqual({ key, provider: 'sentry' });
    expect(await failure(client.createIntegration({ key, provider: 'sentry' }))).toMatchObject({
      failure: 'refused',
      status: 400,
    });
    expect(await failure(client.createIntegration({ key: `${key}-2`, provider: 'no-such-app' }))).toMatchObject({
      failure: 'refused',
      status: 400,
    });
    await client.updateIntegration(key, { displayName: 'Renamed' });
    await client.deleteIntegration(key);
    expect(await client.hasIntegration(key)).toBe(false);
  });

  it('opens a session with a link and an expiry, and refuses one for an integration it does not have', async () => {
    await client.createIntegration({ key, provider: 'sentry' });
    const session = await client.createSession({
      integrationId: key,
      tags: { organization_id: 'org_x', workspace_id: 'ws_x', end_user_id: 'usr_x', connection_name: 'default' },
    });
    expect(new URL(session.connectLink).searchParams.get('session_token')).toBe(session.token);
    expect(Date.parse(session.expiresAt) - Date.now()).toBeGreaterThan(20 * 60_000);
    expect(await failure(client.createSession({ integrationId: 'no-such-integration', tags: {} }))).toMatchObject({
      failure: 'refused',
      status: 400,
    });
    expect(
      await failure(
        client.createReconnectSession({ integrationId: key, connectionId: 'no-such-connection', tags: {} }),
      ),
    ).toMatchObject({ failure: 'refused' });
    await client.deleteIntegration(key);
  });

  it('answers for a connection it does not have, each call in its own way', async () => {
    await client.createIntegration({ key, provider: 'sentry' });
    expect(await failure(client.getConnection(key, 'no-such-connection'))).toEqual({
      failure: 'refused',
      status: 404,
      code: 'not_found',
    });
    expect(await failure(client.getConnection('no-such-integration', 'no-such-connection'))).toEqual({
      failure: 'refused',
      status: 400,
      code: 'unknown_provider_config',
    });
    for (const integration of [key, 'no-such-integration']) {
      expect(await client.getConnection(integration, 'no-such-connection').catch(isMissingConnection)).toBe(true);
      await client.deleteConnection(integration, 'no-such-connection');
    }
    expect(
      await client.listConnections({ tags: { organization_id: `org_${randomUUID()}` }, page: 0, limit: 10 }),
    ).toEqual([]);
    const proxied = async (integrationId: string): Promise<unknown> => {
      const { status, body } = await client.proxy({
        integrationId,
        connectionId: 'no-such-connection',
        method: 'GET',
        path: '/',
      });
      return [status, JSON.parse(body.toString())];
    };
    expect(await proxied(key)).toEqual([400, { error: { code: 'server_error', message: 'Failed to get connection' } }]);
    expect(await proxied('no-such-integration')).toMatchObject([404, { error: { code: 'unknown_provider_config' } }]);
    await client.deleteIntegration(key);
  });

  it('a key that is given in a session makes a connection with the tags of the session and no end user; it is retagged, reconnected and deleted', async () => {
    await client.createIntegration({ key, provider: 'sendgrid' });
    const organization = `org_${randomUUID()}`;
    const tags = {
      organization_id: organization,
      workspace_id: 'ws_1',
      end_user_id: 'usr_1',
      connection_name: 'default',
    };
    const list = () => client.listConnections({ tags: { organization_id: organization }, page: 0, limit: 10 });
    const give = async (
      { token, connectLink }: { token: string; connectLink: string },
      apiKey: string,
    ): Promise<void> => {
      if (local) return void (await submit(await visit(connectLink), { api_key: apiKey }));
      const response = await fetch(`${real}/api-auth/api-key/${key}?connect_session_token=${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ apiKey }),
      });
      expect(response.status).toBe(200);
    };

    await give(await client.createSession({ integrationId: key, tags }), 'SG.one');
    const [listed] = await list();
    expect(listed).toEqual({
      integrationId: key,
      connectionId: expect.any(String),
      app: 'sendgrid',
      tags,
      endUserId: undefined,
      endUserOrganizationId: undefined,
      errors: [],
      createdAt: expect.any(Date),
    });
    const connectionId = listed?.connectionId ?? '';
    for (const options of [{}, { expiry: true }] as const)
      expect(await client.getConnection(key, connectionId, options)).toEqual({
        ...listed,
        refreshExhausted: false,
        expiry: undefined,
        cloudId: undefined,
      });
    await client.replaceTags(key, connectionId, { organization_id: organization });
    expect((await list())[0]?.tags).toEqual({ organization_id: organization });
    await give(await client.createReconnectSession({ integrationId: key, connectionId, tags }), 'SG.two');
    expect(await list()).toEqual([listed]);
    for (let time = 0; time < 2; time++) await client.deleteConnection(key, connectionId);
    expect(await list()).toEqual([]);
    await client.deleteIntegration(key);
  });
});

describe('connections of the local provider, made on its own pages', () => {
  let local: LocalProvider;
  let client: NangoClient;
  beforeAll(async () => {
    local = await startLocalProvider();
    client = createNangoClient({ url: local.url, secretKey: local.deps.settings.secretKey });
  });
  afterAll(async () => {
    await client.close();
    await local.close();
  });
  const tags = { organization_id: 'org_1', workspace_id: 'ws_1', end_user_id: 'usr_1', connection_name: 'default' };

  async function connectByOAuth(integrationId: string): Promise<void> {
    const { connectLink } = await client.createSession({ integrationId, tags });
    const consent = await submit(await visit(connectLink));
    expect(consent.html).toContain('stand-in for the consent page');
    const done = await submit(consent, { decision: 'allow' });
    expect(done.html).toContain('is connected');
  }

  it('an OAuth connection is listed by its tags, shows its tokens by id, is proxied, retagged, renewed and deleted', async () => {
    await connectByOAuth('github');
    const [listed] = await client.listConnections({ tags: { organization_id: 'org_1' }, page: 0, limit: 10 });
    expect(listed).toMatchObject({ integrationId: 'github', tags, errors: [], endUserId: undefined });
    const { integrationId, connectionId } = listed ?? { integrationId: '', connectionId: '' };
    // Its token expires and is renewed.
    for (const options of [{}, { expiry: true }] as const)
      expect(await client.getConnection(integrationId, connectionId, options)).toMatchObject({
        connectionId,
        expiry: undefined,
        refreshExhausted: false,
      });
    const answer = await client.proxy({ integrationId, connectionId, method: 'GET', path: '/user/repos?per_page=2' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      etag: expect.any(String),
      link: expect.stringContaining('rel="next"'),
      'x-ratelimit-limit': '5000',
    });
    expect(JSON.parse(answer.body.toString())).toHaveLength(2);
    const created = await client.proxy({
      integrationId,
      connectionId,
      method: 'POST',
      path: '/repos/acme-demo/webshop/issues',
      body: JSON.stringify({ title: 'From a test' }),
    });
    expect(JSON.parse(created.body.toString())).toMatchObject({ title: 'From a test', state: 'open' });
    expect(
      (
        await client.proxy({ integrationId, connectionId, method: 'GET', path: '/repos/acme-demo/webshop/issues' })
      ).body.toString(),
    ).toContain('From a test');
    const echoed = await client.proxy({ integrationId, connectionId, method: 'GET', path: '/no/such/path?a=1' });
    expect(JSON.parse(echoed.body.toString())).toMatchObject({ demo: true, path: '/no/such/path', query: { a: '1' } });
    await client.replaceTags(integrationId, connectionId, { ...tags, connection_name: 'work' });
    expect(await client.listConnections({ tags: { connection_name: 'work' }, page: 0, limit: 10 })).toHaveLength(1);
    await client.deleteConnection(integrationId, connectionId);
    await client.deleteConnection(integrationId, connectionId);
    expect(await failure(client.getConnection(integrationId, connectionId))).toEqual({
      failure: 'refused',
      status: 404,
      code: 'not_found',
    });
  });

  it('a declined consent connects nothing', async () => {
    const { connectLink } = await client.createSession({ integrationId: 'slack', tags });
    const declined = await submit(await submit(await visit(connectLink)), { decision: 'deny' });
    expect(declined.html).toContain('Nothing was connected');
    expect(await client.listConnections({ tags: { organization_id: 'org_1' }, page: 0, limit: 10 })).toEqual([]);
  });

  it('an API key connects on the page, is listed, and is proxied with it', async () => {
    await client.createIntegration({ key: 'sentry', provider: 'sentry', displayName: 'Sentry' });
    const { connectLink } = await client.createSession({
      integrationId: 'sentry',
      tags: { ...tags, organization_id: 'org_2' },
    });
    const page = await visit(connectLink);
    expect(page.html).toContain('Local integration provider: for development and demo');
    expect((await submit(page, { api_key: 'anything' })).html).toContain('Sentry is connected');
    const [listed] = await client.listConnections({ tags: { organization_id: 'org_2' }, page: 0, limit: 10 });
    expect(
      (
        await client.proxy({
          integrationId: 'sentry',
          connectionId: listed?.connectionId ?? '',
          method: 'GET',
          path: '/0/projects/',
        })
      ).status,
    ).toBe(200);
  });

  it('the proxy rewrites its own templates in an address, tells a success as 200, and an answer that broke off as a bare 500', async () => {
    const [listed] = await client.listConnections({ tags: { organization_id: 'org_2' }, page: 0, limit: 10 });
    const proxied = (path: string) =>
      client.proxy({ integrationId: 'sentry', connectionId: listed?.connectionId ?? '', method: 'GET', path });
    const pathSeen = async (path: string): Promise<string> => JSON.parse((await proxied(path)).body.toString()).path;
    expect([
      await pathSeen('/a/connectionConfig'),
      await pathSeen('/a/connection%43onfig'),
      await pathSeen('/a/$%7BapiKey%7D/x'),
      await pathSeen('/$%7Bnone%7D/a%7C%7C/b'),
    ]).toEqual(['/a/connection_config', '/a/connection%43onfig', '/a/anything/x', '/b']);
    const broken = await proxied('/demo/broken-off');
    expect([broken.status, broken.body.length, broken.spelled?.includes('date')]).toEqual([500, 0, false]);
    await connectByOAuth('asana');
    const [asana] = await client.listConnections({ tags: { organization_id: 'org_1' }, page: 0, limit: 1 });
    expect(
      (
        await client.proxy({
          integrationId: 'asana',
          connectionId: asana?.connectionId ?? '',
          method: 'POST',
          path: '/api/1.0/tasks',
          body: '{"data":{"name":"x"}}',
        })
      ).status,
    ).toBe(200);
    await client.deleteConnection('asana', asana?.connectionId ?? '');
  });

  it('a key that the app does not take connects nothing', async () => {
    const { connectLink } = await client.createSession({ integrationId: 'sentry', tags: { organization_id: 'org_3' } });
    expect(await submit(await visit(connectLink), { api_key: 'refused' })).toMatchObject({
      status: 400,
      html: expect.stringContaining('does not accept these credentials'),
    });
    expect(await client.listConnections({ tags: { organization_id: 'org_3' }, page: 0, limit: 10 })).toEqual([]);
  });

  it('pages until short', async () => {
    for (let n = 0; n < 3; n++) await connectByOAuth('notion');
    const pages = [];
    for (let page = 0; page < 3; page++)
      pages.push((await client.listConnections({ tags: { organization_id: 'org_1' }, page, limit: 2 })).length);
    expect(pages).toEqual([2, 1, 0]);
  });

  it('a session token, a code and a state work no longer than they should', async () => {
    expect((await visit(`${local.deps.settings.connectUrl}?session_token=made-up`)).status).toBe(410);
    expect((await visit(`${local.url}/oauth/callback?state=made-up&code=made-up`)).status).toBe(400);
    expect(
      (
        await visit(
          `${local.url}/demo/authorize?client_id=demo-github&redirect_uri=https://evil.example/&response_type=code`,
        )
      ).status,
    ).toBe(400);
  });
});

describe('an access token that expires', () => {
  it('is renewed when it is needed; once renewing is refused the connection carries an error, then is exhausted', async () => {
    const local = await startLocalProvider({ tokenSeconds: 1 });
    const client = createNangoClient({ url: local.url, secretKey: local.deps.settings.secretKey });
    const { connectLink } = await client.createSession({ integrationId: 'github', tags: { organization_id: 'org_1' } });
    await submit(await submit(await visit(connectLink)), { decision: 'allow' });
    const [listed] = await client.listConnections({ tags: {}, page: 0, limit: 1 });
    const connectionId = listed?.connectionId ?? '';
    const proxied = (): Promise<{ status: number }> =>
      client.proxy({ integrationId: 'github', connectionId, method: 'GET', path: '/user/repos' });
    for (let times = 0; times < 3; times++) expect((await proxied()).status).toBe(200);
    await local.deps.db.query('update :schema.demo_grant set revoked = true');
    const refused = (status: number) => ({ failure: 'refused', status, code: 'invalid_credentials' });
    for (let times = 0; times < 3; times++) {
      expect(await failure(client.getConnection('github', connectionId))).toEqual(refused(400));
      // It backs off before the next attempt.
      expect(await failure(client.getConnection('github', connectionId))).toEqual(refused(424));
      await local.deps.db.query("update :schema.connection set updated_at = now() - interval '1 minute'");
    }
    expect(await failure(client.getConnection('github', connectionId))).toEqual(refused(424));
    expect((await proxied()).status).toBe(424);
    expect((await client.listConnections({ tags: {}, page: 0, limit: 1 }))[0]?.errors).toEqual(['auth']);
    await client.close();
    await local.close();
  });
});
