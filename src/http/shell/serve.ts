// A node:http server with limits against slow and oversized requests and clients that do not read, and a graceful shutdown.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWER_HEADERS } from '../../net/answer-headers.ts';
import { closeStalled } from '../../net/close-stalled.ts';

export interface Serving {
  readonly server: Server;
  readonly port: number;
  /** Lets requests in progress finish for a while, then has `cutOff` end them, and closes every connection. */
  close(cutOff?: () => void): Promise<void>;
}

/** An asynchronous listener handles its own failures. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const DRAIN_MS = 5_000;
/** For the last words of what was cut off. */
const LAST_WORDS_MS = 1_000;
const TICK_MS = 250;

export interface ServeOptions {
  readonly port: number;
  readonly host?: string | undefined;
  /** How long requests in progress may take once the server closes. */
  readonly drainMs?: number | undefined;
}

export async function serve(listener: Listener, options: ServeOptions): Promise<Serving> {
  const server = createLimitedServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (cutOff) => drain(server, options.drainMs ?? DRAIN_MS, cutOff),
  };
}

export function createLimitedServer(listener: Listener): Server {
  const server = createServer(
    { headersTimeout: 20_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    withAnswerHeaders((request, response) => {
      // The next request belongs to another process.
      if (!server.listening) response.shouldKeepAlive = false;
      return listener(request, response);
    }),
  );
  closeStalled(server);
  return server;
}

/** Some streams never end on their own, so connections are cut after other requests have had time to finish. */
export function drain(server: Server, forMs: number, cutOff?: () => void): Promise<void> {
  return new Promise((resolve) => {
    const tick = setInterval(() => server.closeIdleConnections(), TICK_MS);
    let deadline = setTimeout(() => {
      cutOff?.();
      deadline = setTimeout(() => server.closeAllConnections(), cutOff ? LAST_WORDS_MS : 0);
    }, forMs);
    server.close(() => {
      clearInterval(tick);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const HEADERS = Object.entries(ANSWER_HEADERS);

/** Set before anything else handles the request, so that every response has them. */
function withAnswerHeaders(listener: Listener): RequestListener {
  return (request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    void listener(request, response);
  };
}
