// The outer end of the only way out of a sandbox: an HTTP proxy on a socket that one sandbox can reach. It applies the
// rules of that sandbox, adds credentials on the far side only, and counts usage.
import { chmod, chown, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { getCACertificates, type SecureContext, TLSSocket } from 'node:tls';
import { lookupPublic } from '../../net/lookup-public.ts';
import { isPrivateHost } from '../../net/private-address.ts';
import { type Budget, createBudget } from './budget.ts';
import { createCertificateAuthority } from './certificate-authority.ts';
import {
  bindsMethods,
  type BrokerRule,
  type EgressRules,
  findBroker,
  isPush,
  isQueryPath,
  mayAsk,
  mayReach,
  tlsPortOf,
} from './egress-rules.ts';
import type { PlacedSecret } from './fill-placeholders.ts';
import { forwardRequest } from './forward-request.ts';
import { EGRESS_ROOTS, EGRESS_SOCKET, ROOTS_ENVIRONMENT } from './inside.ts';
import { judgePush, MAX_PUSH_HEAD_BYTES } from './judge-push.ts';
import { openTunnel } from './open-tunnel.ts';
import { mayMeanAnotherMethod } from './override-request.ts';
import { readOnlyQuery } from './read-only-query.ts';
import { formsOfSecrets, secretsOf } from './scrub-secrets.ts';

export interface EgressProxy {
  /** Variables for every command: what the certificates of the proxy are checked with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the socket accessible to the sandbox. */
  own(uid: number | undefined): Promise<void>;
  close(): Promise<void>;
}

export interface EgressOptions {
  readonly directory: string;
  readonly rules: EgressRules;
  /** Resolves names of allowed hosts; the default refuses every address that is not public. */
  readonly lookup?: LookupFunction;
}

const MAX_CONNECTIONS = 64;
const MAX_QUERY_BYTES = 512 * 1024;
/** Bytes to and from hosts that a rule allows, together. */
const MAX_TUNNEL_BYTES = 4 * 1024 ** 3;

export async function openEgressProxy({
  directory,
  rules,
  lookup = lookupPublic,
}: EgressOptions): Promise<EgressProxy> {
  const path = join(directory, EGRESS_SOCKET);
  const tunnels = createBudget({ maxRequests: Infinity, maxBytes: MAX_TUNNEL_BYTES });
  const sockets = new Set<Socket>();

  const filled = rules.secrets ?? [];
  const placed = formsOfSecrets(filled.map(({ value }) => value));
  const authority = rules.brokers.some((rule) => tlsPortOf(rule) !== undefined)
    ? createCertificateAuthority()
    : undefined;
  if (authority)
    await writeFile(
      join(directory, EGRESS_ROOTS),
      [...getCACertificates('default'), authority.certificate].join('\n'),
      {
        mode: 0o444,
      },
    );
  const ways = new Map<BrokerRule, BrokerWay>(
    rules.brokers.map((rule) => {
      const fill = rule.methods === undefined ? undefined : rule.fills === true ? filled : [];
      const secrets = rule.fills === true ? placed : secretsOf(rule.headers);
      return [rule, { rule, secrets, fill, budget: createBudget(rule), lookup }];
    }),
  );
  const server = createServer(
    { maxHeaderSize: 64 * 1024, headersTimeout: 20_000, requestTimeout: 0 },
    (request, response) => {
      const url = readTarget(request);
      if (url === undefined) return refuse(response, 400, 'The request names no host.');
      const broker = findBroker(rules, url.hostname, request.socket instanceof TLSSocket);
      const way = broker && ways.get(broker);
      if (way !== undefined) return void askBroker(way, url, request, response).catch(() => response.destroy());
      const port = Number(url.port === '' ? 80 : url.port);
      if (!mayReach(rules, url.hostname, port) || isPrivateNumber(url.hostname))
        return refuse(response, 403, 'This host is not open to the run.');
      return forwardRequest(request, response, { target: url, budget: tunnels, lookup });
    },
  );
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const { host, port } = splitAuthority(request.url ?? '');
    if (findBroker(rules, host) !== undefined && port === 80) return serveInTunnel(server, client as Socket, head);
    const secured = findBroker(rules, host, true);
    if (secured !== undefined && authority !== undefined && tlsPortOf(secured) === port)
      return serveInTls(server, client as Socket, head, authority.contextFor(host.toLowerCase()));
    if (!mayReach(rules, host, port) || isPrivateNumber(host))
      return void client.end(
        'HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nThis host is not open to the run.\n',
      );
    return openTunnel({ client: client as Socket, head, host, port, lookup, budget: tunnels });
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) =>
    socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\n\r\n'),
  );
  server.on('clientError', (_error: Error, socket: Duplex) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));

  return {
    environment: authority ? ROOTS_ENVIRONMENT : {},
    async own(uid) {
      await chmod(path, 0o600);
      if (uid !== undefined) await chown(path, uid, uid);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The way to one host that a run reaches with a credential it never sees. */
interface BrokerWay {
  readonly rule: BrokerRule;
  readonly secrets: ReturnType<typeof secretsOf>;
  readonly fill: readonly PlacedSecret[] | undefined;
  readonly budget: Budget;
  readonly lookup: LookupFunction;
}

async function askBroker(
  { rule: broker, secrets, fill, budget, lookup }: BrokerWay,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { methods } = broker;
  const query = isQueryPath(broker, url.pathname);
  if (methods !== undefined && !methods.includes(request.method ?? ''))
    return refuse(response, 403, `Only ${methods.join(', ')} requests to this host are open to the run.`);
  // The query must be in the body: some servers give precedence to one in the URL.
  if (
    methods !== undefined
      ? !isPortOf(broker, url)
      : query
        ? request.method !== 'POST' || url.search !== '' || broker.queries?.includes(url.pathname) !== true
        : !mayAsk(broker, request.method ?? '', url.pathname)
  )
    return refuse(response, 403, 'This path is not open to the run.');
  if (
    !query &&
    (methods === undefined ? bindsMethods(broker) : !methods.includes('POST')) &&
    mayMeanAnotherMethod(url.searchParams, request.headers['content-type'])
  )
    return refuse(response, 403, 'This request could be interpreted as a different method.');
  if (methods === undefined && isPush(request.method ?? '', url.pathname) && !(await mayPush(broker, request)))
    return refuse(response, 403, 'Only the branch of this run can be pushed.');
  const target = joinTarget(broker.target, url);
  if (broker.publicOnly === true && isPrivateHost(target.hostname))
    return refuse(response, 403, 'This host is not open to the run.');
  const body = query ? await readQuery(request) : undefined;
  if (query && body === undefined) return refuse(response, 403, 'Only queries that read are open to the run.');
  return forwardRequest(request, response, {
    target,
    broker: { headers: broker.headers, secrets, fill },
    budget,
    ...(broker.publicOnly === true ? { lookup } : {}),
    ...(body === undefined ? {} : { body }),
  });
}

/** Some clients request a tunnel even for plain HTTP; requests inside it are judged like any other. */
function serveInTunnel(server: Server, client: Socket, head: Buffer): void {
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  server.emit('connection', client);
}

/** A client that asks for https: it trusts the sandbox's own authority, and its requests are judged like any other. */
function serveInTls(server: Server, client: Socket, head: Buffer, secureContext: SecureContext): void {
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  const secured = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
  secured.on('error', () => secured.destroy());
  server.emit('connection', secured);
}

/** In plain HTTP a host is asked for at its own port or none; it is reached as its target says all the same. */
function isPortOf(broker: BrokerRule, { port }: URL): boolean {
  return port === '' || Number(port) === tlsPortOf(broker);
}

/** Reads the commands of a push and puts them back, before the host is asked. */
async function mayPush({ pushes }: BrokerRule, request: IncomingMessage): Promise<boolean> {
  const { 'content-encoding': encoding, 'content-type': type } = request.headers;
  if (pushes === undefined || encoding !== undefined || type !== 'application/x-git-receive-pack-request') return false;
  let head = Buffer.alloc(0);
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    head = Buffer.concat([head, chunk]);
    const verdict = judgePush(head, pushes);
    if (verdict === 'refused' || (verdict === 'more' && head.length > MAX_PUSH_HEAD_BYTES)) return false;
    if (verdict === 'more') continue;
    request.unshift(head);
    return true;
  }
  return false;
}

/** The body of a GraphQL request that only reads; undefined for any other. */
async function readQuery(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_QUERY_BYTES) return undefined;
    chunks.push(chunk);
  }
  const query = readOnlyQuery(Buffer.concat(chunks).toString('utf8'));
  return query === undefined ? undefined : Buffer.from(query);
}

