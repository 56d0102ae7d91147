// The service on a real socket with canned answers, for unit tests of its clients. Requests and answers of routes in the
// typed contract are validated against it, so that a test cannot drift away from the wire.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ZodType } from 'zod';
import { connectContract, runtimeContract, webContract } from '../../../src/contract/contract.ts';

export interface CannedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly bearer: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

interface CannedAnswer {
  readonly status: number;
  readonly type: string;
  readonly content: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `'GET /api/me'` to a JSON value, or to a function of the request. */
export type CannedRoutes = Record<string, object | ((request: CannedRequest) => CannedAnswer)>;

export interface CannedService {
  readonly url: string;
  readonly requests: readonly CannedRequest[];
  /** Replaces the routes and forgets the requests. */
  serve(routes: CannedRoutes): void;
  /** Throws if a request or an answer did not match the contract. */
  check(): void;
  close(): Promise<void>;
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): CannedAnswer => ({
  status,
  type: 'application/json',
  content: JSON.stringify(body),
  headers,
});
export const refuse =
  (status: number, error: string, message = 'Refused.') =>
  (): CannedAnswer =>
    json({ ok: false, error, message }, status);
export const content = (type: string, body: string) => (): CannedAnswer => ({ status: 200, type, content: body });
export const events = (...data: readonly unknown[]): (() => CannedAnswer) =>
  content(
    'text/event-stream',
    data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
  );

interface ContractRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly detailed: boolean;
  readonly input: ZodType | undefined;
  readonly output: ZodType | undefined;
}

const ROUTES: readonly ContractRoute[] = [
  ...findRoutes(webContract, ''),
  ...findRoutes(runtimeContract, '/runtime'),
  ...findRoutes(connectContract, ''),
];

function findRoutes(router: object, prefix: string): ContractRoute[] {
  if (!('~orpc' in router))
    return Object.values(router as Record<string, object>).flatMap((child) => findRoutes(child, prefix));
  const { route, inputSchema, outputSchema } = router['~orpc'] as {
    route: { method: string; path: string; inputStructure?: string };
    inputSchema?: ZodType;
    outputSchema?: ZodType;
  };
  return [
    {
      method: route.method,
      pattern: new RegExp(`^${prefix}${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      detailed: route.inputStructure === 'detailed',
      input: inputSchema,
      output: outputSchema,
    },
  ];
}

export async function startCannedService(): Promise<CannedService> {
  let routes: CannedRoutes = {};
  let requests: CannedRequest[] = [];
  let faults: string[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    requests.push(request);
    const canned = routes[`${request.method} ${request.path}`] ?? refuse(404, 'not_found');
    const reply = typeof canned === 'function' ? canned(request) : json(canned);
    faults.push(...findFaults(request, reply));
    response.writeHead(reply.status, { 'content-type': reply.type, ...reply.headers }).end(reply.content);
  }

  const server = createServer((incoming, response) => void answer(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    serve(next) {
      [routes, requests, faults] = [next, [], []];
    },
    check() {
      if (faults.length > 0) throw new Error(`does not match the contract:\n${faults.join('\n')}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<CannedRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://service.test');
  const body = await text(incoming);
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(pathname),
    query: Object.fromEntries(searchParams),
    bearer: incoming.headers.authorization?.replace(/^Bearer /, ''),
    headers: incoming.headers,
    body: body === '' ? undefined : isForm(incoming) ? body : (JSON.parse(body) as unknown),
  };
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true;

function findFaults(request: CannedRequest, reply: CannedAnswer): string[] {
  const route = ROUTES.find(({ method, pattern }) => method === request.method && pattern.test(request.path));
  if (!route) return [];
  const params = { ...route.pattern.exec(request.path)?.groups };
  const body = request.body ?? {};
  const input = route.detailed
    ? { params, query: request.query, ...(request.body === undefined ? {} : { body }) }
    : { ...params, ...(request.method === 'GET' ? request.query : body) };
  const sent = route.input?.safeParse(input);
  const isJson = reply.status < 300 && reply.type === 'application/json';
  const answered = isJson ? route.output?.safeParse(JSON.parse(reply.content)) : undefined;
  return [
    ...(sent?.success === false ? [`${request.method} ${request.path} was sent: ${sent.error.message}`] : []),
    ...(answered?.success === false
      ? [`${request.method} ${request.path} was answered: ${answered.error.message}`]
      : []),
  ];
}
