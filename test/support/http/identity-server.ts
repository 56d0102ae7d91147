// The web server on a real socket, with a resource server beside it that answers as /connect/mcp does: a challenge
// without a token (RFC 9728), one MCP tool with a valid one.
import { createSecretKey } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Clock } from '../../../src/base/clock.ts';
import type { IdentitySettings } from '../../../src/identity/identity-settings.ts';
import type { OpenIdProvider } from '../../../src/identity/openid/provider.ts';
import type { Hashing } from '../../../src/identity/passwords/passwords.ts';
import { authenticateToken } from '../../../src/http/shell/authenticate-token.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { composeWebApp } from '../../../src/http/compose-web-app.ts';
import { appListener } from '../../../src/http/shell/app-listener.ts';
import type { Database } from '../../../src/store/database.ts';
import { createOrganization } from '../../../src/tenancy/organizations/create-organization.ts';
import { createTokenVerifier } from '../../../src/tenancy/tokens/verify-token.ts';
import { quiet } from '../database.ts';
import { freePort } from '../free-port.ts';

export interface IdentityServer {
  readonly url: string;
  readonly settings: IdentitySettings;
  close(): Promise<void>;
}

const key = createSecretKey(Buffer.from('connect secret of the tests'));

export async function startIdentityServer(
  db: Database,
  options: {
    clock?: Clock;
    allowPrivateUrls?: boolean;
    clientDocuments?: boolean;
    hashing?: Hashing;
    openid?: (publicUrl: string) => Promise<OpenIdProvider>;
  } = {},
): Promise<IdentityServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const clock = options.clock ?? (() => new Date());
  const settings = {
    publicUrl: url,
    authSecret: 'auth secret of the tests, long enough',
    allowPrivateUrls: options.allowPrivateUrls ?? false,
    clientDocuments: options.clientDocuments ?? true,
  };
  const app = composeWebApp({
    db,
    log: quiet,
    settings,
    key,
    clock,
    openid: await options.openid?.(url),
    ...(options.hashing ? { hashing: options.hashing } : {}),
    browserApp: { respond: async () => undefined },
  });
  const verifier = createTokenVerifier(key, clock);
  const resource = new Hono();
  resource.all('/connect/mcp', async (c) => {
    const caller = await authenticateToken({ db, verifier }, c.req.raw.headers).catch(() => undefined);
    if (!caller?.membership || !caller.scopes.has('connect:read')) {
      return c.json({ ok: false, error: 'unauthenticated' }, 401, {
        'www-authenticate': `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/connect/mcp"`,
      });
    }
    if (c.req.method !== 'POST') return c.body(null, 405);
    const { id, method } = await c.req.json<{ id?: number; method: string }>();
    if (id === undefined) return c.body(null, 202);
    return c.json({ jsonrpc: '2.0', id, ...mcpResult(method, caller.userId) });
  });
  const toResource = getRequestListener(resource.fetch);
  const isResource = (_method: string, path: string): boolean => path === '/connect/mcp';
  const serving = await serve(
    appListener(
      app,
      [{ cost: 'cheap', matches: isResource, handle: (request, response) => void toResource(request, response) }],
      { log: quiet },
    ),
    { port, host: 'localhost' },
  );
  return { url, settings, close: () => serving.close() };
}

function mcpResult(method: string, userId: string): Record<string, unknown> {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'fixture', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: [{ name: 'whoami', description: userId, inputSchema: { type: 'object' } }] } };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
}

let people = 0;

export async function signUp({ url }: IdentityServer): Promise<Person> {
  const email = `person${++people}@example.test`;
  const answer = await post(`${url}/api/auth/sign-up/email`, {
    name: 'A Person',
    email,
    password: 'correct horse battery',
  });
  const { user } = (await answer.json()) as { user: { id: string } };
  return { id: user.id, email, cookie: cookieOf(answer) };
}

export async function signUpWithOrganization(
  server: IdentityServer,
  db: Database,
): Promise<Person & { organizationId: string; defaultId: string }> {
  const person = await signUp(server);
  const { organization, workspaces } = await createOrganization(db, person.id, { name: 'An Organization' });
  return { ...person, organizationId: organization.id, defaultId: workspaces.default.id };
}

export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
