// An integration provider whose every answer a test decides. By default it has what `connections` and `integrations`
// hold and behaves; `answer` takes over a request when a test wants it to fail, lie or hang.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeConnection {
  connection_id: string;
  provider_config_key: string;
  provider?: string;
  tags?: Record<string, unknown> | null;
  end_user?: unknown;
  errors?: unknown;
  created?: string;
  credentials?: unknown;
  connection_config?: unknown;
  /** In the provider's database only: the list leaves it out. */
  unlisted?: true;
}

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface FakeNango {
  readonly url: string;
  readonly secretKey: string;
  connections: FakeConnection[];
  integrations: Set<string>;
  readonly requests: FakeRequest[];
  /** Returns true when it has answered, or will never. */
  answer: ((request: FakeRequest, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

export const SECRET_KEY = '7a9d1f0e-55b1-4c5e-9a51-0f6f2f6f5c11';

export async function startFakeNango(): Promise<FakeNango> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeNango = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey: SECRET_KEY,
    connections: [],
    integrations: new Set(),
    requests: [],
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://fake');
    const text = Buffer.concat(chunks).toString('utf8');
    const request: FakeRequest = {
      method: message.method ?? '',
      path: pathname,
      query: searchParams,
      headers: message.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    fake.requests.push(request);
    if (fake.answer?.(request, response)) return;
    if (message.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return send(response, 401, { error: { code: 'unauthorized' } });
    route(fake, request, response);
  }
  return fake;
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function route(fake: FakeNango, { method, path, query, body }: FakeRequest, response: ServerResponse): void {
  const [, room, key] = path.split('/');
  const given = (body ?? {}) as Record<string, unknown>;
  switch (`${method} /${room}`) {
    case 'POST /connect': {
      const token = `session-${fake.requests.length}`;
      return send(response, 201, {
        data: {
          token,
          connect_link: `http://connect.example.test/?session_token=${token}`,
          expires_at: new Date(Date.now() + 1_800_000).toISOString(),
        },
      });
    }
    case 'GET /integrations':
      return fake.integrations.has(key ?? '')
        ? send(response, 200, { data: { unique_key: key, provider: key } })
        : send(response, 404, { error: { code: 'not_found' } });
    case 'POST /integrations':
      fake.integrations.add(String(given['unique_key']));
      return send(response, 200, { data: { unique_key: given['unique_key'], provider: given['provider'] } });
    case 'GET /connections': {
      if (key !== undefined) {
        const found = fake.connections.find(({ connection_id: id }) => id === decodeURIComponent(key));
        return found
          ? send(response, 200, query.get('refresh_token') === 'true' ? found : withoutRefreshToken(found))
          : send(response, 404, { error: { code: 'not_found' } });
      }
      const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
      const wanted = [...query].flatMap(([name, value]) =>
        name.startsWith('tags[') ? [[name.slice(5, -1), value] as const] : [],
      );
      const matching = fake.connections.filter(
        ({ unlisted, tags }) => !unlisted && wanted.every(([tag, value]) => tags?.[tag] === value),
      );
      return send(response, 200, {
        connections: matching
          .slice(page * limit, (page + 1) * limit)
          .map(({ credentials: _credentials, connection_config: _config, ...rest }) => rest),
      });
    }
    case 'DELETE /connections': {
      const before = fake.connections.length;
      fake.connections = fake.connections.filter(({ connection_id: id }) => id !== decodeURIComponent(key ?? ''));
      return fake.connections.length < before
        ? send(response, 200, { success: true })
        : send(response, 400, { error: { code: 'unknown_connection' } });
    }
    default:
      return send(response, 404, { error: { code: 'not_found' } });
  }
}

/** It is left out of an answer that did not ask for it. */
function withoutRefreshToken(found: FakeConnection): FakeConnection {
  return typeof found.credentials === 'object' && found.credentials !== null
    ? { ...found, credentials: { ...found.credentials, refresh_token: undefined } }
    : found;
}
