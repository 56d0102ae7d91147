// The Connect page: users enter an API key, or are sent on to authorize. Its URL contains the session token.
import { Hono } from 'hono';
import { reportFailure } from '../../src/telemetry/report-failure.ts';
import { isCredentialOnly } from '../../src/catalog/auth-modes.ts';
import { beginAuthorization, completeConnection } from './authorize-connection.ts';
import { readForm } from './demo/authorization-server.ts';
import { connectorOf, findIntegration, type Integration } from './integrations.ts';
import type { Credentials } from './local-connections.ts';
import type { LocalDeps } from './local-settings.ts';
import { escapeHtml, hidden, problemPage, renderPage } from './pages.ts';
import { findSession, type Session } from './sessions.ts';

const EXPIRED = () => problemPage('This link has expired', 'Go back to the app and connect again.', 410);

export function createConnectApp(deps: LocalDeps): Hono {
  const app = new Hono();
  app.onError((error) => {
    reportFailure(deps.log, error);
    return problemPage('Something went wrong', 'Try again in a moment.', 500);
  });
  app.get('/health', (c) => c.json({ result: 'ok' }));

  app.get('/', async (c) => {
    const token = c.req.query('session_token') ?? '';
    if (token === '')
      return renderPage({
        title: 'Connect an app',
        body: '<p>Open this page from the app: choose an integration there and connect it.</p>',
      });
    const session = await findSession(deps.db, token);
    const integrations = session ? await offered(deps, session) : [];
    if (!session || integrations.length === 0) return EXPIRED();
    const [only] = integrations;
    const title = only && integrations.length === 1 ? `Connect ${only.display_name}` : 'Connect an app';
    return renderPage({
      title,
      body: integrations.map((integration) => form(deps, token, integration)).join('<hr>'),
      formsEndAt: [new URL(deps.settings.publicApiUrl).origin],
    });
  });

  app.post('/connect', async (c) => {
    const fields = await readForm(c.req.raw);
    const session = await findSession(deps.db, fields.get('session_token') ?? '');
    const integration =
      session && (await offered(deps, session)).find(({ unique_key: key }) => key === fields.get('integration'));
    if (!session || !integration) return EXPIRED();
    if (!takesKey(deps, integration) && integration.client_id === null)
      return problemPage(
        'Nothing was connected',
        `Provider Config "${integration.unique_key}" is missing client ID, secret and/or scopes`,
        400,
      );
    if (!takesKey(deps, integration)) return c.redirect(await beginAuthorization(deps, session, integration), 303);
    const credentials = readCredentials(fields);
    if (credentials && isRefusedByApp(credentials))
      return problemPage(
        'Nothing was connected',
        `${integration.display_name} does not accept these credentials. Go back and correct them.`,
        400,
      );
    return credentials
      ? completeConnection(deps, session, integration, credentials)
      : problemPage('Nothing was connected', 'Go back and fill in the form.', 422);
  });

  return app;
}

async function offered(deps: LocalDeps, session: Session): Promise<Integration[]> {
  const found = await Promise.all(session.integrations.map((key) => findIntegration(deps, key)));
  return found.filter((integration) => integration !== undefined);
}

function takesKey(deps: LocalDeps, integration: Integration): boolean {
  const connector = connectorOf(deps, integration);
  return connector !== undefined && isCredentialOnly(connector);
}

function form(deps: LocalDeps, token: string, integration: Integration): string {
  const name = escapeHtml(integration.display_name);
  const common = hidden('session_token', token) + hidden('integration', integration.unique_key);
  const id = (field: string): string => escapeHtml(`${integration.unique_key}-${field}`);
  if (!takesKey(deps, integration))
    return `<p>You will be asked to allow access on the next page.</p><form method="post" action="connect">${common}<button class="primary">Continue to ${name}</button></form>`;
  const basic = connectorOf(deps, integration)?.auth.mode === 'BASIC';
  const fields = basic
    ? `<label for="${id('username')}">Username or key ID</label><input id="${id('username')}" name="username" required autocomplete="off"><label for="${id('password')}">Password or secret</label><input id="${id('password')}" name="password" type="password" autocomplete="off">`
    : `<label for="${id('api-key')}">API key</label><input id="${id('api-key')}" name="api_key" type="password" required autocomplete="off">`;
  return `<p class="quiet">Any text except “refused” works, because this is a demo app. Do not enter a real secret.</p><form method="post" action="connect">${common}${fields}<button class="primary">Connect ${name}</button></form>`;
}

/** A real provider checks some keys with the app. The demo apps accept any key but this. */
const REFUSED_KEY = 'refused';

function isRefusedByApp(credentials: Credentials): boolean {
  return credentials.type === 'API_KEY'
    ? credentials.apiKey === REFUSED_KEY
    : credentials.type === 'BASIC' && credentials.username === REFUSED_KEY;
}

function readCredentials(fields: URLSearchParams): Credentials | undefined {
  const [apiKey, username] = [fields.get('api_key')?.trim(), fields.get('username')?.trim()];
  if (apiKey) return { type: 'API_KEY', apiKey };
  return username ? { type: 'BASIC', username, password: fields.get('password') ?? '' } : undefined;
}
