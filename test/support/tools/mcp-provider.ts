// Stands in for the integration provider and the apps behind it: a proxy that answers as a test tells it to, and
// keeps what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

export interface ProviderStand {
  readonly url: string;
  /** Requests below /proxy, in order. */
  readonly asked: Asked[];
  /** How the next requests are answered. */
  answer(with_: Answer): void;
  /** Connections as the provider's own API shows them, by connection id; with a `status`, how it refuses to. */
  readonly connections: Map<string, Record<string, unknown>>;
  close(): Promise<void>;
}

export const answerJson =
  (status: number, value: unknown, headers: Record<string, string> = {}): Answer =>
  (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };

const echo: Answer = ({ method, url, body }, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    etag: '"1"',
    'set-cookie': 'no=1',
    'x-ratelimit-remaining': '7',
    'x-internal': 'no',
  });
  response.end(
    JSON.stringify({
      method,
      url: url.slice('/proxy'.length),
      body: body === '' ? null : (JSON.parse(body) as unknown),
    }),
  );
};

export async function startProviderStand(): Promise<ProviderStand> {
  const asked: Asked[] = [];
  const connections = new Map<string, Record<string, unknown>>();
  let answer = echo;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const entry: Asked = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      if (url.startsWith('/connections/')) {
        const found = connections.get(decodeURIComponent(url.slice('/connections/'.length).split('?')[0] ?? ''));
        const { status, ...body } = found ?? { status: 404, error: { code: 'not_found' } };
        return answerJson(typeof status === 'number' ? status : 200, body)(entry, response);
      }
      asked.push(entry);
      answer(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connections,
    answer: (with_) => void (answer = with_),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export { echo };
