import { createHash, randomBytes } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../src/http/shell/serve.ts';
import type { Database } from '../../src/store/database.ts';
import { createWorkspace } from '../../src/tenancy/workspaces/create-workspace.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  type IdentityServer,
  post,
  signUp,
  signUpWithOrganization,
  startIdentityServer,
} from '../support/http/identity-server.ts';

const REDIRECT = 'https://client.example/callback';
const MINUTE_MS = 60_000;

let db: Database;
let server: IdentityServer;
let aheadMs = 0;
let person: Awaited<ReturnType<typeof signUpWithOrganization>>;
let clientId: string;

beforeAll(async () => {
  db = await openTestDatabase();
  server = await startIdentityServer(db, { clock: () => new Date(Date.now() + aheadMs) });
  person = await signUpWithOrganization(server, db);
  clientId = await register();
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await server.close();
  await db.close();
});

type Fields = Record<string, string | undefined>;
const api = (path: string): string => `${server.url}/api/oauth${path}`;

async function register(metadata: Record<string, unknown> = {}): Promise<string> {
  const answer = await post(api('/register'), {
    client_name: 'A client',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

function given(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

async function visit(challenge: string, changes: Fields = {}, cookie = person.cookie): Promise<Response> {
  const query = given({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'connect:read connect:write offline_access',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${server.url}/connect/mcp`,
    ...changes,
  });
  return fetch(`${api('/authorize')}?${query}`, { headers: { cookie }, redirect: 'manual' });
}

async function ask(challenge: string, changes: Fields = {}): Promise<string> {
  const location = (await visit(challenge, changes)).headers.get('location') ?? '';
  expect(location).toMatch(/^\/consent\?request=/);
  return api(`/requests/${new URL(location, server.url).searchParams.get('request')}`);
}

async function approve(request: string, answer: Record<string, unknown> = {}): Promise<string> {
  const decided = await post(
    request,
    { approve: true, organization: person.organizationId, ...answer },
    { cookie: person.cookie },
  );
  expect(decided.status).toBe(200);
  const { redirect } = (await decided.json()) as { redirect: string };
  return new URL(redirect).searchParams.get('code') ?? '';
}

const tokenRequest = (fields: Fields): Promise<Response> =>
  fetch(api('/token'), { method: 'POST', body: given(fields) });
const exchange = (code: string, verifier: string, changes: Fields = {}): Promise<Response> =>
  tokenRequest({
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    ...changes,
  });
const refresh = (refresh_token: string, changes: Fields = {}): Promise<Response> =>
  tokenRequest({ grant_type: 'refresh_token', refresh_token, client_id: clientId, ...changes });

interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

async function obtain(answer: Record<string, unknown> = {}): Promise<Tokens> {
  const { verifier, challenge } = newVerifier();
  const answered = await exchange(await approve(await ask(challenge), answer), verifier);
  expect(answered.status).toBe(200);
  return (await answered.json()) as Tokens;
}

const opens = async (token: string): Promise<boolean> =>
  (
    await post(
      `${server.url}/connect/mcp`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { authorization: `Bearer ${token}` },
    )
  ).status === 200;

/** Status and body of an answer, to be compared with `refused`. */
async function outcome(answer: Response | Promise<Response>): Promise<unknown> {
  const response = await answer;
  return [response.status, await response.json()];
}

function refused(error: string, status = 400): unknown {
  return [status, { error, error_description: expect.any(String) }];
}

/** Where the browser goes once the person has declined a request. */
async function sentBack(request: string): Promise<unknown> {
  const { redirect } = (await (await post(request, { approve: false }, { cookie: person.cookie })).json()) as {
    redirect: string;
  };
  const location = new URL(redirect);
  return { to: location.origin + location.pathname, ...Object.fromEntries(location.searchParams) };
}

function refusedTo(redirect: string, error: string): unknown {
  return { to: redirect, error, error_description: expect.any(String), state: 's', iss: server.url };
}

describe('metadata', () => {
  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/connect/mcp'])(
    'describes the resource at %s',
    async (path) => {
      const answer = await fetch(server.url + path, { headers: { origin: 'https://client.example' } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
      expect(await answer.json()).toMatchObject({
        resource: `${server.url}/connect/mcp`,
        authorization_servers: [server.url],
        scopes_supported: ['connect:read', 'connect:write'],
      });
    },
  );

  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/connect/mcp',
    '/.well-known/openid-configuration',
  ])('describes the authorization server at %s', async (path) => {
    const document = (await (await fetch(server.url + path)).json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    });
    expect(document['scopes_supported']).toContain('offline_access');
    for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
      expect(document[name]).toMatch(/\/api\/oauth\/\w+$/);
    }
  });

  it.each(['register', 'token', 'revoke'])(
    'lets a browser on another origin call %s, without credentials',
    async (path) => {
      const preflight = await fetch(api(`/${path}`), {
        method: 'OPTIONS',
        headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );
});

describe('registration', () => {
  it('takes a loopback client for a native, public one', async () => {
    const answer = await post(api('/register'), {
      redirect_uris: ['http://localhost/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(await answer.json()).toEqual({
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'localhost',
      application_type: 'native',
      redirect_uris: ['http://localhost/callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each([
    [{ redirect_uris: ['http://client.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_client_metadata'],
    [{}, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, i) => `${REDIRECT}/${i}`) }, 'invalid_client_metadata'],
  ])('refuses %j', async (metadata, error) =>
    expect(await outcome(post(api('/register'), metadata))).toEqual(refused(error)),
  );

  it('accepts a scheme of the application and any port of a loopback address', async () => {
    const native = await register({ redirect_uris: ['cursor://app/callback', 'http://127.0.0.1/callback'] });
    for (const redirect_uri of ['cursor://app/callback', 'http://127.0.0.1:50123/callback']) {
      expect(
        (await visit(newVerifier().challenge, { client_id: native, redirect_uri })).headers.get('location'),
      ).toMatch(/^\/consent/);
    }
  });
});

describe('authorize', () => {
  it('sends a browser without a session to sign in, and from there to the consent page', async () => {
    const visited = await visit(newVerifier().challenge, {}, '');
    const location = new URL(visited.headers.get('location') ?? '', server.url);
    expect(location.pathname).toBe('/sign-in');
    const next = location.searchParams.get('next') ?? '';
    expect(next).toMatch(/^\/consent\?request=[\w-]+$/);
    const request = api(`/requests/${new URL(next, server.url).searchParams.get('request')}`);
    expect((await fetch(request)).status).toBe(401);
    expect((await fetch(request, { headers: { cookie: person.cookie } })).status).toBe(200);
  });

  it.each([
    ['an unknown client', { client_id: 'client_unknown' }, 'invalid_client', 401],
    ['no client', { client_id: undefined }, 'invalid_request', 400],
    [
      'a redirect URI that was not registered',
      { redirect_uri: 'https://evil.example/callback' },
      'invalid_request',
      400,
    ],
  ])('shows the fault of %s here and redirects nowhere', async (_what, changes, error, status) =>
    expect(await outcome(visit(newVerifier().challenge, changes))).toEqual(refused(error, status)),
  );

  it.each([
    ['no proof key', { code_challenge: undefined }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method of the proof key', { code_challenge_method: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['the resource of another service', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['unknown scopes only', { scope: 'openid profile' }, 'invalid_scope'],
  ])('shows the person who asks for %s before the client hears of it', async (_what, changes, error) => {
    const request = await ask(newVerifier().challenge, changes);
    const shown = (await (await fetch(request, { headers: { cookie: person.cookie } })).json()) as { request: unknown };
    expect(shown.request).toMatchObject({
      client: { name: 'A client' },
      redirectHost: 'client.example',
      fault: { error, description: expect.any(String) },
    });
    const approved = await post(
      request,
      { approve: true, organization: person.organizationId },
      { cookie: person.cookie },
    );
    expect([approved.status, await approved.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
    expect(await sentBack(request)).toEqual(refusedTo(REDIRECT, error));
  });

  it('never redirects to a client without consent, no matter who asks and what is wrong', async () => {
    const evil = await register({ redirect_uris: ['https://evil.example/phish'] });
    for (const changes of [
      { scope: 'openid' },
      { response_type: 'token' },
      { code_challenge: 'x' },
      { state: 'x'.repeat(3_000) },
      { resource: 'https://evil.example' },
    ]) {
      for (const cookie of ['', person.cookie]) {
        const { status, headers } = await visit(
          newVerifier().challenge,
          { client_id: evil, redirect_uri: 'https://evil.example/phish', ...changes },
          cookie,
        );
        expect([changes, status, headers.get('location')]).toEqual([
          changes,
          302,
          expect.stringMatching(cookie === '' ? /^\/sign-in\?next=%2Fconsent/ : /^\/consent\?request=/),
        ]);
      }
    }
  });

  it('asks for reading only when the client names no scope', async () => {
    const request = await ask(newVerifier().challenge, { scope: undefined, resource: undefined });
    expect(await (await fetch(request, { headers: { cookie: person.cookie } })).json()).toMatchObject({
      request: { scopes: ['connect:read'] },
    });
  });
});

it('refuses text that the database cannot hold, everywhere', async () => {
  expect(await outcome(visit(newVerifier().challenge, { client_id: 'a\0' }))).toEqual(refused('invalid_request'));
  expect(await sentBack(await ask(newVerifier().challenge, { scope: 'chat\0' }))).toEqual(
    refusedTo(REDIRECT, 'invalid_request'),
  );
  expect(await outcome(post(api('/register'), { redirect_uris: [REDIRECT], client_name: 'a\0' }))).toEqual(
    refused('invalid_client_metadata'),
  );
  expect(await outcome(refresh('x', { client_id: 'a\0' }))).toEqual(refused('invalid_request'));
  for (const path of ['/requests/%00', '/grants/%00']) {
    expect(
      (
        await fetch(api(path), {
          method: path.startsWith('/grants') ? 'DELETE' : 'GET',
          headers: { cookie: person.cookie },
        })
      ).status,
    ).toBe(400);
  }
});

describe('consent', () => {
  it('shows what is asked and where it could apply', async () => {
    const workspace = await createWorkspace(
      db,
      { userId: person.id, organizationId: person.organizationId },
      { name: 'Research' },
    );
    const shown = await fetch(await ask(newVerifier().challenge), { headers: { cookie: person.cookie } });
    expect(await shown.json()).toEqual({
      request: {
        id: expect.any(String),
        client: { id: clientId, name: 'A client' },
        redirectHost: 'client.example',
        scopes: ['connect:read', 'connect:write'],
        offline: true,
        expiresAt: expect.any(String),
      },
      organizations: [
        {
          id: person.organizationId,
          slug: expect.any(String),
          name: 'An Organization',
          role: 'owner',
          workspaces: [
            { id: person.defaultId, slug: 'default', name: 'Default', kind: 'default' },
            { id: workspace.id, slug: 'research', name: 'Research', kind: 'named' },
          ],
        },
      ],
    });
  });

  it('binds the token to the chosen organization, workspace and scopes', async () => {
    const { access_token, scope } = await obtain({ workspace: person.defaultId, scopes: ['connect:read'] });
    expect(scope).toBe('connect:read');
    expect(decodeJwt(access_token)).toMatchObject({
      sub: person.id,
      org: person.organizationId,
      ws: person.defaultId,
      scope: 'connect:read',
    });
    expect(await opens(access_token)).toBe(true);
  });

  it('tells the client when the person declines', async () => {
    const request = await ask(newVerifier().challenge);
    const { redirect } = (await (await post(request, { approve: false }, { cookie: person.cookie })).json()) as {
      redirect: string;
    };
    expect(Object.fromEntries(new URL(redirect).searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
    expect(
      (await post(request, { approve: true, organization: person.organizationId }, { cookie: person.cookie })).status,
    ).toBe(404);
  });

  it('belongs to the person who opened it', async () => {
    const other = await signUpWithOrganization(server, db);
    const request = await ask(newVerifier().challenge);
    expect((await fetch(request, { headers: { cookie: person.cookie } })).status).toBe(200);
    expect((await fetch(request, { headers: { cookie: other.cookie } })).status).toBe(404);
    const answered = await post(
      request,
      { approve: true, organization: other.organizationId },
      { cookie: other.cookie },
    );
    expect([answered.status, await answered.json()]).toEqual([
      404,
      expect.objectContaining({ ok: false, error: 'not_found' }),
    ]);
  });

  it('expires', async () => {
    const request = await ask(newVerifier().challenge);
    aheadMs = 11 * MINUTE_MS;
    expect((await fetch(request, { headers: { cookie: person.cookie } })).status).toBe(404);
    expect(
      (await post(request, { approve: true, organization: person.organizationId }, { cookie: person.cookie })).status,
    ).toBe(404);
  });

  it('cannot be given from another origin, nor without a session', async () => {
    const request = await ask(newVerifier().challenge);
    const body = { approve: true, organization: person.organizationId };
    const foreign = await post(request, body, { cookie: person.cookie, origin: 'https://client.example' });
    expect([foreign.status, await foreign.json()]).toEqual([403, expect.objectContaining({ error: 'cross_origin' })]);
    expect((await post(request, body)).status).toBe(401);
  });

  it('refuses an organization of others, wider scopes and unknown fields, and stays open', async () => {
    const other = await signUpWithOrganization(server, db);
    const request = await ask(newVerifier().challenge);
    const answer = (body: Record<string, unknown>): Promise<Response> => post(request, body, { cookie: person.cookie });
    expect((await answer({ approve: true, organization: other.organizationId })).status).toBe(404);
    expect(
      (await answer({ approve: true, organization: person.organizationId, workspace: other.defaultId })).status,
    ).toBe(404);
    expect((await answer({ approve: true, organization: person.organizationId, scopes: ['chat'] })).status).toBe(400);
    expect((await answer({ approve: true, organization: person.organizationId, everything: true })).status).toBe(400);
    expect(await approve(request)).toMatch(/^[\w-]{43}$/);
  });
});

describe('token', () => {
  it.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }, 'invalid_grant'],
    ['another client', { client_id: 'client_other' }, 'invalid_grant'],
    ['the resource of another service', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('refuses a code with %s', async (_what, changes, error) => {
    const { verifier, challenge } = newVerifier();
    expect(await outcome(exchange(await approve(await ask(challenge)), verifier, changes))).toEqual(refused(error));
  });

  it('refuses an expired code', async () => {
    const { verifier, challenge } = newVerifier();
    const code = await approve(await ask(challenge));
    aheadMs = 11 * MINUTE_MS;
    expect(await outcome(exchange(code, verifier))).toEqual(refused('invalid_grant'));
  });

  it('ends everything that came of a code when it is used again', async () => {
    const { verifier, challenge } = newVerifier();
    const code = await approve(await ask(challenge));
    const tokens = (await (await exchange(code, verifier)).json()) as Tokens;
    expect(await opens(tokens.access_token)).toBe(true);
    expect(await outcome(exchange(code, verifier))).toEqual(refused('invalid_grant'));
    expect(await opens(tokens.access_token)).toBe(false);
    expect(await outcome(refresh(tokens.refresh_token))).toEqual(refused('invalid_grant'));
  });

  it('gives one of many simultaneous exchanges at most', async () => {
    const { verifier, challenge } = newVerifier();
    const code = await approve(await ask(challenge));
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code, verifier)));
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
  });

  it('rotates the refresh token and ends the family when an old one comes back', async () => {
    const first = await obtain();
    const second = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await opens(second.access_token)).toBe(true);
    expect(await outcome(refresh(first.refresh_token))).toEqual(refused('invalid_grant'));
    expect(await outcome(refresh(second.refresh_token))).toEqual(refused('invalid_grant'));
    expect(await opens(second.access_token)).toBe(false);
  });

  it('lets a refresh ask for less, never for more, and only from its own client', async () => {
    const { refresh_token } = await obtain();
    expect(await outcome(refresh(refresh_token, { client_id: 'client_other' }))).toEqual(refused('invalid_grant'));
    expect(await outcome(refresh(refresh_token, { scope: 'connect:read chat' }))).toEqual(refused('invalid_scope'));
    const narrowed = (await (await refresh(refresh_token, { scope: 'connect:read' })).json()) as Tokens;
    expect(decodeJwt(narrowed.access_token)).toMatchObject({ scope: 'connect:read' });
  });

  it('lives an hour, and its refresh token thirty days', async () => {
    const tokens = await obtain();
    const { iat = 0, exp = 0 } = decodeJwt(tokens.access_token);
    expect(exp - iat).toBe(3_600);
    aheadMs = 31 * 24 * 60 * MINUTE_MS;
    expect(await outcome(refresh(tokens.refresh_token))).toEqual(refused('invalid_grant'));
  });

  it('gives no refresh token to a client that cannot use one', async () => {
    const plain = await register({ grant_types: ['authorization_code'] });
    const { verifier, challenge } = newVerifier();
    const code = await approve(await ask(challenge, { client_id: plain, scope: 'connect:read' }));
    expect(await (await exchange(code, verifier, { client_id: plain })).json()).not.toHaveProperty('refresh_token');
  });

  it('stops for a person who left the organization', async () => {
    const { refresh_token } = await obtain();
    await db.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      person.organizationId,
      person.id,
    ]);
    expect(await outcome(refresh(refresh_token))).toEqual(refused('invalid_grant'));
    await db.query(
      "insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, 'owner')",
      [person.organizationId, person.id],
    );
  });

  it('takes forms only', async () =>
    expect(await outcome(post(api('/token'), { grant_type: 'authorization_code' }))).toEqual(
      refused('invalid_request'),
    ));
});

describe('revocation', () => {
  const revoke = (token: string): Promise<Response> =>
    fetch(api('/revoke'), { method: 'POST', body: given({ token, client_id: clientId }) });

  it.each(['access_token', 'refresh_token'] as const)('ends the grant by its %s', async (kind) => {
    const tokens = await obtain();
    expect((await revoke(tokens[kind])).status).toBe(200);
    expect(await opens(tokens.access_token)).toBe(false);
    expect(await outcome(refresh(tokens.refresh_token))).toEqual(refused('invalid_grant'));
  });

  it('says nothing about a token it does not know', async () => {
    expect((await revoke('unknown')).status).toBe(200);
  });

  it('lists to a person the clients they approved, and lets them end one', async () => {
    const owner = await signUp(server);
    await db.query(
      "insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, 'member')",
      [person.organizationId, owner.id],
    );
    const { verifier, challenge } = newVerifier();
    const request = await ask(challenge);
    const { redirect } = (await (
      await post(request, { approve: true, organization: person.organizationId }, { cookie: owner.cookie })
    ).json()) as { redirect: string };
    const tokens = (await (
      await exchange(new URL(redirect).searchParams.get('code') ?? '', verifier)
    ).json()) as Tokens;
    const { grants } = (await (await fetch(api('/grants'), { headers: { cookie: owner.cookie } })).json()) as {
      grants: { id: string }[];
    };
    expect(grants).toEqual([
      {
        id: expect.any(String),
        client: { id: clientId, name: 'A client' },
        organization: person.organizationId,
        scopes: ['connect:read', 'connect:write'],
        createdAt: expect.any(String),
        usedAt: expect.any(String),
      },
    ]);
    const end = (cookie: string): Promise<Response> =>
      fetch(api(`/grants/${grants[0]?.id}`), { method: 'DELETE', headers: { cookie } });
    expect((await end(person.cookie)).status).toBe(404);
    expect((await end(owner.cookie)).status).toBe(200);
    expect(await opens(tokens.access_token)).toBe(false);
  });
});

describe('a fault that a person is brought to', () => {
  it('is a page for a browser, without a script, a link or a word of the client’s', async () => {
    const query = given({
      response_type: 'code',
      client_id: 'https://client.invalid/<b>.json',
      redirect_uri: REDIRECT,
    });
    const shown = await fetch(`${api('/authorize')}?${query}`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      redirect: 'manual',
    });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    const text = await shown.text();
    expect(text).toContain('The application cannot be signed in');
    expect(text).not.toMatch(/<script|<a |client\.invalid/);
  });

  it('is JSON for anybody else', async () =>
    expect(await outcome(visit(newVerifier().challenge, { client_id: 'client_unknown' }))).toEqual(
      refused('invalid_client', 401),
    ));
});

describe('without client-id metadata documents', () => {
  it('they are not offered, and a client must register', async () => {
    const closed = await startIdentityServer(db, { clientDocuments: false });
    const metadata = (await (await fetch(`${closed.url}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      unknown
    >;
    expect(metadata).toMatchObject({
      client_id_metadata_document_supported: false,
      registration_endpoint: expect.any(String),
    });
    const query = given({
      response_type: 'code',
      client_id: 'https://client.example/client.json',
      redirect_uri: REDIRECT,
    });
    const refusal = await fetch(`${closed.url}/api/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([refusal.status, await refusal.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: expect.stringContaining('must register itself') },
    ]);
    await closed.close();
  });
});

describe('client-id metadata document', () => {
  const withDocuments = async (
    answer: (url: string) => Response,
    check: (visited: Response) => Promise<void>,
    allowPrivateUrls = true,
  ): Promise<void> => {
    const open = await startIdentityServer(db, { allowPrivateUrls });
    let url = '';
    const documents = await serve(
      getRequestListener(() => answer(url)),
      { port: 0 },
    );
    url = `http://127.0.0.1:${documents.port}/client.json`;
    const query = given({
      response_type: 'code',
      client_id: url,
      redirect_uri: REDIRECT,
      code_challenge: newVerifier().challenge,
      code_challenge_method: 'S256',
    });
    await check(await fetch(`${open.url}/api/oauth/authorize?${query}`, { redirect: 'manual' }));
    await documents.close();
    await open.close();
  };
  const document = (client_id: string, more: Record<string, unknown> = {}): Response =>
    Response.json({ client_id, client_name: 'Documented', redirect_uris: [REDIRECT], ...more });

  it('names the client', () => withDocuments(document, async (visited) => expect(visited.status).toBe(302)));

  it.each<[string, (url: string) => Response]>([
    ['names another client', () => document('https://other.example/client.json')],
    ['has other redirect URIs', (url) => document(url, { redirect_uris: ['https://other.example/callback'] })],
    ['wants a secret', (url) => document(url, { token_endpoint_auth_method: 'client_secret_basic' })],
    ['redirects', (url) => Response.redirect(url.replace('client.json', 'elsewhere.json'))],
    ['is not there', () => new Response('no', { status: 404 })],
    ['is not JSON', () => new Response('<html>')],
    ['is too large', (url) => document(url, { padding: 'x'.repeat(64 * 1024) })],
  ])('is refused when it %s', (_what, answer) =>
    withDocuments(answer, async (visited) => expect([400, 401]).toContain(visited.status)),
  );

  it('is not fetched from a private address unless the operator allows it', async () => {
    let fetched = false;
    await withDocuments(
      (url) => {
        fetched = true;
        return document(url);
      },
      async (visited) => expect(await outcome(visited)).toEqual(refused('invalid_client', 401)),
      false,
    );
    expect(fetched).toBe(false);
  });
});
