// The part of the integration provider's API that the service uses, with the same paths, bodies and refusals.
import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { reportFailure } from '../../src/telemetry/report-failure.ts';
import { needsApplication } from '../../src/catalog/auth-modes.ts';
import type { Connector } from '../../src/catalog/connector-types.ts';
import { integrationBody, integrationChange, reconnectBody, sessionBody, tagsBody } from './api-bodies.ts';
import { finishAuthorization } from './authorize-connection.ts';
import { createAuthorizationServer } from './demo/authorization-server.ts';
import { answerDemoMcp } from './demo/mcp-server.ts';
import { createDashboard } from './dashboard-app.ts';
import {
  createIntegration,
  connectorOf,
  deleteIntegration,
  findIntegration,
  type Integration,
  listIntegrations,
  saveIntegration,
} from './integrations.ts';
import {
  deleteLocalConnection,
  findLocalConnection,
  listLocalConnections,
  type LocalConnection,
  replaceLocalTags,
} from './local-connections.ts';
import type { LocalDeps } from './local-settings.ts';
import { proxyRequest } from './proxy-request.ts';
import { createRefresher } from './refresh-connection.ts';
import { hashToken } from './secrets.ts';
import { createSession, type EndUser } from './sessions.ts';

const refusal = (c: Context, status: ContentfulStatusCode, code: string): Response =>
  c.json({ error: { code } }, status);

export function createLocalApi(deps: LocalDeps): Hono {
  const refresh = createRefresher(deps);
  const app = new Hono();
  app.onError((error, c) => {
    reportFailure(deps.log, error);
    return refusal(c, 500, 'server_error');
  });
  app.notFound((c) => refusal(c, 404, 'not_found'));

  app.get('/healthz', (c) => c.json({ ok: true, ...deps.running }));
  app.get('/health', (c) => c.json({ result: 'ok' }));
  app.get('/oauth/callback', (c) => finishAuthorization(deps, new URL(c.req.url).searchParams));
  app.post('/demo/mcp/:connector', (c) => answerDemoMcp(deps, c.req.param('connector'), c.req.raw));
  app.route('/demo', createAuthorizationServer(deps));
  app.route('/', createDashboard(deps));

  const expected = hashToken(`Bearer ${deps.settings.secretKey}`);
  app.use(async (c, next) => {
    if (!timingSafeEqual(hashToken(c.req.header('authorization') ?? ''), expected))
      return refusal(c, 401, 'unknown_account');
    return next();
  });

  app.get('/providers', (c) =>
    c.json({
      data: deps.catalog.connectors.map(({ name, auth }) => ({
        name: auth.provider,
        display_name: name,
        auth_mode: auth.mode,
      })),
    }),
  );

  mountIntegrations(app, deps);
  mountSessions(app, deps);
  mountConnections(app, deps, refresh);
  app.all('/proxy/*', (c) => proxyRequest(deps, refresh, c.req.raw));
  return app;
}

function mountIntegrations(app: Hono, deps: LocalDeps): void {
  app.get('/integrations', async (c) => c.json({ data: (await listIntegrations(deps)).map(describeIntegration) }));
  app.post('/integrations', async (c) => {
    const body = await readBody(c, integrationBody);
    const connector = body && deps.catalog.connectors.find(({ auth }) => auth.provider === body.provider);
    if (!body || !connector || !fits(connector, body.credentials)) return refusal(c, 400, 'invalid_body');
    const integration = {
      unique_key: body.unique_key,
      provider: body.provider,
      display_name: body.display_name ?? body.unique_key,
      client_id: body.credentials?.client_id ?? null,
    };
    return (await createIntegration(deps, integration))
      ? c.json({ data: describeIntegration(integration) })
      : refusal(c, 400, 'invalid_body');
  });
  app.get('/integrations/:key', async (c) => {
    const integration = await findIntegration(deps, c.req.param('key'));
    if (!integration) return refusal(c, 404, 'not_found');
    return c.json({
      data: {
        ...describeIntegration(integration),
        ...(c.req.query('include') === 'credentials' ? { credentials: shownClient(deps, integration) } : {}),
      },
    });
  });
  app.patch('/integrations/:key', async (c) => {
    const [integration, body] = [await findIntegration(deps, c.req.param('key')), await readBody(c, integrationChange)];
    if (!integration) return refusal(c, 404, 'not_found');
    if (!body) return refusal(c, 400, 'invalid_body');
    const changed = {
      ...integration,
      display_name: body.display_name ?? integration.display_name,
      client_id: body.credentials?.client_id ?? integration.client_id,
    };
    await saveIntegration(deps, changed);
    return c.json({ data: describeIntegration(changed) });
  });
  app.delete('/integrations/:key', async (c) =>
    (await deleteIntegration(deps, c.req.param('key'))) ? c.json({ success: true }) : refusal(c, 404, 'not_found'),
  );
}

function mountSessions(app: Hono, deps: LocalDeps): void {
  app.post('/connect/sessions', async (c) => {
    const body = await readBody(c, sessionBody);
    if (!body) return refusal(c, 400, 'invalid_body');
    for (const key of body.allowed_integrations ?? [])
      if (!(await findIntegration(deps, key))) return refusal(c, 400, 'invalid_body');
    return c.json(
      {
        data: await createSession(deps, {
          tags: allTags(body),
          endUser: endUserOf(body),
          integrations: body.allowed_integrations ?? [],
          connectionId: undefined,
        }),
      },
      201,
    );
  });
  app.post('/connect/sessions/reconnect', async (c) => {
    const body = await readBody(c, reconnectBody);
    if (!body) return refusal(c, 400, 'invalid_body');
    const connection = await findLocalConnection(deps, body.connection_id, body.integration_id);
    if (!connection) return refusal(c, 400, 'invalid_body');
    return c.json(
      {
        data: await createSession(deps, {
          tags: allTags(body),
          endUser: endUserOf(body),
          integrations: [body.integration_id],
          connectionId: body.connection_id,
        }),
      },
      201,
    );
  });
}

