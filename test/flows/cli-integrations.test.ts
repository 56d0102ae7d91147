// The two scripts that set the integration provider up, through the built servicectl: what they change, and that a
// failure in the middle leaves either nothing or what a second run completes.
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeNango, type FakeRequest, send, startFakeNango } from '../support/tools/fake-nango.ts';
import type { Body } from '../support/http-client.ts';
import { openProviderTables, type ProviderTables } from '../support/models/provider-tables.ts';
import { type Ran, servicectl } from '../support/cli/servicectl.ts';

const SECRET = 'the secret that both sides share';
let home: string;
let tables: ProviderTables;
let nango: FakeNango;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'servicectl-integrations-'));
  nango = await startFakeNango();
});
afterAll(async () => {
  await nango?.close();
  await rm(home, { recursive: true, force: true });
});

describe('integrations webhook', () => {
  const run = (args: string[], more: Record<string, string> = {}): Promise<Ran> =>
    servicectl(['integrations', 'webhook', ...args], {
      environment: {
        HOME: home,
        SERVICE_PUBLIC_URL: 'https://service.example.test',
        SERVICE_INTEGRATIONS_DATABASE_URL: tables.url,
        SERVICE_INTEGRATIONS_WEBHOOK_SECRET: SECRET,
        ...more,
      },
    });
  const stored = async (): Promise<unknown[]> =>
    (
      await tables.client.query(
        "select 'w', to_jsonb(w) from _nango_external_webhooks w union all select 'k', to_jsonb(k) from customer_keys k union all select 'r', to_jsonb(r) from customer_keys_relations r",
      )
    ).rows;

  beforeEach(async () => {
    await tables?.close();
    tables = await openProviderTables();
  });
  afterAll(() => tables?.close());

  it('checks without changing, applies, and is then content', async () => {
    const before = await stored();
    const checked = await run(['--check']);
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^primary_url\tdiffers\thttps:\/\/service\.example\.test\/connect\/integrations\/webhook\thttps:\/\/elsewhere\.test$/m,
      ),
      stderr: expect.stringContaining('→ Run: servicectl integrations webhook --apply'),
    });
    expect(await stored()).toEqual(before);
    expect(await run(['--apply'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Restart the provider to make it take effect at once'),
    });
    expect(await run(['--check', '--json'])).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok":true') });
    expect(
      (
        await tables.client.query(
          'select primary_url, secondary_url, on_auth_creation, on_auth_refresh_error, on_sync_completion_always from _nango_external_webhooks where environment_id = 2',
        )
      ).rows,
    ).toEqual([
      {
        primary_url: 'https://service.example.test/connect/integrations/webhook',
        secondary_url: null,
        on_auth_creation: true,
        on_auth_refresh_error: true,
        on_sync_completion_always: false,
      },
    ]);
  });

  it.each([
    ['the settings', '_nango_external_webhooks', 'update'],
    ['the signing key', 'customer_keys', 'insert'],
    ['the tie of the key', 'customer_keys_relations', 'insert'],
  ])('rolls everything back when %s cannot be written', async (_, table, event) => {
    await tables.client.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$; create trigger t before ${event} on ${table} for each row execute function refuse()`,
    );
    const before = await stored();
    const { code, stdout, stderr } = await run(['--apply']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/not today[\s\S]*→ Nothing was changed/)]);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(await stored()).toEqual(before);
    await tables.client.query(`drop trigger t on ${table}`);
    expect(await run(['--apply'])).toMatchObject({ code: 0 });
  });

  it('rolls everything back when the connection is lost in the middle', async () => {
    const before = await stored();
    await tables.client.query(
      'create function cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$; create trigger t before insert on customer_keys_relations for each row execute function cut()',
    );
    expect(await run(['--apply'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('→ Nothing was changed'),
    });
    expect(await stored()).toEqual(before);
  });

  it('says when a role may read but not write', async () => {
    await tables.client.query(
      "do $$ begin create role provider_reader login password 'reader'; exception when duplicate_object then null; end $$; grant usage on schema nango to provider_reader; grant select on all tables in schema nango to provider_reader",
    );
    const url = new URL(tables.url);
    [url.username, url.password] = ['provider_reader', 'reader'];
    expect(await run(['--check'], { SERVICE_INTEGRATIONS_DATABASE_URL: url.href })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('differs'),
    });
    expect(await run(['--apply'], { SERVICE_INTEGRATIONS_DATABASE_URL: url.href })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /permission denied[\s\S]*→ Nothing was changed\. Check SERVICE_INTEGRATIONS_DATABASE_URL and the rights of its role/,
      ),
    });
  });

  it('exactly one of --check and --apply, and what it needs', async () => {
    expect(await run([])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exactly one of --check and --apply'),
    });
    expect(await run(['--check', '--environment', 'prod'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--environment takes a number'),
    });
    expect(await run(['--check'], { SERVICE_INTEGRATIONS_WEBHOOK_SECRET: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SERVICE_INTEGRATIONS_WEBHOOK_SECRET is not set[\s\S]*→/),
    });
    expect(
      await run(['--check'], { SERVICE_INTEGRATIONS_DATABASE_URL: 'postgresql://127.0.0.1:1009/x' }),
    ).toMatchObject({ code: 1, stderr: expect.stringMatching(/→ Check SERVICE_INTEGRATIONS_DATABASE_URL/) });
  });
});

describe('integrations reconcile', () => {
  const apps = {
    SERVICE_OAUTH_GITHUB_CLIENT_ID: 'github-id',
    SERVICE_OAUTH_GITHUB_CLIENT_SECRET: 'the github secret',
    SERVICE_OAUTH_SLACK_CLIENT_ID: 'slack-id',
    SERVICE_OAUTH_SLACK_CLIENT_SECRET: 'the slack secret',
  };
  const run = (args: string[], more: Record<string, string> = {}): Promise<Ran> =>
    servicectl(['integrations', 'reconcile', ...args], {
      environment: {
        HOME: home,
        SERVICE_INTEGRATIONS_URL: nango.url,
        SERVICE_INTEGRATIONS_SECRET_KEY: nango.secretKey,
        ...apps,
        ...more,
      },
    });
  const known = (): Body => ({ data: [...nango.integrations].map((key) => ({ unique_key: key, provider: key })) });
  /** Answers the list of integrations; what else is answered differently is up to the test. */
  const answerWith =
    (special: (request: FakeRequest, response: ServerResponse) => boolean) =>
    (request: FakeRequest, response: ServerResponse): boolean => {
      if (request.method === 'GET' && request.path === '/integrations') return (send(response, 200, known()), true);
      if (request.method === 'PATCH') return (send(response, 200, { data: {} }), true);
      return special(request, response);
    };

  it('a provider that fails in the middle leaves what it made, says which is missing, and a second run completes it', async () => {
    nango.answer = answerWith(
      ({ method, body }, response) =>
        method === 'POST' && (body as Body).unique_key === 'slack' && (response.destroy(), true),
    );
    const first = await run(['--apply']);
    expect(first).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^github\tcreated[\s\S]*^slack\tfailed\t/m),
      stderr: expect.stringContaining('→ Fix the problems listed above and run it again'),
    });
    expect([...nango.integrations]).toEqual(['databricks', 'github']);
    nango.answer = answerWith(() => false);
    const second = await run(['--apply']);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^github\tupdated[\s\S]*^slack\tcreated/m) });
    expect([...nango.integrations]).toEqual(['databricks', 'github', 'slack']);
    for (const { stdout, stderr } of [first, second])
      expect(stdout + stderr).not.toMatch(/the (?:github|slack) secret/);
  });

  it('makes the integrations of MCP servers through the dashboard, signed in with its name and password', async () => {
    const signedIn: unknown[] = [];
    nango.answer = answerWith(({ method, path, query, headers, body }, response) => {
      if (!path.startsWith('/api/v1/')) return false;
      signedIn.push([method, path, query.get('env'), headers.authorization, body]);
      return (send(response, 200, { data: {} }), true);
    });
    expect(await run(['--apply'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^linear-mcp\tmissing\tcan only be created in the provider's dashboard: set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD/m,
      ),
    });
    expect(signedIn).toEqual([]);
    const { code, stdout, stderr } = await run(['--apply'], {
      NANGO_DASHBOARD_USERNAME: 'operator',
      NANGO_DASHBOARD_PASSWORD: 'the dashboard password',
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^linear-mcp\tcreated[\s\S]*^notion-mcp\tcreated/m)]);
    expect(stdout + stderr).not.toContain('the dashboard password');
    const basic = `Basic ${Buffer.from('operator:the dashboard password').toString('base64')}`;
    expect(signedIn).toEqual(
      ['linear-mcp', 'notion-mcp'].map((id) => [
        'POST',
        '/api/v1/integrations',
        'prod',
        basic,
        { provider: id, useSharedCredentials: false, integrationId: id },
      ]),
    );
  });

  it('an unreachable provider is reported, and the callback is printed all the same', async () => {
    nango.answer = (_request, response) => (response.destroy(), true);
    expect(await run(['--apply'])).toMatchObject({
      code: 1,
      stdout: 'oauthCallbackUrl: http://localhost:4000/oauth/callback\n',
      stderr: expect.stringContaining('→ Check SERVICE_INTEGRATIONS_URL'),
    });
  });
});
