// Apps with their own MCP server, at the local provider as at a real one: its public API creates an integration that
// cannot be connected, the dashboard's route creates one that works.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { reconcileIntegrations } from '../connections/reconcile-integrations.ts';
import { DASHBOARD_USERNAME } from '../../stand-ins/nango/dashboard-app.ts';
import { type LocalProvider, startLocalProvider, submit, visit } from '../../test/support/tools/local-provider.ts';
import { createNangoClient, type NangoClient } from './nango-client.ts';
import { createNangoDashboard, type NangoDashboard } from './nango-dashboard.ts';

let local: LocalProvider;
let api: NangoClient;
let dashboard: NangoDashboard;
beforeAll(async () => {
  local = await startLocalProvider();
  const { secretKey } = local.deps.settings;
  api = createNangoClient({ url: local.url, secretKey });
  dashboard = createNangoDashboard({ url: local.url, username: DASHBOARD_USERNAME, password: secretKey });
});
afterAll(async () => {
  await Promise.all([api.close(), dashboard.close()]);
  await local.close();
});

const connect = async (integrationId: string): Promise<string> => {
  const { connectLink } = await api.createSession({ integrationId, tags: { organization_id: 'org_1' } });
  const consent = await submit(await visit(connectLink));
  return (await submit(consent, { decision: 'allow' })).html || consent.html;
};

it('one that the public API made has no client, opens a session, and cannot be connected', async () => {
  await api.deleteIntegration('linear-mcp');
  await api.createIntegration({ key: 'linear-mcp', provider: 'linear-mcp' });
  expect([await api.findClient('linear-mcp'), await dashboard.hasClient('linear-mcp')]).toEqual(['missing', false]);
  const { connectLink } = await api.createSession({ integrationId: 'linear-mcp', tags: {} });
  expect((await submit(await visit(connectLink))).html).toContain('is missing client ID, secret and/or scopes');
});

it('reconciling with the sign-in of the dashboard gives it a client, and it is connected', async () => {
  const found = await reconcileIntegrations({ api, dashboard }, loadConnectors(), {}, 'apply');
  expect(found.find(({ id }) => id === 'linear-mcp')).toMatchObject({ state: 'created', ok: true });
  expect(await dashboard.hasClient('linear-mcp')).toBe(true);
  expect(await connect('linear-mcp')).toContain('is connected');
  const again = await reconcileIntegrations({ api, dashboard }, loadConnectors(), {}, 'apply');
  expect(again.find(({ id }) => id === 'linear-mcp')).toMatchObject({ state: 'registered', ok: true });
});

it('another password is refused, and a second integration of the same key', async () => {
  const stranger = createNangoDashboard({ url: local.url, username: DASHBOARD_USERNAME, password: 'another' });
  await expect(stranger.hasClient('linear-mcp')).rejects.toMatchObject({ failure: 'refused', status: 401 });
  await expect(dashboard.registerIntegration({ key: 'linear-mcp', provider: 'linear-mcp' })).rejects.toMatchObject({
    failure: 'refused',
    status: 400,
    code: 'invalid_body',
  });
  await stranger.close();
});

it('an OAuth application is not made without its credentials, and shows its client id', async () => {
  await api.deleteIntegration('github');
  await expect(api.createIntegration({ key: 'github', provider: 'github' })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_body',
  });
  await expect(
    api.createIntegration({
      key: 'github',
      provider: 'github',
      credentials: { type: 'OAUTH1', client_id: 'id', client_secret: 'secret' },
    }),
  ).rejects.toMatchObject({ status: 400 });
  await api.createIntegration({
    key: 'github',
    provider: 'github',
    credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret' },
  });
  expect(await api.findClient('github')).toBe('present');
});
