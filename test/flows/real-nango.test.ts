// The whole stack with a real integration provider: set up by servicectl, connections made through its own public API,
// its webhooks, its proxy, its list and its database. It runs when SERVICE_TEST_NANGO_URL, SERVICE_TEST_NANGO_SECRET and
// SERVICE_TEST_NANGO_DATABASE_URL name one that holds nothing of value; docs/operators/integrations.md tells how to
// start one. Without them only the rule about the variables themselves is tested.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openProviderDatabase } from '../../src/nango/provider-database.ts';
import { quiet } from '../support/database.ts';
import { freePorts } from '../support/free-port.ts';
import { type Answer, type Body, type SignedIn, signUp } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import {
  callNango,
  findRealNango,
  type PlayedApp,
  playSalesforce,
  type ProviderAnswer,
  type RealNango,
} from '../support/tools/real-nango.ts';
import { type Ran, servicectl } from '../support/cli/servicectl.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const WEBHOOK_SECRET = 'the webhook secret of the tests with a real provider';
const PATIENCE_MS = 20_000;

it('a real provider is named whole or not at all', () => {
  expect(findRealNango({})).toBeUndefined();
  expect(() => findRealNango({ SERVICE_TEST_NANGO_URL: 'http://x', SERVICE_TEST_NANGO_SECRET: 'y' })).toThrow(
    'SERVICE_TEST_NANGO_DATABASE_URL',
  );
  expect(
    findRealNango({
      SERVICE_TEST_NANGO_URL: 'http://x/',
      SERVICE_TEST_NANGO_SECRET: 'y',
      SERVICE_TEST_NANGO_DATABASE_URL: 'z',
      SERVICE_TEST_HOST: 'h',
    }),
  ).toEqual({ url: 'http://x', secretKey: 'y', databaseUrl: 'z', host: 'h' });
});

const real = findRealNango(process.env);

const options = leaveOut(real ? undefined : 'SERVICE_TEST_NANGO_URL names no real integration provider', 'opt-in');

