// A real integration provider for tests, where the environment names one, and an app of its that we play. How to start
// one is told in docs/operators/integrations.md, "Tests against a real provider".
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface RealNango {
  readonly url: string;
  readonly secretKey: string;
  readonly databaseUrl: string;
  /** This machine as the provider reaches it: it never calls a loopback address. */
  readonly host: string;
  /** The sign-in of its dashboard, where it was given. */
  readonly dashboard?: { readonly username: string; readonly password: string };
}

const NAMES = ['SERVICE_TEST_NANGO_URL', 'SERVICE_TEST_NANGO_SECRET', 'SERVICE_TEST_NANGO_DATABASE_URL'] as const;

/** Undefined when the environment names none; a half of the names is a mistake. */
export function findRealNango(environment: Readonly<Record<string, string | undefined>>): RealNango | undefined {
  const [url, secretKey, databaseUrl] = NAMES.map((name) => environment[name] || undefined);
  if (url === undefined && databaseUrl === undefined) return undefined;
  if (url === undefined || secretKey === undefined || databaseUrl === undefined)
    throw new Error(`set all of ${NAMES.join(', ')}, or none`);
  const host =
    environment['SERVICE_TEST_HOST'] ??
    Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  if (host === undefined)
    throw new Error(
      'this machine has no address but loopback ones; set SERVICE_TEST_HOST to one that the provider reaches',
    );
  const [username, password] = (environment['SERVICE_TEST_NANGO_DASHBOARD'] ?? '').split(/:(.*)/s);
  return {
    url: url.replace(/\/+$/, ''),
    secretKey,
    databaseUrl,
    host,
    ...(username && password ? { dashboard: { username, password } } : {}),
  };
}

export interface ProviderAnswer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test's own expectation is the type of a body
  readonly body: any;
}

/** A call of the provider's public API; without the secret key when a session token speaks for itself. */
export async function callNango(
  { url, secretKey }: RealNango,
  method: string,
  path: string,
  body?: unknown,
  keyed = true,
): Promise<ProviderAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(keyed ? { authorization: `Bearer ${secretKey}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

export interface PlayedApp {
  readonly url: string;
  readonly asked: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Whether the tokens that it gave out still work. */
  tokensWork: boolean;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Salesforce as far as the provider needs it: its host is a setting of each connection, and it is asked about tokens. */
export async function playSalesforce(host: string): Promise<PlayedApp> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (url === '/services/oauth2/introspect') {
      request.resume();
      if (!app.tokensWork) return void response.writeHead(401).end();
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ active: true, exp: Math.floor(Date.now() / 1_000) + 3_600 }));
    }
    app.asked.push({ method, url, headers });
    app.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const app: PlayedApp = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    asked: [],
    tokensWork: true,
    answer: ({ url }, response) => {
      const body = JSON.stringify({ path: url });
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          etag: '"1"',
          link: '</next>; rel="next"',
          'x-ratelimit-limit': '15000',
          'set-cookie': 'no=1',
        })
        .end(body);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return app;
}
