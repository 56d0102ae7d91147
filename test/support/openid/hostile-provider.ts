// An OpenID provider on a real socket that can do what a real one never does: sign what it likes with any key, change its
// keys, go down. Towards its client it is as strict as a real one: a code counts once, for the redirect address and the
// PKCE challenge that it was given for, and only with the client's secret.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const CLIENT = { id: 'service-of-the-tests', secret: 'a secret of the tests' } as const;

type Claims = Readonly<Record<string, unknown>>;
type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

interface Signing {
  readonly kid?: string;
  readonly key?: SigningKey;
  readonly typ?: string;
}

interface Granted {
  readonly asked: URLSearchParams;
  readonly claims: Claims;
  readonly signing: Signing;
}

export interface HostileProvider {
  readonly url: string;
  /** The query of the callback for a person who was sent to `location` and let in; `claims` override the usual ones. */
  letIn(location: string, claims: Claims, signing?: Signing): string;
  /** Signed as this provider signs; `claims` override iss, aud, iat and exp. */
  sign(claims: Claims, signing?: Signing): Promise<string>;
  /** Another key, and the one before is gone. */
  changeKeys(): Promise<void>;
  /** Answers nothing but 503. */
  down: boolean;
  /** Changes the discovery document. */
  metadata: Record<string, unknown>;
  /** How often a path was asked. */
  asked(path: string): number;
  close(): Promise<void>;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const codes = new Map<string, Granted>();
  const counts = new Map<string, number>();
  let current = await newKey();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;

  const sign: HostileProvider['sign'] = async (claims, { kid, key, typ } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: url, aud: CLIENT.id, iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: kid ?? current.kid, ...(typ === undefined ? {} : { typ }) })
      .sign(key ?? current.key);
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (provider.down) return send(response, 503, {});
    if (path === '/.well-known/openid-configuration')
      return send(response, 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        end_session_endpoint: `${url}/end`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...provider.metadata,
      });
    if (path === '/jwks') return send(response, 200, { keys: [current.jwk] });
    if (path === '/token' && request.method === 'POST') return redeem(request, response);
    return send(response, 404, {});
  }

  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (!isClient(request.headers.authorization ?? '')) return send(response, 401, { error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    if (!granted || !isFor(granted, form)) return send(response, 400, { error: 'invalid_grant' });
    return send(response, 200, {
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      id_token: await sign({ nonce: granted.asked.get('nonce'), ...granted.claims }, granted.signing),
    });
  }

  const provider: HostileProvider = {
    url,
    down: false,
    metadata: {},
    letIn(location, claims, signing = {}) {
      const asked = new URL(location).searchParams;
      if (asked.get('client_id') !== CLIENT.id || asked.get('response_type') !== 'code')
        throw new Error(`not a request of the client: ${location}`);
      const code = randomBytes(16).toString('hex');
      codes.set(code, { asked, claims, signing });
      return `?${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`;
    },
    sign,
    changeKeys: async () => void (current = await newKey()),
    asked: (path) => counts.get(path) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

async function newKey(): Promise<{ kid: string; key: SigningKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = randomBytes(4).toString('hex');
  return { kid, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

function isFor({ asked }: Granted, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    form.get('grant_type') === 'authorization_code' &&
    form.get('redirect_uri') === asked.get('redirect_uri') &&
    asked.get('code_challenge_method') === 'S256' &&
    challenge === asked.get('code_challenge')
  );
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function isClient(authorization: string): boolean {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  const [id, secret] = pair.map((part) => new URLSearchParams(`part=${part}`).get('part'));
  return authorization.startsWith('Basic ') && id === CLIENT.id && secret === CLIENT.secret;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
