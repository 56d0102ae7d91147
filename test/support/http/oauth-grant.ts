// A client that a person lets in, step by step: as far as the code, and on to the tokens.
import { createHash, randomBytes } from 'node:crypto';
import { type IdentityServer, post } from './identity-server.ts';

const REDIRECT = 'https://client.example/callback';

export interface Approved {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
}

export interface GrantTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export async function openRequest(
  { url }: IdentityServer,
  cookie: string,
): Promise<{ clientId: string; verifier: string; handle: string }> {
  const registered = await post(`${url}/api/oauth/register`, {
    client_name: 'A client',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'connect:read offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const location =
    (await fetch(`${url}/api/oauth/authorize?${query}`, { headers: { cookie }, redirect: 'manual' })).headers.get(
      'location',
    ) ?? '';
  return { clientId, verifier, handle: new URL(location, url).searchParams.get('request') ?? '' };
}

export async function approveClient(
  server: IdentityServer,
  person: { cookie: string; organizationId: string },
): Promise<Approved> {
  const { clientId, verifier, handle } = await openRequest(server, person.cookie);
  const decided = await post(
    `${server.url}/api/oauth/requests/${handle}`,
    { approve: true, organization: person.organizationId },
    { cookie: person.cookie },
  );
  const { redirect } = (await decided.json()) as { redirect: string };
  return { clientId, verifier, code: new URL(redirect).searchParams.get('code') ?? '' };
}

export function redeemCode({ url }: IdentityServer, { clientId, code, verifier }: Approved): Promise<Response> {
  return fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier }),
  });
}

export function refreshTokens({ url }: IdentityServer, clientId: string, refreshToken: string): Promise<Response> {
  return fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }),
  });
}

export async function obtainTokens(
  server: IdentityServer,
  person: { cookie: string; organizationId: string },
): Promise<GrantTokens & { clientId: string }> {
  const approved = await approveClient(server, person);
  return { clientId: approved.clientId, ...((await (await redeemCode(server, approved)).json()) as GrantTokens) };
}

/** Whether a connect token opens anything. */
export async function opens({ url }: IdentityServer, token: string): Promise<boolean> {
  return (
    (
      await post(
        `${url}/connect/mcp`,
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { authorization: `Bearer ${token}` },
      )
    ).status === 200
  );
}
