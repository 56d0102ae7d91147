// A real OpenID provider (the package oidc-provider) on a real socket, with its own pages to sign in at: any name is let in
// with any password, and is the person of that name in `people`.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { freePort } from '../free-port.ts';
import { CLIENT } from './hostile-provider.ts';

export interface ProviderAccount {
  readonly name: string;
  readonly email: string;
  readonly verified: boolean;
  readonly groups: readonly string[];
}

export interface RealProvider {
  readonly issuer: string;
  readonly people: Map<string, ProviderAccount>;
  close(): Promise<void>;
}

/** `publicUrl` is that of the service, its client. */
export async function startRealProvider(publicUrl: string): Promise<RealProvider> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const people = new Map<string, ProviderAccount>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/api/auth/openid/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
        backchannel_logout_uri: `${publicUrl}/api/auth/openid/logout`,
        backchannel_logout_session_required: true,
        require_auth_time: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // By itself it reaches no loopback address, which is where its client is.
    fetch: (url: URL, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    pkce: { required: () => true },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 3600, IdToken: 300, Interaction: 600, Session: 3600 },
    findAccount: (_ctx: unknown, sub: string) => {
      const person = people.get(sub);
      return person === undefined
        ? undefined
        : {
            accountId: sub,
            claims: async () => ({
              sub,
              name: person.name,
              email: person.email,
              email_verified: person.verified,
              groups: person.groups,
            }),
          };
    },
  });
  provider.on('backchannel.error', (_ctx, error) => void process.stderr.write(`not told to end: ${String(error)}\n`));
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    issuer,
    people,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
