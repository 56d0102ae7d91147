import { describe, expect, it } from 'vitest';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { NangoError } from '../nango/nango-error.ts';
import { reconcileIntegrations, variablePrefix } from './reconcile-integrations.ts';

const catalog = loadConnectors();

type Client = 'present' | 'missing' | 'hidden';

/** A provider with these integrations, and with a dashboard if clients are given. */
function fakeProvider(
  keys: string[],
  {
    fail = false,
    clients = {},
    dashboard,
  }: { fail?: boolean; clients?: Record<string, Client>; dashboard?: Record<string, boolean> } = {},
) {
  const sent: unknown[] = [];
  const send =
    (what: string) =>
    async (...given: unknown[]) => {
      if (fail) throw new NangoError('refused', { status: 400, code: 'invalid_body' });
      sent.push([what, ...given]);
    };
  const api = {
    listIntegrations: async () => keys.map((key) => ({ key, provider: key })),
    findClient: async (key: string) => clients[key] ?? 'present',
    createIntegration: send('create'),
    updateIntegration: send('update'),
    deleteIntegration: send('delete'),
  };
  return {
    sent,
    provider: {
      api,
      dashboard: dashboard && {
        hasClient: async (key: string) => dashboard[key] === true,
        registerIntegration: send('register'),
      },
    },
  };
}

const environment = {
  SERVICE_OAUTH_GITHUB_CLIENT_ID: 'id',
  SERVICE_OAUTH_GITHUB_CLIENT_SECRET: 'secret',
  SERVICE_OAUTH_GITHUB_SCOPES: 'repo read:user',
  SERVICE_OAUTH_SLACK_CLIENT_ID: 'id2',
  SERVICE_OAUTH_SLACK_CLIENT_SECRET: 'secret2',
  SERVICE_OAUTH_JIRA_CLIENT_ID: 'alone',
};
const stateOf = (found: Awaited<ReturnType<typeof reconcileIntegrations>>, id: string) =>
  found.find((one) => one.id === id);

it('checking says what differs and sends nothing', async () => {
  const { provider, sent } = fakeProvider(['slack', 'notion']);
  const found = await reconcileIntegrations(provider, catalog, environment, 'check');
  expect(stateOf(found, 'github')).toMatchObject({ state: 'missing', ok: false });
  expect(stateOf(found, 'slack')).toMatchObject({ state: 'registered', ok: true });
  expect(stateOf(found, 'notion')).toMatchObject({ state: 'registered', ok: true });
  expect(stateOf(found, 'jira')).toMatchObject({
    state: 'incomplete',
    ok: false,
    message: expect.stringContaining('SERVICE_OAUTH_JIRA_CLIENT_SECRET'),
  });
  expect(stateOf(found, 'hubspot')).toMatchObject({ state: 'not-offered', ok: true });
  expect(stateOf(found, 'databricks')).toMatchObject({
    state: 'missing',
    ok: true,
    message: expect.stringContaining('--apply'),
  });
  expect(sent).toEqual([]);
});

it('applying creates and updates what has credentials, and makes nothing up', async () => {
  const { provider, sent } = fakeProvider(['slack', 'databricks']);
  const found = await reconcileIntegrations(provider, catalog, environment, 'apply');
  expect([stateOf(found, 'github')?.state, stateOf(found, 'slack')?.state, stateOf(found, 'jira')?.state]).toEqual([
    'created',
    'updated',
    'incomplete',
  ]);
  expect(sent).toEqual([
    [
      'create',
      {
        key: 'github',
        provider: 'github',
        displayName: 'GitHub',
        credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret', scopes: 'repo,read:user' },
      },
    ],
    [
      'update',
      'slack',
      { displayName: 'Slack', credentials: { type: 'OAUTH2', client_id: 'id2', client_secret: 'secret2' } },
    ],
  ]);
});

it('applying creates what takes no credentials without any, and leaves it alone from then on', async () => {
  const first = fakeProvider([]);
  expect(stateOf(await reconcileIntegrations(first.provider, catalog, {}, 'apply'), 'databricks')?.state).toBe(
    'created',
  );
  expect(first.sent).toEqual([
    ['create', { key: 'databricks', provider: 'databricks-workspace', displayName: 'Databricks' }],
  ]);
  const second = fakeProvider(['databricks']);
  expect(stateOf(await reconcileIntegrations(second.provider, catalog, {}, 'apply'), 'databricks')?.state).toBe(
    'registered',
  );
  expect(second.sent).toEqual([]);
});