/** The absolute form of a proxy request, or the plain form with a Host header, as clients of a socket send it. */
function readTarget({ url = '', headers }: IncomingMessage): URL | undefined {
  const text = /^http:\/\//i.test(url)
    ? url
    : url.startsWith('/') && headers.host !== undefined
      ? `http://${headers.host}${url}`
      : '';
  if (!URL.canParse(text)) return undefined;
  const parsed = new URL(text);
  // The rules judge the path as written: one that the parser would normalise is refused.
  const written = /^http:\/\/[^/?#]*([^?#]*)/i.exec(text)?.[1] ?? '';
  if (written !== '' && written !== parsed.pathname) return undefined;
  return parsed.username === '' && parsed.password === '' ? parsed : undefined;
}

function joinTarget(target: string, { pathname, search }: URL): URL {
  return new URL(`${target.replace(/\/+$/, '')}${pathname}${search}`);
}

function splitAuthority(text: string): { host: string; port: number } {
  const [, host = '', port = '0'] = /^\[?([^\]/@]*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  return { host, port: Number(port) };
}

/** A numeric host is never looked up, so it is judged here. */
function isPrivateNumber(host: string): boolean {
  return /^[\d.]+$|:/.test(host.replace(/^\[|\]$/g, '')) && isPrivateHost(host);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
}
