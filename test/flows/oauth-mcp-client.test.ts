// A real MCP client obtains a token end to end: challenge, metadata, registration or metadata document, consent by
// a signed-in person, exchange, call, refresh.
import { getRequestListener } from '@hono/node-server';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve, type Serving } from '../../src/http/shell/serve.ts';
import { readAuthority } from '../../src/runs/record/run-authority.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  type IdentityServer,
  post,
  signUpWithOrganization,
  startIdentityServer,
} from '../support/http/identity-server.ts';

let db: Database;
let server: IdentityServer;

beforeAll(async () => {
  db = await openTestDatabase();
  server = await startIdentityServer(db, { allowPrivateUrls: true });
});
afterAll(async () => {
  await server.close();
  await db.close();
});

const REDIRECT = 'http://127.0.0.1:41999/callback';

interface Wallet extends OAuthClientProvider {
  authorizationUrl?: URL;
}

/** What a client keeps between steps; opening the browser only notes the address. */
function createWallet(clientInformation?: { client_id: string; issuer: string }): Wallet {
  const kept: { information?: unknown; tokens?: unknown; verifier?: string; discovery?: unknown } = {
    information: clientInformation,
  };
  const wallet: Wallet = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Test client',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'the state',
    clientInformation: () => kept.information as ReturnType<OAuthClientProvider['clientInformation']>,
    saveClientInformation: (information) => void (kept.information = information),
    tokens: () => kept.tokens as ReturnType<OAuthClientProvider['tokens']>,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (wallet.authorizationUrl = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => void (kept.discovery = state),
    discoveryState: () => kept.discovery as ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>,
  };
  return wallet;
}

/** The person's part, as the consent page does it. Answers with the redirect that their browser would follow. */
async function consent(authorizationUrl: URL, cookie: string, answer: Record<string, unknown>): Promise<URL> {
  const visit = await fetch(authorizationUrl, { headers: { cookie }, redirect: 'manual' });
  expect(visit.status).toBe(302);
  const page = new URL(visit.headers.get('location') ?? '', server.url);
  expect(page.pathname).toBe('/consent');
  const url = `${server.url}/api/oauth/requests/${page.searchParams.get('request')}`;
  expect(await (await fetch(url, { headers: { cookie } })).json()).toMatchObject({
    request: { client: { name: 'Test client' }, redirectHost: '127.0.0.1:41999' },
  });
  const { redirect } = (await (await post(url, answer, { cookie, origin: server.url })).json()) as { redirect: string };
  return new URL(redirect);
}

async function connectThroughOAuth(
  wallet: Wallet,
  person: { cookie: string; organizationId: string },
): Promise<Client> {
  const url = new URL(`${server.url}/connect/mcp`);
  const first = new StreamableHTTPClientTransport(url, { authProvider: wallet });
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  const back = await consent(wallet.authorizationUrl ?? url, person.cookie, {
    approve: true,
    organization: person.organizationId,
  });
  expect(back.searchParams.get('state')).toBe('the state');
  await first.finishAuth(back.searchParams);

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: wallet }));
  return client;
}

it('registers itself, is approved, and calls with a connect token', async () => {
  const person = await signUpWithOrganization(server, db);
  const wallet = createWallet();
  const client = await connectThroughOAuth(wallet, person);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.description)).toEqual([person.id]);
  await client.close();

  const tokens = await wallet.tokens();
  const jwt = tokens?.access_token ?? '';
  expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'HS256' });
  expect(decodeJwt(jwt)).toEqual({
    sub: person.id,
    org: person.organizationId,
    scope: 'connect:read connect:write',
    aud: 'connect',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  expect(tokens).toMatchObject({
    token_type: 'Bearer',
    expires_in: expect.any(Number),
    scope: 'connect:read connect:write',
    refresh_token: expect.any(String),
  });
  // What the token starts is known to come of the grant.
  expect(await readAuthority(db, { scopes: new Set(['connect:read']), tokenId: decodeJwt(jwt).jti })).toMatchObject({
    startedWith: 'grant',
    grantId: expect.any(String),
  });
});

it('renews a token that no longer works without asking the person again', async () => {
  const person = await signUpWithOrganization(server, db);
  const wallet = createWallet();
  await (await connectThroughOAuth(wallet, person)).close();
  const before = await wallet.tokens();
  await wallet.saveTokens({ ...before, access_token: 'no longer good', token_type: 'Bearer' });
  delete wallet.authorizationUrl;

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/connect/mcp`), { authProvider: wallet }),
  );
  expect((await client.listTools()).tools).toHaveLength(1);
  await client.close();
  expect(wallet.authorizationUrl).toBeUndefined();
  expect((await wallet.tokens())?.refresh_token).not.toBe(before?.refresh_token);
});

it('is known by its metadata document, without registration', async () => {
  const documents = await serveDocument();
  const person = await signUpWithOrganization(server, db);
  const client = await connectThroughOAuth(createWallet({ client_id: documents.url, issuer: server.url }), person);
  expect((await client.listTools()).tools).toHaveLength(1);
  await client.close();
  const { rows } = await db.query('select count(*) as n from :schema.oauth_grant where client_id = $1', [
    documents.url,
  ]);
  expect(rows[0]?.['n']).toBe(1);
  expect(documents.reads()).toBe(1);
  await documents.close();
});

async function serveDocument(): Promise<{ url: string; reads(): number; close(): Promise<void> }> {
  let reads = 0;
  let url = '';
  const serving: Serving = await serve(
    getRequestListener(() => {
      reads++;
      return Response.json({
        client_id: url,
        client_name: 'Test client',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      });
    }),
    { port: 0 },
  );
  url = `http://127.0.0.1:${serving.port}/client.json`;
  return { url, reads: () => reads, close: () => serving.close() };
}
