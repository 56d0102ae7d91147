// The provider's dashboard and its private routes, protected by username and password. The real one has more routes;
// these are the documented ones. Sign in as `operator`, with the secret key as the password.
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { dashboardIntegrationBody } from './api-bodies.ts';
import { answerDashboard } from './dashboard-page.ts';
import { connectorOf, createIntegration, findIntegration, listIntegrations } from './integrations.ts';
import type { LocalDeps } from './local-settings.ts';
import { demoClient, hashToken } from './secrets.ts';

export const DASHBOARD_USERNAME = 'operator';

export function createDashboard(deps: LocalDeps): Hono {
  const { secretKey } = deps.settings;
  const app = new Hono();

  const expected = hashToken(`Basic ${Buffer.from(`${DASHBOARD_USERNAME}:${secretKey}`).toString('base64')}`);
  app.use('/api/v1/*', async (c, next) => {
    if (!timingSafeEqual(hashToken(c.req.header('authorization') ?? ''), expected))
      return c.text('Unauthorized', 401, { 'www-authenticate': 'Basic realm="Users"' });
    if (c.req.query('env') !== undefined && c.req.query('env') !== 'prod')
      return c.json({ error: { code: 'invalid_env' } }, 401);
    return next();
  });

  app.get('*', async (c, next) => answerDashboard(c.req.path, deps.settings.appUrl) ?? next());
  app.get('/api/v1/environment/api-keys', (c) =>
    c.json({ data: [{ id: 1, display_name: 'default', scopes: [], secret: secretKey }] }),
  );
  app.get('/api/v1/integrations', async (c) =>
    c.json({
      data: (await listIntegrations(deps)).map((integration) => ({
        ...integration,
        oauth_client_id: integration.client_id,
      })),
    }),
  );
  app.get('/api/v1/integrations/:key', async (c) => {
    const integration = await findIntegration(deps, c.req.param('key'));
    if (!integration) return c.json({ error: { code: 'not_found' } }, 404);
    return c.json({
      data: {
        integration: {
          ...integration,
          oauth_client_id: integration.client_id,
          missing_fields: integration.client_id === null ? ['oauth_client_id'] : [],
        },
      },
    });
  });
  app.post('/api/v1/integrations', async (c) => {
    const body = dashboardIntegrationBody.safeParse(await c.req.json().catch(() => undefined));
    if (!body.success) return c.json({ error: { code: 'invalid_body' } }, 400);
    const { provider, integrationId: key, displayName } = body.data;
    const connector = deps.catalog.connectors.find(({ auth }) => auth.provider === provider);
    if (!connector) return c.json({ error: { code: 'invalid_body', message: 'invalid provider' } }, 400);
    // Unlike the public API, this route registers a client with the app.
    const client = connector.auth.mode === 'MCP_OAUTH2' ? demoClient(secretKey, key).id : null;
    const integration = {
      unique_key: key,
      provider,
      display_name: displayName ?? connectorOf(deps, { unique_key: key, provider })?.name ?? key,
      client_id: client,
    };
    if (!(await createIntegration(deps, integration)))
      return c.json(
        { error: { code: 'invalid_body', message: 'integrationId is already used by another integration' } },
        400,
      );
    return c.json({ data: { ...integration, oauth_client_id: client } });
  });
  return app;
}
