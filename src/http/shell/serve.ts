// A node:http server with limits against slow and oversized clients, and a stop that lets requests finish.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWER_HEADERS } from '../../base/answer-headers.ts';

export interface Serving {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

/** Whoever answers asynchronously sees to its own failures. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const DRAIN_MS = 5_000;

export async function serve(
  listener: Listener,
  options: { port: number; host?: string | undefined },
): Promise<Serving> {
  const server = createServer(
    { headersTimeout: 20_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    withAnswerHeaders(listener),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Event streams never end by themselves; after a moment for ordinary requests they are cut.
        setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      }),
  };
}

const HEADERS = Object.entries(ANSWER_HEADERS);

/** Before anything else looks at the request, so that no answer leaves without them. */
export function withAnswerHeaders(listener: Listener): RequestListener {
  return (request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    void listener(request, response);
  };
}
