// Carries one request to its upstream and the answer back, as it comes: nothing is collected, a slow side slows the
// other, and an end on one side is an end on the other. An answer that breaks off never looks complete.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import type { Log } from '../base/log.ts';
import { reportFailure } from '../base/report-failure.ts';
import type { Admitted } from './admit-request.ts';
import { isPaced, type Pacer, weightOf } from './pace-answers.ts';
import { refuse } from './refusals.ts';
import { findRelocation, type Relocation } from './relocate-dashboard.ts';
import { responseHeaders } from './response-headers.ts';
import { streamRequestBody } from './stream-request-body.ts';
import type { UpstreamConnections } from './upstream-connections.ts';
import type { AnswerWatch } from './watch-answer.ts';

export interface EventStream {
  /** Whether anything came since this was last set to false. */
  busy: boolean;
  end(): void;
}

export interface ProxyContext {
  readonly log: Log;
  /** Event streams that are open now: they alone have no end of their own. */
  readonly eventStreams: Set<EventStream>;
  readonly pace: Pacer;
  /** How long an answer waits that is not given after all. */
  readonly mostWaitMs: number;
}

const MAX_JOINED_BYTES = 16 * 1024;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface Proxied {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly expectsContinue: boolean;
  readonly watch?: AnswerWatch | undefined;
}

export function proxyRequest(
  context: ProxyContext,
  connections: UpstreamConnections,
  admitted: Admitted,
  { req, res, expectsContinue, watch }: Proxied,
): void {
  const { requestId, service } = admitted;
  let connection: Client;
  let controller: Dispatcher.DispatchController | undefined;
  let clientGone = false;
  let answering = false;
  let held: Buffer | undefined;
  let flushed = false;
  let waitsForDrain = false;
  let mayRetry = !admitted.hasBody && SAFE_METHODS.has(req.method ?? '');
  let stream: EventStream | undefined;
  let turn: NodeJS.Timeout | undefined;
  let ended = false;
  let unanswered = false;
  let relocation: Relocation | undefined;

  // What comes with the head in one packet leaves with it in one packet; a head that comes alone leaves alone.
  const flush = (): void => {
    flushed = true;
    if (res.writableEnded || res.destroyed) return;
    if (held === undefined) return res.flushHeaders();
    write(held);
    held = undefined;
  };
  /** A small answer waits here for its turn, not on the upstream's connection. */
  const keep = (chunk: Buffer): void => {
    held = held === undefined ? chunk : Buffer.concat([held, chunk]);
    if (held.length > MAX_JOINED_BYTES) takeTurn();
  };
  const takeTurn = (): void => {
    clearTimeout(turn);
    turn = undefined;
    if (ended) end();
    else flush();
  };
  // Node joins a head and a text into one write, but not a head and bytes.
  const end = (): void => {
    if (flushed || held === undefined) res.end();
    else if (held.length <= MAX_JOINED_BYTES) res.end(held.toString('latin1'), 'latin1');
    else res.end(held);
  };
  const write = (chunk: Buffer): void => {
    if (res.write(chunk)) return;
    controller?.pause();
    if (waitsForDrain) return;
    waitsForDrain = true;
    res.on('drain', () => controller?.resume());
  };

  const deliver = (chunk: Buffer): void => {
    if (unanswered || chunk.length === 0) return;
    if (turn !== undefined) keep(chunk);
    else if (flushed) write(chunk);
    else if (held === undefined) held = chunk;
    else {
      flush();
      write(chunk);
    }
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (clientGone) started.abort(new Error('the client went away'));
      else if (expectsContinue && !answering) res.writeContinue();
    },
    onResponseStart(_controller, status, headers, statusText) {
      if (status < 200) return;
      if (service.dashboardAt !== undefined)
        relocation = findRelocation(
          { service, method: req.method, path: admitted.path.slice(admitted.address.basePath.length) },
          status,
          headers,
        );
      res.writeHead(status, statusText, responseHeaders(relocation?.headers ?? headers, requestId, service));
      answering = true;
      watch?.begun();
      const waitMs = isPaced(status, admitted.path)
        ? context.pace(admitted.from, performance.now(), weightOf(admitted, req.complete))
        : 0;
      if (waitMs === undefined) {
        // Kept waiting rather than cut at once: whoever is cut comes again at once.
        unanswered = true;
        turn = setTimeout(() => cut(res), context.mostWaitMs);
      } else if (waitMs > 0) turn = setTimeout(takeTurn, waitMs);
      else process.nextTick(flush);
      if (isEventStream(headers['content-type'])) {
        stream = { busy: true, end: () => (res.end(), controller?.abort(new Error('the gateway stops'))) };
        context.eventStreams.add(stream);
      }
    },
    onResponseData(_controller, chunk) {
      if (stream) stream.busy = true;
      deliver(relocation === undefined ? chunk : relocation.write(chunk));
    },
    onResponseEnd() {
      connections.give(connection);
      if (relocation !== undefined) deliver(relocation.end());
      ended = true;
      if (turn === undefined) end();
    },
    onResponseError(_controller, error) {
      connections.drop(connection);
      if (clientGone) return;
      if (answering) {
        if (!res.writableEnded) cut(res);
      } else if (mayRetry && isStaleConnection(error)) {
        mayRetry = false;
        send(connections.takeNew());
      } else {
        const late = codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';
        reportFailure(
          context.log,
          error,
          { reason: late ? 'upstream sent no headers in time' : 'upstream failed' },
          { requestId, method: req.method ?? 'GET', route: service.prefix },
        );
        refuse(res, late ? 'gateway_timeout' : 'bad_gateway', requestId);
      }
    },
  };

  res.on('error', () => {});
  res.on('close', () => {
    clearTimeout(turn);
    if (stream) context.eventStreams.delete(stream);
    if (res.writableFinished) return;
    clientGone = true;
    controller?.abort(new Error('the client went away'));
  });

  if (admitted.contentLength !== undefined) admitted.headers.push('content-length', admitted.contentLength);
  const options: Dispatcher.DispatchOptions = {
    method: req.method ?? 'GET',
    path: admitted.path,
    headers: admitted.headers,
    body: null,
  };
  const send = (client: Client): void => {
    connection = client;
    client.dispatch(options, handler);
  };
  if (!admitted.hasBody) return send(connections.take());
  // By the next tick the packet that brought the head has been read, often with the whole body in it. The parser says
  // that a request is complete only later, so the announced length is what tells.
  process.nextTick(() => {
    options.body = req.readableLength === announced(admitted) ? (req.read() as Buffer | null) : streamRequestBody(req);
    send(connections.take());
  });
}

function announced({ contentLength }: Admitted): number | undefined {
  return contentLength === undefined ? undefined : Number(contentLength);
}

/** A body that ends with its connection (HTTP/1.0) would look whole after an orderly close. */
function cut(res: ServerResponse): void {
  if (res.req.httpVersionMinor === 0) res.req.socket?.resetAndDestroy();
  else res.destroy();
}

/** The upstream closed a connection that had served before, without a byte of an answer to this request. */
function isStaleConnection(error: Error & { socket?: { bytesRead?: number } }): boolean {
  const code = codeOf(error);
  return code === 'UND_ERR_SOCKET' ? (error.socket?.bytesRead ?? 0) > 0 : code === 'ECONNRESET' || code === 'EPIPE';
}

function isEventStream(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.startsWith('text/event-stream');
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