it('an application at the provider without a client id is incomplete', async () => {
  const { provider } = fakeProvider(['slack', 'notion', 'box'], {
    clients: { slack: 'missing', notion: 'missing', box: 'hidden' },
  });
  const found = await reconcileIntegrations(provider, catalog, environment, 'check');
  expect(stateOf(found, 'slack')).toMatchObject({
    state: 'incomplete',
    ok: false,
    message: expect.stringContaining('run with --apply'),
  });
  expect(stateOf(found, 'notion')).toMatchObject({
    state: 'incomplete',
    ok: false,
    message: expect.stringContaining('SERVICE_OAUTH_NOTION_CLIENT_ID'),
  });
  expect(stateOf(found, 'box')).toMatchObject({ state: 'unknown', ok: true });
});

describe('an app whose MCP server registers clients', () => {
  const given = { SERVICE_OAUTH_NOTION_MCP_CLIENT_ID: 'id', SERVICE_OAUTH_NOTION_MCP_CLIENT_SECRET: 'secret' };

  it('is made through the dashboard, never by the public API, whatever is configured', async () => {
    const { provider, sent } = fakeProvider(['databricks'], { dashboard: {} });
    const found = await reconcileIntegrations(provider, catalog, given, 'apply');
    for (const id of ['linear-mcp', 'notion-mcp'])
      expect(stateOf(found, id)).toMatchObject({
        state: 'created',
        message: expect.stringContaining('with the account in NANGO_DASHBOARD_USERNAME'),
      });
    expect(sent).toEqual([
      ['register', { key: 'linear-mcp', provider: 'linear-mcp' }],
      ['register', { key: 'notion-mcp', provider: 'notion-mcp' }],
    ]);
  });

  it('is left alone once it has a client; one without is incomplete, and made again', async () => {
    const state = { dashboard: { 'linear-mcp': true } };
    const checked = await reconcileIntegrations(
      fakeProvider(['databricks', 'linear-mcp', 'notion-mcp'], state).provider,
      catalog,
      {},
      'check',
    );
    expect(stateOf(checked, 'linear-mcp')).toMatchObject({ state: 'registered', ok: true });
    expect(stateOf(checked, 'notion-mcp')).toMatchObject({
      state: 'incomplete',
      ok: false,
      message: expect.stringContaining('without a client ID'),
    });
    const { provider, sent } = fakeProvider(['databricks', 'linear-mcp', 'notion-mcp'], state);
    expect(stateOf(await reconcileIntegrations(provider, catalog, {}, 'apply'), 'notion-mcp')?.state).toBe('created');
    expect(sent).toEqual([
      ['delete', 'notion-mcp'],
      ['register', { key: 'notion-mcp', provider: 'notion-mcp' }],
    ]);
  });

  it.each(['missing', 'hidden'] as const)(
    'without dashboard credentials, points to the dashboard; whether an integration has a client is unknown: %s',
    async (client) => {
      for (const mode of ['check', 'apply'] as const) {
        const { provider, sent } = fakeProvider(['databricks', 'notion-mcp'], { clients: { 'notion-mcp': client } });
        const found = await reconcileIntegrations(provider, catalog, {}, mode);
        expect(stateOf(found, 'linear-mcp')).toMatchObject({
          state: 'missing',
          ok: true,
          message: expect.stringMatching(/provider's dashboard.*NANGO_DASHBOARD_USERNAME/),
        });
        expect(stateOf(found, 'notion-mcp')).toMatchObject({
          state: 'unknown',
          ok: true,
          message: expect.stringContaining('NANGO_DASHBOARD_PASSWORD'),
        });
        expect(sent).toEqual([]);
      }
    },
  );

  it('reports a refusal by the dashboard', async () => {
    const { provider } = fakeProvider(['databricks'], { dashboard: {}, fail: true });
    expect(stateOf(await reconcileIntegrations(provider, catalog, {}, 'apply'), 'linear-mcp')).toMatchObject({
      state: 'failed',
      ok: false,
      message: expect.stringContaining('400'),
    });
  });
});

it('leaves credential-only connectors alone', async () => {
  const { provider } = fakeProvider([]);
  const ids = (await reconcileIntegrations(provider, catalog, {}, 'apply')).map(({ id }) => id);
  const oauth = catalog.connectors
    .filter(({ auth }) => auth.mode !== 'API_KEY' && auth.mode !== 'BASIC')
    .map(({ id }) => id);
  expect(ids).toEqual(oauth);
  expect(ids.length).toBeLessThan(catalog.connectors.length);
});

it('says what the provider refused, without the secret', async () => {
  const { provider } = fakeProvider([], { fail: true });
  const found = await reconcileIntegrations(provider, catalog, environment, 'apply');
  expect(stateOf(found, 'github')).toMatchObject({
    state: 'failed',
    ok: false,
    message: expect.stringContaining('invalid_body'),
  });
  expect(JSON.stringify(found)).not.toContain('secret2');
});

it('no two connectors share a variable', () => {
  expect(variablePrefix('google-mail')).toBe('SERVICE_OAUTH_GOOGLE_MAIL');
  expect(new Set(catalog.connectors.map(({ id }) => variablePrefix(id))).size).toBe(catalog.connectors.length);
});