describe.each([real ?? { url: '', secretKey: '', databaseUrl: '', host: '' }])(
  'a real provider',
  options,
  (nango: RealNango) => {
    let stack: TestStack;
    let app: PlayedApp;
    let owner: SignedIn;
    let member: SignedIn;
    let organization: string;
    let defaultWorkspace: string;
    let globalWorkspace: string;
    let token: string;
    let environment: Record<string, string>;

    beforeAll(async () => {
      for (const key of ['salesforce', 'sendgrid', 'cloudflare', 'posthog', 'linear-mcp', 'notion-mcp'])
        await callNango(nango, 'DELETE', `/integrations/${key}`);
      app = await playSalesforce(nango.host);
      const port = await freePorts(8);
      environment = {
        SERVICE_PUBLIC_URL: `http://${nango.host}:${port}`,
        SERVICE_GATEWAY_HOST: '0.0.0.0',
        SERVICE_INTEGRATIONS_URL: nango.url,
        SERVICE_INTEGRATIONS_SECRET_KEY: nango.secretKey,
        SERVICE_INTEGRATIONS_WEBHOOK_SECRET: WEBHOOK_SECRET,
        SERVICE_INTEGRATIONS_DATABASE_URL: nango.databaseUrl,
        SERVICE_OAUTH_SALESFORCE_CLIENT_ID: 'a client',
        SERVICE_OAUTH_SALESFORCE_CLIENT_SECRET: 'its secret',
        SERVICE_OAUTH_SALESFORCE_SCOPES: 'offline_access api',
      };
      stack = await startStack({ port, environment });
      const url = environment['SERVICE_PUBLIC_URL'] ?? '';
      owner = await signUp(url, 'Ona');
      member = await signUp(url, 'Mel');
      const { body } = await owner.post('/api/organizations', { name: `Real ${randomUUID().slice(0, 8)}` });
      organization = body.organization.id;
      [defaultWorkspace, globalWorkspace] = [body.workspaces.default.id, body.workspaces.global.id];
      await owner.post(`/api/organizations/${organization}/members`, { email: member.email, role: 'member' });
      token = await owner.token(organization, ['connect:read', 'connect:write']);
    });
    afterAll(async () => {
      await stack?.stop();
      await app?.close();
    });

    const ctl = (args: readonly string[], more: Record<string, string> = {}): Promise<Ran> =>
      servicectl(['integrations', ...args, '--json'], { environment: { ...environment, ...more } });
    const ask = (method: string, path: string, body?: unknown): Promise<ProviderAnswer> =>
      callNango(nango, method, path, body);

    async function connect(method: string, path: string, body?: unknown, accept = 'application/json'): Promise<Answer> {
      const response = await fetch(`${environment['SERVICE_PUBLIC_URL']}/connect${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
    }

    const list = async (workspace = defaultWorkspace): Promise<Body[]> =>
      (await connect('GET', `/connections?workspace=${workspace}`)).body.connections;
    const find = async (provider: string, name = 'default', workspace = defaultWorkspace): Promise<Body> =>
      (await list(workspace)).find((connection) => connection.provider === provider && connection.name === name);
    const read = (connection: string, path = '/services/data'): Promise<Answer> =>
      connect('POST', '/call', {
        connection,
        tool: 'read-provider-resource',
        arguments: { path, query: { a: [1, 2], q: 'é&=' } },
      });

    async function query<T extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<T>(sql, values)).rows;
      } finally {
        await client.end();
      }
    }

    /** The stored row, read from the database: a list would have read repair do the webhook's work. */
    async function stored(
      provider: string,
      name = 'default',
    ): Promise<
      { id: string; status: string; reason: string | null; expiry: Date | null; created_by: string | null } | undefined
    > {
      const schema = pg.escapeIdentifier(stack.schema);
      return (
        await query<{
          id: string;
          status: string;
          reason: string | null;
          expiry: Date | null;
          created_by: string | null;
        }>(
          stack.databaseUrl,
          `select id, status, reason, expiry, created_by from ${schema}.org_connection_secret where provider = $1 and name = $2 and organization_id = $3`,
          [provider, name, organization],
        )
      )[0];
    }

    async function soon(what: () => Promise<unknown>, expected: unknown): Promise<void> {
      await expect.poll(what, { timeout: PATIENCE_MS, interval: 100 }).toEqual(expected);
    }
    const tags = (more: Record<string, string> = {}): Record<string, string> => ({
      organization_id: organization,
      workspace_id: defaultWorkspace,
      end_user_id: owner.id,
      connection_name: 'default',
      ...more,
    });
    const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

    interface Authorization {
      readonly tags: Record<string, string>;
      readonly connectionId?: string;
      readonly refreshToken?: string | null;
      /** Its webhook goes nowhere. */
      readonly unheard?: true;
    }

    /** An OAuth authorization as the provider ends up with it, made through its API. */
    async function authorize({
      tags: tagged,
      connectionId,
      refreshToken = 'a refresh token',
      unheard,
    }: Authorization): Promise<string> {
      const { status, body } = await ask('POST', '/connections', {
        provider_config_key: 'salesforce',
        ...(connectionId === undefined ? {} : { connection_id: connectionId }),
        // Renewing calls its host over HTTPS, where nothing answers.
        connection_config: { instance_url: app.url, hostname: nango.host },
        credentials: {
          type: 'OAUTH2',
          access_token: 'an access token',
          expires_at: inAnHour(),
          ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
        },
        tags: tagged,
        ...(unheard ? { webhook_url_override: `http://${nango.host}:1/` } : {}),
      });
      expect([status, body]).toEqual([201, expect.objectContaining({ connection_id: expect.any(String) })]);
      return body.connection_id;
    }

    /** What its Connect page does with a key that a person has typed in. */
    async function giveKey(sessionToken: string, integration: string, apiKey: string): Promise<string> {
      const { status, body } = await callNango(
        nango,
        'POST',
        `/api-auth/api-key/${integration}?connect_session_token=${sessionToken}`,
        { apiKey },
        false,
      );
      expect([status, body]).toEqual([200, { connectionId: expect.any(String), providerConfigKey: integration }]);
      return body.connectionId;
    }

    describe('set up by servicectl', () => {
      it('webhook: --check says what differs and changes nothing, --apply sets it, --check agrees', async () => {
        const settings = (): Promise<unknown[]> =>
          query(nango.databaseUrl, 'select * from nango._nango_external_webhooks order by id');
        const before = await settings();
        const differing = await ctl(['webhook', '--check']);
        expect(differing.code).not.toBe(0);
        expect(await settings()).toEqual(before);
        expect((await ctl(['webhook', '--apply'])).code).toBe(0);
        expect((await ctl(['webhook', '--check'])).code).toBe(0);
        expect(await settings()).toContainEqual(
          expect.objectContaining({
            primary_url: `${environment['SERVICE_PUBLIC_URL']}/connect/integrations/webhook`,
            secondary_url: null,
            on_auth_creation: true,
            on_auth_refresh_error: true,
            on_sync_completion_always: false,
          }),
        );
      });

      it('reconcile: --check finds the OAuth integration missing, --apply makes it, --check agrees', async () => {
        const missing = await ctl(['reconcile', '--check']);
        expect(missing.code).not.toBe(0);
        expect(missing.stdout).toContain(`${environment['SERVICE_PUBLIC_URL']}/oauth/callback`);
        expect((await ask('GET', '/integrations/salesforce')).status).toBe(404);
        for (let time = 0; time < 2; time++) expect((await ctl(['reconcile', '--apply'])).code).toBe(0);
        expect((await ctl(['reconcile', '--check'])).code).toBe(0);
        expect((await ask('GET', '/integrations/salesforce?include=credentials')).body.data).toMatchObject({
          provider: 'salesforce',
          credentials: { client_id: 'a client', client_secret: 'its secret', scopes: 'offline_access,api' },
        });
      });

      it('reconcile: whether an MCP integration has a client is unknown without the dashboard', async () => {
        expect((await ask('POST', '/integrations', { provider: 'linear-mcp', unique_key: 'linear-mcp' })).status).toBe(
          200,
        );
        // Only the dashboard shows that: without its login nothing is known, and nothing is wrong.
        const checked = await ctl(['reconcile', '--check']);
        expect(checked.code).toBe(0);
        expect(JSON.parse(checked.stdout).integrations).toContainEqual(
          expect.objectContaining({ id: 'linear-mcp', state: 'unknown', ok: true }),
        );
      });

      // Its MCP servers are asked for a client: they have to be reachable from the provider.
      it.runIf(nango.dashboard)(
        'reconcile: signed in to its dashboard, --apply has it register clients for them',
        async () => {
          const signIn = {
            NANGO_DASHBOARD_USERNAME: nango.dashboard?.username ?? '',
            NANGO_DASHBOARD_PASSWORD: nango.dashboard?.password ?? '',
          };
          expect(JSON.parse((await ctl(['reconcile', '--check'], signIn)).stdout).integrations).toContainEqual(
            expect.objectContaining({ id: 'linear-mcp', state: 'incomplete' }),
          );
          const { integrations } = JSON.parse((await ctl(['reconcile', '--apply'], signIn)).stdout) as {
            integrations: Body[];
          };
          for (const id of ['linear-mcp', 'notion-mcp'])
            expect(integrations).toContainEqual(expect.objectContaining({ id, state: 'created', ok: true }));
          expect((await ctl(['reconcile', '--check'], signIn)).code).toBe(0);
        },
      );

      it('leaves none of them behind that cannot be connected', async () => {
        if (!nango.dashboard) await ask('DELETE', '/integrations/linear-mcp');
        expect(
          (
            await ctl(
              ['reconcile', '--check'],
              nango.dashboard && {
                NANGO_DASHBOARD_USERNAME: nango.dashboard.username,
                NANGO_DASHBOARD_PASSWORD: nango.dashboard.password,
              },
            )
          ).code,
        ).toBe(0);
      });

      it('its dashboard is served below /integrations: the page, its scripts, and the base of its router', async () => {
        const get = async (path: string): Promise<string> =>
          (await fetch(`${environment['SERVICE_PUBLIC_URL']}${path}`, { headers: { accept: 'text/html,*/*' } })).text();
        const page = await get('/integrations/');
        const [, index = ''] = /<script type="module"[^>]* src="(\/integrations\/assets\/[^"]+)"/.exec(page) ?? [];
        expect(page).toContain('<meta name="nango-api-origin" content="/integrations"');
        const [, main = ''] = /import\(["'`]\.\/(main-[\w-]+\.js)["'`]\)/.exec(await get(index)) ?? [];
        const script = await get(`/integrations/assets/${main}`);
        expect(script).toContain('.basename||"/integrations/"');
        expect(script).not.toMatch(/\.basename\|\|(["'`])\/\1/);
        expect((await fetch(`${environment['SERVICE_PUBLIC_URL']}/integrations/api/v1/meta`)).status).toBe(401);
      });

      it('the gateway hands its health on', async () => {
        expect(await (await fetch(`${environment['SERVICE_PUBLIC_URL']}/integrations/health`)).json()).toEqual({
          result: 'ok',
        });
      });
    });

    describe('an API key', () => {
      it('is taken by an integration that comes into being with the first session, and its webhook stores the reference', async () => {
        expect((await ask('GET', '/integrations/sendgrid')).status).toBe(404);
        const session = await connect('POST', '/sessions', { provider: 'sendgrid' });
        expect([session.status, session.body]).toEqual([
          201,
          {
            token: expect.any(String),
            connectLink: expect.stringContaining(
              `apiURL=${encodeURIComponent(`${environment['SERVICE_PUBLIC_URL']}/integrations`)}`,
            ),
            expiresAt: expect.any(String),
          },
        ]);
        expect((await ask('GET', '/integrations/sendgrid')).body.data).toMatchObject({
          unique_key: 'sendgrid',
          provider: 'sendgrid',
        });
        await giveKey(session.body.token, 'sendgrid', 'SG.one');
        await soon(
          () => stored('sendgrid'),
          expect.objectContaining({ status: 'valid', reason: null, expiry: null, created_by: owner.id }),
        );
      });

      it('is replaced through the reconnect route, on the same connection and with the same id', async () => {
        const before = await stored('sendgrid');
        const session = await connect('POST', '/sessions', { provider: 'sendgrid' });
        const connectionId = await giveKey(session.body.token, 'sendgrid', 'SG.two');
        const { body } = await ask('GET', `/connections/${connectionId}?provider_config_key=sendgrid`);
        expect(body).toMatchObject({ credentials: { apiKey: 'SG.two' }, tags: tags() });
        expect((await ask('GET', `/connections?tags[organization_id]=${organization}`)).body.connections).toHaveLength(
          1,
        );
        expect(await find('sendgrid')).toMatchObject({ id: before?.id, status: 'valid' });
      });

      it('an OAuth integration is never made up', async () => {
        expect(await connect('POST', '/sessions', { provider: 'github' })).toMatchObject({
          status: 424,
          body: { error: 'integration_not_registered' },
        });
        expect((await ask('GET', '/integrations/github')).status).toBe(404);
      });
    });

    describe('an OAuth authorization', () => {
      let connectionId: string;

      it('is stored by its webhook; one that the provider renews never expires, one that it cannot does', async () => {
        connectionId = await authorize({ tags: tags() });
        await soon(
          () => stored('salesforce'),
          expect.objectContaining({ status: 'valid', expiry: null, created_by: owner.id }),
        );
        await authorize({ tags: tags({ connection_name: 'short' }), refreshToken: null });
        await soon(
          () => stored('salesforce', 'short'),
          expect.objectContaining({ status: 'valid', expiry: expect.any(Date) }),
        );
      });

      it('is called through the proxy, over REST and MCP, with the headers of the app alone', async () => {
        app.asked.length = 0;
        const { status, body } = await read('salesforce');
        expect([status, body]).toEqual([
          200,
          {
            ok: true,
            status: 200,
            headers: {
              'content-type': 'application/json',
              etag: '"1"',
              link: '</next>; rel="next"',
              'x-ratelimit-limit': '15000',
            },
            data: { path: '/services/data?a=1&a=2&q=%C3%A9%26%3D' },
            receipt: expect.any(Object),
          },
        ]);
        expect(app.asked).toEqual([
          expect.objectContaining({
            method: 'GET',
            headers: expect.objectContaining({ authorization: 'Bearer an access token' }),
          }),
        ]);
        expect(JSON.stringify(app.asked)).not.toContain(token);
        const mcp = await connect(
          'POST',
          '/mcp',
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'salesforce__read-provider-resource', arguments: { path: '/services/data' } },
          },
          'application/json, text/event-stream',
        );
        expect(JSON.parse(mcp.body.result.content[0].text)).toMatchObject({
          ok: true,
          status: 200,
          data: { path: '/services/data' },
        });
      });

      it('the word of its own templates reaches the app as it was asked for', async () => {
        app.asked.length = 0;
        await connect('POST', '/call', {
          connection: 'salesforce',
          tool: 'read-provider-resource',
          arguments: { path: '/services/connectionConfig', query: { connectionConfig: 'connectionConfig' } },
        });
        const { pathname, searchParams } = new URL(app.asked[0]?.url ?? '', app.url);
        expect([decodeURIComponent(pathname), searchParams.get('connectionConfig')]).toEqual([
          '/services/connectionConfig',
          'connectionConfig',
        ]);
      });

      it('tells an answer of the app from one of the provider', async () => {
        const plain = app.answer;
        app.answer = (_request, response) =>
          response
            .writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' })
            .end('{"error":{"code":"server_error"}}');
        expect((await read('salesforce')).body).toMatchObject({
          ok: false,
          status: 503,
          headers: { 'retry-after': '7' },
          data: { error: { code: 'server_error' } },
        });
        app.answer = (_request, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('[]');
        expect((await read('salesforce')).body).toMatchObject({ ok: false, status: 401, error: 'reconnect_required' });
        app.answer = (_request, response) => response.destroy();
        expect(await read('salesforce')).toMatchObject({
          status: 502,
          body: { ok: false, error: 'provider_unreachable' },
        });
        app.answer = (_request, response) => {
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
            .write('{', () => response.destroy());
        };
        expect(await read('salesforce')).toMatchObject({
          status: 502,
          body: { ok: false, error: 'provider_unreachable', message: expect.stringContaining('cut off') },
        });
        app.answer = (_request, response) =>
          response.writeHead(201, { 'content-type': 'application/json', 'content-length': '2' }).end('{}');
        expect((await read('salesforce')).body).toMatchObject({ ok: true, status: 200 });
        app.answer = plain;
      });

      it('that can no longer be renewed: the call says reconnect, the webhook marks it, a new authorization fixes it', async () => {
        app.tokensWork = false;
        for (let time = 0; time < 2; time++)
          expect(await read('salesforce')).toMatchObject({
            status: 200,
            body: { ok: false, status: 401, error: 'reconnect_required' },
          });
        await soon(
          () => stored('salesforce'),
          expect.objectContaining({ status: 'invalid', reason: 'provider_auth_refresh_failed' }),
        );
        expect((await connect('GET', '/capabilities')).body.capabilities.salesforce).toMatchObject({
          status: 'invalid',
        });
        app.tokensWork = true;

        const session = await connect('POST', '/sessions', { provider: 'salesforce' });
        expect(session.status).toBe(201);
        const before = await stored('salesforce');
        await authorize({ tags: tags(), connectionId });
        await soon(
          () => stored('salesforce'),
          expect.objectContaining({ id: before?.id, status: 'valid', reason: null }),
        );
        expect((await read('salesforce')).body).toMatchObject({ ok: true });
      });
    });

    describe('read repair', () => {
      it('stores connections that no webhook announced: in their workspace, or in Global when they name none', async () => {
        await authorize({ tags: tags({ connection_name: 'lost' }), unheard: true });
        await authorize({ tags: { organization_id: organization, connection_name: 'everybody' }, unheard: true });
        expect(await stored('salesforce', 'lost')).toBeUndefined();
        expect(await find('salesforce', 'lost')).toMatchObject({ status: 'valid', workspace: defaultWorkspace });
        expect(await find('salesforce', 'everybody')).toBeUndefined();
        expect(await find('salesforce', 'everybody', globalWorkspace)).toMatchObject({
          status: 'valid',
          workspace: globalWorkspace,
        });
      });

      it('marks what the provider no longer has, whether the connection was deleted or its integration', async () => {
        const gone = await authorize({ tags: tags({ connection_name: 'gone' }) });
        await soon(() => stored('salesforce', 'gone'), expect.objectContaining({ status: 'valid' }));
        expect((await ask('DELETE', `/connections/${gone}?provider_config_key=salesforce`)).status).toBe(200);
        expect(await find('salesforce', 'gone')).toMatchObject({
          status: 'invalid',
          reason: 'provider_connection_missing',
        });
        expect(await read('salesforce:gone')).toMatchObject({
          status: 200,
          body: { ok: false, status: 401, error: 'reconnect_required' },
        });

        const session = await connect('POST', '/sessions', { provider: 'cloudflare' });
        await giveKey(session.body.token, 'cloudflare', 'a-key');
        await soon(() => stored('cloudflare'), expect.objectContaining({ status: 'valid' }));
        expect((await ask('DELETE', '/integrations/cloudflare')).status).toBe(200);
        expect(
          await connect('POST', '/call', {
            connection: 'cloudflare',
            tool: 'read-provider-resource',
            arguments: { path: '/v4/zones' },
          }),
        ).toMatchObject({ status: 200, body: { ok: false, status: 401, error: 'reconnect_required' } });
        expect(await find('cloudflare')).toMatchObject({ status: 'invalid', reason: 'provider_connection_missing' });
      });

      it('marks what the list reports with an error, and what the provider has given up', async () => {
        const failing = await authorize({ tags: tags({ connection_name: 'failing' }), unheard: true });
        expect(await find('salesforce', 'failing')).toMatchObject({ status: 'valid' });
        app.tokensWork = false;
        onTestFinished(() => void (app.tokensWork = true));
        expect((await ask('GET', `/connections/${failing}?provider_config_key=salesforce`)).body.error.code).toBe(
          'invalid_credentials',
        );
        // The provider also sends a webhook about it, which nobody waits for. Whichever comes first, this is how it ends.
        await soon(
          () => stored('salesforce', 'failing'),
          expect.objectContaining({ status: 'invalid', reason: 'provider_auth_refresh_failed' }),
        );
        // As if that had been lost: the list alone says it.
        await query(
          stack.databaseUrl,
          `update ${pg.escapeIdentifier(stack.schema)}.org_connection_secret set status = 'valid', reason = null where name = 'failing'`,
        );
        expect(await find('salesforce', 'failing')).toMatchObject({
          status: 'invalid',
          reason: 'provider_connection_errors',
        });

        const exhausted = await authorize({ tags: tags({ connection_name: 'exhausted' }) });
        await soon(() => stored('salesforce', 'exhausted'), expect.objectContaining({ status: 'valid' }));
        // Off the list, so that it is asked for by its id.
        await query(
          nango.databaseUrl,
          "update nango._nango_connections set tags = '{}', refresh_exhausted = true where connection_id = $1",
          [exhausted],
        );
        expect(await find('salesforce', 'exhausted')).toMatchObject({
          status: 'invalid',
          reason: 'provider_refresh_exhausted',
        });
      });

      it('reads the list page by page, and finds the same in the database', async () => {
        const { body } = await owner.post(`/api/organizations/${organization}/workspaces`, { name: 'Crowded' });
        const workspace = body.workspace.id;
        const [first] = await query<{ id: number }>(
          nango.databaseUrl,
          "select id from nango._nango_connections where tags ->> 'organization_id' = $1 and not deleted order by id limit 1",
          [organization],
        );
        await query(
          nango.databaseUrl,
          `insert into nango._nango_connections (provider_config_key, connection_id, credentials, connection_config, credentials_iv, credentials_tag, environment_id, config_id, tags)
         select provider_config_key, 'crowd-' || $2 || n, credentials, connection_config, credentials_iv, credentials_tag, environment_id, config_id, jsonb_build_object('organization_id', $3::text, 'workspace_id', $2::text, 'end_user_id', $4::text, 'connection_name', 'n' || n)
           from nango._nango_connections, generate_series(1, 230) n where id = $1`,
          [first?.id, workspace, organization, owner.id],
        );
        expect(await list(workspace)).toHaveLength(230);
        const database = openProviderDatabase(nango.databaseUrl, quiet);
        const found = await database.findTagged(organization, workspace);
        await database.close();
        expect(found.filter(({ tags: tagged }) => tagged['workspace_id'] === workspace)).toHaveLength(230);
        expect(found[0]).toMatchObject({
          integrationId: expect.any(String),
          app: expect.any(String),
          createdAt: expect.any(Date),
        });
        await query(nango.databaseUrl, "delete from nango._nango_connections where tags ->> 'workspace_id' = $1", [
          workspace,
        ]);
      });
    });

    describe('leaves nothing behind', () => {
      const isThere = async (connectionId: string): Promise<boolean> =>
        (await ask('GET', `/connections/${connectionId}?provider_config_key=salesforce`)).status === 200;

      it('of a connection that is removed here', async () => {
        const connectionId = await authorize({ tags: tags({ connection_name: 'removed' }) });
        await soon(() => stored('salesforce', 'removed'), expect.objectContaining({ status: 'valid' }));
        const { id } = await find('salesforce', 'removed');
        expect((await connect('DELETE', `/connections/${id}`)).status).toBe(200);
        expect(await isThere(connectionId)).toBe(false);
        expect(await find('salesforce', 'removed')).toBeUndefined();
      });

      it('of one that was authorized by a person outside the workspace', async () => {
        const { body } = await owner.post(`/api/organizations/${organization}/workspaces`, { name: 'Closed' });
        const connectionId = await authorize({
          tags: tags({ workspace_id: body.workspace.id, end_user_id: member.id }),
        });
        await soon(() => isThere(connectionId), false);
        expect(await list(body.workspace.id)).toEqual([]);
      });

      it('of a workspace that is deleted', async () => {
        const { body } = await owner.post(`/api/organizations/${organization}/workspaces`, { name: 'Closing' });
        const connectionId = await authorize({
          tags: tags({ workspace_id: body.workspace.id, connection_name: 'closing' }),
        });
        await soon(() => stored('salesforce', 'closing'), expect.objectContaining({ status: 'valid' }));
        expect((await owner.send('DELETE', `/api/workspaces/${body.workspace.id}`)).status).toBe(200);
        await soon(() => isThere(connectionId), false);
      });
    });
  },
);
