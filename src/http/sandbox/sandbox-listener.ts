// The sandbox controller's HTTP interdeps.
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { readAuthorization } from '../../net/authorization.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ProcessMeter } from '../../telemetry/metrics/create-meter.ts';
import { createHttpMeter } from '../../telemetry/metrics/http-meter.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { buildInfo } from '../../process/build-info.ts';
import type { SandboxController } from '../../sandbox/controller.ts';
import type { ExecLog } from '../../sandbox/exec-log.ts';
import {
  createBody,
  execBody,
  type Health,
  killBody,
  MAX_FILE_BYTES,
  MAX_REQUEST_BYTES,
  renewBody,
  snapshotBody,
} from '../../sandbox/protocol.ts';
import { sendMetrics } from '../shell/metrics-route.ts';
import { readIncoming } from '../shell/read-body.ts';
import { serveScoped } from '../shell/serve-scoped.ts';
import { validate } from '../shell/validate.ts';
import { writeError } from '../shell/write-error.ts';

export interface SandboxListenerDeps {
  /** Absent if no driver is safe: every run is then refused with the reason. */
  readonly controller?: SandboxController;
  readonly health: () => Health;
  readonly token: string | undefined;
  readonly log: Log;
  readonly meter?: ProcessMeter;
}

interface Call {
  readonly controller: SandboxController;
  readonly id: string;
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const PAGE = 1_000;

const ROUTES: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  'POST ': async ({ controller, request, response }) =>
    sendJson(response, 201, await controller.create(await readJson(request, createBody))),
  'POST exec': async ({ controller, id, request, response }) =>
    sendEvents(response, await controller.exec(id, await readJson(request, execBody)), -1),
  'GET exec': async ({ controller, id, rest, query, response }) =>
    sendEvents(response, controller.attach(id, rest), wholeNumber(query, 'after', -1)),
  'GET files': async ({ controller, id, query, response }) => {
    const files = controller.files(id);
    const path = query.get('path') ?? '';
    const found = await files.find(path);
    if (found === undefined) throw new AppError('not_found');
    if (found.type === 'directory')
      return sendJson(
        response,
        200,
        await files.list(path, {
          after: query.get('after') ?? undefined,
          limit: Math.min(PAGE, wholeNumber(query, 'limit', PAGE)),
        }),
      );
    const bytes = await files.read(path, Math.min(MAX_FILE_BYTES, wholeNumber(query, 'maxBytes', MAX_FILE_BYTES)));
    response
      .writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.length),
        'cache-control': 'no-store',
      })
      .end(bytes);
  },
  'PUT files': async ({ controller, id, query, request, response }) => {
    const files = controller.files(id);
    await files.write(query.get('path') ?? '', await readIncoming(request, MAX_FILE_BYTES, { rest: 'cut' }));
    response.writeHead(204).end();
  },
  'POST snapshot': async ({ controller, id, request, response }) => {
    const { full } = await readJson(request, snapshotBody);
    response.setHeader('content-type', 'application/x-tar').setHeader('cache-control', 'no-store');
    await controller.saveSnapshot(id, response, { full, signal: leaving(response) });
    response.end();
  },
  'PUT snapshot': async ({ controller, id, query, request, response }) => {
    await controller.restoreSnapshot(id, request, { last: query.get('last') === 'true', signal: leaving(response) });
    response.writeHead(204).end();
  },
  'POST kill': async ({ controller, id, request, response }) => {
    await controller.kill(id, (await readJson(request, killBody)).exec);
    response.writeHead(204).end();
  },
  'POST renew': async ({ controller, id, request, response }) =>
    sendJson(response, 200, controller.renew(id, (await readJson(request, renewBody)).ttlMs)),
  'DELETE ': async ({ controller, id, response }) => {
    await controller.destroy(id);
    response.writeHead(204).end();
  },
};

export function sandboxListener(deps: SandboxListenerDeps): RequestListener {
  return serveScoped(
    (request, response) => {
      answer(deps, request, response).catch((error: unknown) => {
        reportFailure(deps.log, error);
        // The rest of a refused body is not read.
        if (!request.complete && !response.headersSent) response.setHeader('connection', 'close');
        writeError(response, error);
      });
    },
    { meter: deps.meter && createHttpMeter(deps.meter) },
  );
}

async function answer(deps: SandboxListenerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(`http://sandbox${request.url ?? '/'}`);
  if (url.pathname === '/healthz') {
    noteRequest({ route: '/healthz' });
    const health = deps.health();
    return sendJson(response, health.ok ? 200 : 503, { ...health, ...buildInfo() });
  }
  if (url.pathname === '/metrics' && request.method === 'GET' && deps.meter) {
    noteRequest({ route: '/metrics' });
    return sendMetrics(deps.meter, response);
  }
  authorizeCaller(request.headers, deps.token);
  const [, id = '', verb = '', rest = ''] =
    /^\/v1\/sandboxes(?:\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?)?$/.exec(url.pathname) ?? [];
  const isCollection = url.pathname === '/v1/sandboxes';
  const route = ROUTES[`${request.method ?? ''} ${verb}`];
  if (
    route === undefined ||
    isCollection !== (request.method === 'POST' && verb === '') ||
    (!isCollection && id === '')
  )
    throw new AppError('not_found');
  noteRequest({
    route: isCollection
      ? '/v1/sandboxes'
      : `/v1/sandboxes/:id${verb === '' ? '' : `/${verb}`}${rest === '' ? '' : '/:exec'}`,
  });
  if (deps.controller === undefined) {
    const health = deps.health();
    throw new AppError('sandbox_unavailable', health.ok ? {} : { reason: health.reason, fix: health.fix });
  }
  return route({ controller: deps.controller, id, rest, query: url.searchParams, request, response });
}

/**
 * Anyone with the token. If no token is configured, anyone who can open the socket, which is the controller's own user,
 * except for requests that a proxy forwarded.
 */
function authorizeCaller(headers: IncomingHttpHeaders, token: string | undefined): void {
  if (token === undefined) {
    if (
      headers['x-forwarded-for'] !== undefined ||
      headers['x-forwarded-host'] !== undefined ||
      headers.forwarded !== undefined
    )
      throw new AppError('unauthenticated');
    return;
  }
  const given = readAuthorization(headers);
  if (given.kind !== 'bearer' || !timingSafeEqual(digest(given.token), digest(token)))
    throw new AppError('unauthenticated');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const bytes = await readIncoming(request, MAX_REQUEST_BYTES, { rest: 'cut' });
  let value: unknown;
  try {
    value = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  return validate(schema, value);
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^-?\d{1,15}$/.test(text)) throw new AppError('invalid_request', { [name]: 'must be a whole number' });
  return Number(text);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/** The log of a command as lines of JSON. A caller that does not read delays only itself: the log is kept separately. */
async function sendEvents(response: ServerResponse, log: ExecLog, after: number): Promise<void> {
  const gone = leaving(response);
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  for await (const event of log.follow(after, gone)) {
    if (!response.write(`${JSON.stringify(event)}\n`)) await once(response, 'drain', { signal: gone }).catch(() => {});
  }
  response.end();
}

/** Aborted when the caller is gone, or has its answer. */
function leaving(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}
