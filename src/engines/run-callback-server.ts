// Where the brokers of a run's sandbox reach its worker: one server on the loopback, with a token per run that only the
// egress proxy outside the sandbox has. The run's handler decides what it may request.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAuthorization } from '../net/authorization.ts';

export type RunEndpointHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface RunEndpoint {
  /** An origin that is reachable only from this machine. */
  readonly url: string;
  readonly headers: { readonly authorization: string };
  close(): void;
}

export interface RunCallbackServer {
  /** Opens an endpoint for one run, for at most this long. */
  open(handler: RunEndpointHandler, lifeMs: number): Promise<RunEndpoint>;
  close(): Promise<void>;
}

export function createRunCallbackServer(): RunCallbackServer {
  // By digest, so that the lookup leaks nothing about the token through its timing.
  const handlers = new Map<string, RunEndpointHandler>();
  let starting: Promise<Server> | undefined;

  async function start(): Promise<Server> {
    const server = createServer({ requestTimeout: 0, headersTimeout: 20_000 }, (request, response) => {
      const given = readAuthorization(request.headers);
      const handler = given.kind === 'bearer' ? handlers.get(digest(given.token)) : undefined;
      if (!handler) return refuse(response, 401, 'unauthenticated');
      return void handler(request, response).catch(() =>
        response.headersSent ? response.destroy() : refuse(response, 500, 'internal'),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return server;
  }

  return {
    async open(handler, lifeMs) {
      starting ??= start();
      const { port } = (await starting).address() as AddressInfo;
      const token = randomBytes(32).toString('base64url');
      const key = digest(token);
      handlers.set(key, handler);
      const expiry = setTimeout(() => handlers.delete(key), lifeMs).unref();
      return {
        url: `http://127.0.0.1:${port}`,
        headers: { authorization: `Bearer ${token}` },
        close() {
          clearTimeout(expiry);
          handlers.delete(key);
        },
      };
    },
    async close() {
      handlers.clear();
      const server = await starting;
      server?.closeAllConnections();
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    },
  };
}

/** In the format of the OpenAI API, which most clients here expect. */
export function refuse(response: ServerResponse, status: number, code: string, message = code): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }));
}

/** Undefined when the body is larger than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
