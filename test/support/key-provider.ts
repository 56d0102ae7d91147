// A model provider on a real socket that answers the validation of keys as a test tells it to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface KeyProvider {
  readonly url: string;
  readonly asked: Asked[];
  /** How the next requests are answered; 200 until told otherwise. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"data":[]}');

export async function startKeyProvider(): Promise<KeyProvider> {
  const server = createServer((request, response) => {
    provider.asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    provider.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: KeyProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: status(200),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
