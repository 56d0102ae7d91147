import { expect, it } from 'vitest';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { NangoError } from '../nango/nango-error.ts';
import { reconcileIntegrations, variablePrefix } from './reconcile-integrations.ts';

const catalog = loadConnectors();

function fakeProvider(keys: string[], fail = false) {
  const sent: unknown[] = [];
  const send = (what: string) => async (...given: unknown[]) => {
    if (fail) throw new NangoError('refused', { status: 400, code: 'invalid_body' });
    sent.push([what, ...given]);
  };
  return { sent, provider: { listIntegrations: async () => keys.map((key) => ({ key, provider: key })), createIntegration: send('create'), updateIntegration: send('update') } };
}

const environment = {
  SERVICE_OAUTH_GITHUB_CLIENT_ID: 'id', SERVICE_OAUTH_GITHUB_CLIENT_SECRET: 'secret', SERVICE_OAUTH_GITHUB_SCOPES: 'repo read:user',
  SERVICE_OAUTH_SLACK_CLIENT_ID: 'id2', SERVICE_OAUTH_SLACK_CLIENT_SECRET: 'secret2',
  SERVICE_OAUTH_JIRA_CLIENT_ID: 'alone',
};
const stateOf = (found: Awaited<ReturnType<typeof reconcileIntegrations>>, id: string) => found.find((one) => one.id === id);

it('checking says what differs and sends nothing', async () => {
  const { provider, sent } = fakeProvider(['slack', 'notion']);
  const found = await reconcileIntegrations(provider, catalog, environment, 'check');
  expect(stateOf(found, 'github')).toMatchObject({ state: 'missing', ok: false });
  expect(stateOf(found, 'slack')).toMatchObject({ state: 'registered', ok: true });
  expect(stateOf(found, 'notion')).toMatchObject({ state: 'registered', ok: true });
  expect(stateOf(found, 'jira')).toMatchObject({ state: 'incomplete', ok: false, message: expect.stringContaining('SERVICE_OAUTH_JIRA_CLIENT_SECRET') });
  expect(stateOf(found, 'hubspot')).toMatchObject({ state: 'not-offered', ok: true });
  for (const id of ['linear-mcp', 'notion-mcp', 'databricks']) expect(stateOf(found, id)).toMatchObject({ state: 'missing', ok: true, message: expect.stringContaining('--apply') });
  expect(sent).toEqual([]);
});

it('applying creates and updates what has credentials, and makes nothing up', async () => {
  const { provider, sent } = fakeProvider(['slack', 'databricks', 'linear-mcp', 'notion-mcp']);
  const found = await reconcileIntegrations(provider, catalog, environment, 'apply');
  expect([stateOf(found, 'github')?.state, stateOf(found, 'slack')?.state, stateOf(found, 'jira')?.state]).toEqual(['created', 'updated', 'incomplete']);
  expect(sent).toEqual([
    ['create', { key: 'github', provider: 'github', displayName: 'GitHub', credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret', scopes: 'repo,read:user' } }],
    ['update', 'slack', { displayName: 'Slack', credentials: { type: 'OAUTH2', client_id: 'id2', client_secret: 'secret2' } }],
  ]);
});

it('applying creates what takes no credentials without any, whatever is configured, and leaves it alone from then on', async () => {
  const given = { SERVICE_OAUTH_NOTION_MCP_CLIENT_ID: 'id', SERVICE_OAUTH_NOTION_MCP_CLIENT_SECRET: 'secret' };
  const { provider, sent } = fakeProvider(['linear-mcp']);
  const found = await reconcileIntegrations(provider, catalog, given, 'apply');
  expect(['linear-mcp', 'notion-mcp', 'databricks'].map((id) => stateOf(found, id)?.state)).toEqual(['registered', 'created', 'created']);
  expect(sent).toEqual([
    ['create', { key: 'databricks', provider: 'databricks-workspace', displayName: 'Databricks' }],
    ['create', { key: 'notion-mcp', provider: 'notion-mcp', displayName: 'Notion (MCP)' }],
  ]);
});

it('leaves credential-only connectors alone', async () => {
  const { provider } = fakeProvider([]);
  const ids = (await reconcileIntegrations(provider, catalog, {}, 'apply')).map(({ id }) => id);
  const oauth = catalog.connectors.filter(({ auth }) => auth.mode !== 'API_KEY' && auth.mode !== 'BASIC').map(({ id }) => id);
  expect(ids).toEqual(oauth);
  expect(ids.length).toBeLessThan(catalog.connectors.length);
});

it('says what the provider refused, without the secret', async () => {
  const { provider } = fakeProvider([], true);
  const found = await reconcileIntegrations(provider, catalog, environment, 'apply');
  expect(stateOf(found, 'github')).toMatchObject({ state: 'failed', ok: false, message: expect.stringContaining('invalid_body') });
  expect(JSON.stringify(found)).not.toContain('secret2');
});

it('no two connectors share a variable', () => {
  expect(variablePrefix('google-mail')).toBe('SERVICE_OAUTH_GOOGLE_MAIL');
  expect(new Set(catalog.connectors.map(({ id }) => variablePrefix(id))).size).toBe(catalog.connectors.length);
});
