// A node:http server with limits against slow and oversized requests and clients that do not read, and a graceful shutdown.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWER_HEADERS } from '../../base/answer-headers.ts';
import { closeStalled } from '../../base/close-stalled.ts';

export interface Serving {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

/** An asynchronous listener handles its own failures. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const DRAIN_MS = 5_000;

export async function serve(
  listener: Listener,
  options: { port: number; host?: string | undefined },
): Promise<Serving> {
  const server = createLimitedServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () => drain(server, DRAIN_MS),
  };
}

export function createLimitedServer(listener: Listener): Server {
  const server = createServer(
    { headersTimeout: 20_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    withAnswerHeaders(listener),
  );
  closeStalled(server);
  return server;
}

/** Event streams never end on their own, so connections are cut after ordinary requests have had time to finish. */
export function drain(server: Server, forMs: number): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), forMs).unref();
  });
}

const HEADERS = Object.entries(ANSWER_HEADERS);

/** Set before anything else handles the request, so that every response has them. */
export function withAnswerHeaders(listener: Listener): RequestListener {
  return (request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    void listener(request, response);
  };
}
