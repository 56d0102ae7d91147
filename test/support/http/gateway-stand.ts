// A gateway in front of stand-ins for every part of the service. Each stand-in answers with its name and what it
// was sent, unless a test gives it something else to do.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { connect, type Server as NetServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createGateway, type Gateway, type GatewayOptions } from '../../../src/gateway/create-gateway.ts';
import { SERVICE_GRAPH, type UpstreamName } from '../../../src/gateway/service-graph.ts';
import { parseUpstream, type UpstreamAddress } from '../../../src/gateway/upstream-addresses.ts';

const NAMES: readonly UpstreamName[] = ['web', 'runtime', 'integrations', 'integrations-connect', 'broker', 'sandbox'];

export interface Seen {
  readonly service: UpstreamName;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly rawHeaders: string[];
}

export interface Stand {
  readonly gateway: Gateway;
  readonly port: number;
  readonly upstreams: Readonly<Record<UpstreamName, Server>>;
  readonly urls: Readonly<Record<UpstreamName, string>>;
  /** Every request that reached a stand-in, in order. */
  readonly seen: Seen[];
  /** Gives a stand-in something else to do. */
  answer(name: UpstreamName, listener: RequestListener): void;
  close(): Promise<void>;
}

export async function openStand(options: Partial<GatewayOptions> = {}): Promise<Stand> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-stand-'));
  const seen: Seen[] = [];
  const listeners = new Map<UpstreamName, RequestListener>();
  const addresses = {} as Record<UpstreamName, UpstreamAddress | undefined>;
  const upstreams = {} as Record<UpstreamName, Server>;
  const urls = {} as Record<UpstreamName, string>;
  for (const name of NAMES) {
    const server = createServer((req, res) => {
      const entry = describe(name, req);
      seen.push(entry);
      const listener = listeners.get(name);
      if (listener) return listener(req, res);
      req.resume();
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(entry));
    });
    urls[name] = await listenLocal(server, name === 'sandbox' ? join(directory, 'sandbox.sock') : undefined);
    upstreams[name] = server;
    addresses[name] = parseUpstream(urls[name]);
  }
  const gateway = createGateway({
    graph: SERVICE_GRAPH,
    addresses,
    publicUrl: 'https://app.test',
    showPrivate: false,
    log: pino({ level: 'silent' }),
    graceMs: 2_000,
    ...options,
  });
  const port = await gateway.listen(0, '127.0.0.1');
  return {
    gateway,
    port,
    upstreams,
    urls,
    seen,
    answer: (name, listener) => void listeners.set(name, listener),
    close: async () => {
      for (const server of Object.values(upstreams)) {
        server.close();
        server.closeAllConnections();
      }
      gateway.server.closeAllConnections();
      await gateway.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function describe(service: UpstreamName, req: IncomingMessage): Seen {
  return {
    service,
    method: req.method ?? '',
    url: req.url ?? '',
    headers: req.headers as Record<string, string>,
    rawHeaders: req.rawHeaders,
  };
}

/** The server's address in the form that SERVICE_*_URL takes. */
export function listenLocal(server: NetServer, path?: string): Promise<string> {
  return new Promise((resolve) => {
    if (path !== undefined) return void server.listen(path, () => resolve(`unix:${path}`));
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Ask {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The address to connect to, when it is not the loopback. */
  readonly at?: string;
}

export function ask(
  port: number,
  path: string,
  { method = 'GET', host = 'app.test', headers = {}, body, at = '127.0.0.1' }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ host: at, port, path, method, headers: { host, ...headers }, agent: false }, (res) => {
      let text = '';
      res.on('data', (chunk: Buffer) => (text += chunk.toString()));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text }));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

export interface RawClient {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  /** Everything received so far. */
  text(): string;
  /** Resolves with everything received so far once it contains the text; fails when the connection closes first. */
  until(text: string): Promise<string>;
}

export function openRaw(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const waiting = new Set<() => void>();
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    for (const check of waiting) check();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
  });
  return {
    socket,
    closed,
    text: () => received,
    until: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!received.includes(text)) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        closed.then(() => reject(new Error(`closed before '${text}' came, after '${received}'`)), reject);
        check();
      }),
  };
}

/** Sends bytes as they are and returns all that comes back until the gateway closes the connection. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const client = openRaw(port);
  client.socket.write(bytes, 'latin1');
  await client.closed;
  client.socket.destroy();
  return client.text();
}