function mountConnections(app: Hono, deps: LocalDeps, refresh: ReturnType<typeof createRefresher>): void {
  app.get('/connections', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const tags = Object.fromEntries(
      [...query].flatMap(([name, value]) => (/^tags\[.+\]$/.test(name) ? [[name.slice(5, -1), value]] : [])),
    );
    const [limit, page] = [Number(query.get('limit') ?? 2_000), Number(query.get('page') ?? 0)];
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > 2_000 || !Number.isSafeInteger(page) || page < 0)
      return refusal(c, 400, 'invalid_query_params');
    return c.json({ connections: (await listLocalConnections(deps, { tags, limit, page })).map(describe) });
  });
  app.get('/connections/:id', async (c) => {
    const key = c.req.query('provider_config_key') ?? '';
    if (!(await findIntegration(deps, key))) return refusal(c, 400, 'unknown_provider_config');
    const connection = await findLocalConnection(deps, c.req.param('id'), key);
    if (!connection) return refusal(c, 404, 'not_found');
    const refreshed = await refresh(connection, { force: c.req.query('force_refresh') === 'true' });
    if ('refused' in refreshed) return refusal(c, refreshed.status, 'invalid_credentials');
    return c.json(describeWhole(refreshed.connection, c.req.query('refresh_token') === 'true'));
  });
  app.patch('/connections/:id', async (c) => {
    const connection = await findLocalConnection(deps, c.req.param('id'), c.req.query('provider_config_key') ?? '');
    const body = await readBody(c, tagsBody);
    if (!connection) return refusal(c, 404, 'not_found');
    if (!body) return refusal(c, 400, 'invalid_body');
    await replaceLocalTags(deps, connection, body.tags ?? {});
    return c.json({ success: true });
  });
  app.delete('/connections/:id', async (c) =>
    (await deleteLocalConnection(deps, c.req.param('id'), c.req.query('provider_config_key') ?? ''))
      ? c.json({ success: true })
      : refusal(c, 400, 'unknown_connection'),
  );
}

function describeIntegration({ unique_key, provider, display_name }: Integration) {
  return { unique_key, provider, display_name };
}

/** An integration that needs an application requires its credentials; credentials of another type are refused. */
function fits(connector: Connector, credentials: { readonly type: string } | undefined): boolean {
  return credentials === undefined ? !needsApplication(connector) : credentials.type === connector.auth.mode;
}

/** An application's client, even if missing. An MCP server's client is shown if it exists; a real provider never shows it. */
function shownClient(deps: LocalDeps, integration: Integration) {
  const connector = connectorOf(deps, integration);
  if (
    !connector ||
    !(needsApplication(connector) || (connector.auth.mode === 'MCP_OAUTH2' && integration.client_id !== null))
  )
    return null;
  return {
    type: connector.auth.mode,
    client_id: integration.client_id,
    client_secret: integration.client_id === null ? null : 'hidden by the local provider',
    scopes: null,
    webhook_secret: null,
  };
}

function describe({
  id,
  connectionId,
  integration,
  provider,
  tags,
  endUser,
  failedRefreshes,
  createdAt,
}: LocalConnection) {
  return {
    id,
    connection_id: connectionId,
    provider_config_key: integration,
    provider,
    errors: failedRefreshes > 0 ? [{ type: 'auth', log_id: `local-${id}` }] : [],
    end_user: endUser
      ? {
          id: endUser.id,
          email: endUser.email ?? null,
          display_name: endUser.display_name ?? null,
          organization: endUser.organizationId === undefined ? null : { id: endUser.organizationId },
        }
      : null,
    tags,
    metadata: {},
    created: createdAt.toISOString(),
  };
}

/** One connection by its id. The refresh token is included only on request. */
function describeWhole(connection: LocalConnection, withRefreshToken: boolean) {
  const { created, ...rest } = describe(connection);
  const { credentials } = connection;
  const shown =
    credentials.type === 'OAUTH2' && !withRefreshToken
      ? { ...credentials, refresh_token: undefined, raw: { ...credentials.raw, refresh_token: undefined } }
      : credentials;
  // Only the local provider sends this: it tells the service to use the demo MCP server here.
  return {
    ...rest,
    demo: true,
    connection_config: {},
    created_at: created,
    updated_at: connection.updatedAt.toISOString(),
    credentials: shown,
  };
}

type SessionBody = z.infer<typeof sessionBody> | z.infer<typeof reconnectBody>;

/** The end user and the organization are also stored as tags. */
function allTags({ tags, end_user: user, organization }: SessionBody): Record<string, string> {
  return {
    ...(user ? { end_user_id: user.id } : {}),
    ...(organization ? { organization_id: organization.id } : {}),
    ...user?.tags,
    ...tags,
  };
}

/** Tags alone do not create an end user. */
function endUserOf({ end_user: user, organization }: SessionBody): EndUser | undefined {
  return user && { id: user.id, email: user.email, display_name: user.display_name, organizationId: organization?.id };
}

const MAX_BODY_CHARACTERS = 256 * 1024;

async function readBody<T extends z.ZodType>(c: Context, schema: T): Promise<z.infer<T> | undefined> {
  if (Number(c.req.header('content-length') ?? 0) > MAX_BODY_CHARACTERS) return undefined;
  const given: unknown = await c.req.json().catch(() => undefined);
  const parsed = schema.safeParse(given);
  return parsed.success ? parsed.data : undefined;
}
