// Forwards one request to its upstream and the response back, streaming: nothing is buffered, a slow side slows the
// other, and an end on one side is an end on the other. A truncated response never looks complete.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Client, Dispatcher } from 'undici';
import type { Log } from '../telemetry/log.ts';
import { reportFailure } from '../telemetry/report-failure.ts';
import type { Admitted } from './admit-request.ts';
import { cut, PacedAnswer } from './paced-answer.ts';
import { isPaced, type Pacer, weightOf } from './pace-answers.ts';
import { refuse } from './refusals.ts';
import { findRelocation, type Relocation } from './relocate-dashboard.ts';
import { responseHeaders } from './response-headers.ts';
import type { Service } from './service-graph.ts';
import { streamRequestBody } from './stream-request-body.ts';
import type { UpstreamConnections } from './upstream-connections.ts';
import type { AnswerWatch } from './watch-answer.ts';

export interface EventStream {
  /** Whether anything arrived since this was last set to false. */
  busy: boolean;
  /** An answer ends on its own; other streams are open as long as their client is. */
  readonly isAnswer: boolean;
  end(): void;
}

export interface ProxyContext {
  readonly log: Log;
  /** Open event streams. */
  readonly eventStreams: Set<EventStream>;
  /** How long to wait for response headers, where that is not the usual time. */
  readonly waitMs: Readonly<Record<NonNullable<Service['waitsFor']>, number>>;
  readonly pace: Pacer;
  /** How long a response waits that is not sent in the end. */
  readonly mostWaitMs: number;
}

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
  proxied: Proxied,
): void {
  const { req, res } = proxied;
  const exchange = new Exchange(context, connections, admitted, proxied);
  res.on('error', () => {});
  res.on('close', () => exchange.clientClosed());
  if (!admitted.hasBody) return exchange.send(connections.take(), null);
  // By the next tick the packet with the head has been read, often with the whole body. The parser reports a complete
  // request only later, so the announced length is used.
  process.nextTick(() =>
    exchange.send(
      connections.take(),
      req.readableLength === announced(admitted) ? (req.read() as Buffer | null) : streamRequestBody(req),
    ),
  );
}

/** One request and its response: the handler that undici calls, and what ends it from either side. */
class Exchange implements Dispatcher.DispatchHandler {
  controller: Dispatcher.DispatchController | undefined;
  readonly #context: ProxyContext;
  readonly #connections: UpstreamConnections;
  readonly #admitted: Admitted;
  readonly #proxied: Proxied;
  readonly #answer: PacedAnswer;
  #connection: Client | undefined;
  /** From this client's connection, before this request's body. */
  readonly #readBefore: number;
  #mayRetry: boolean;
  #clientGone = false;
  #answering = false;
  #stream: EventStream | undefined;
  #relocation: Relocation | undefined;

  constructor(context: ProxyContext, connections: UpstreamConnections, admitted: Admitted, proxied: Proxied) {
    this.#context = context;
    this.#connections = connections;
    this.#admitted = admitted;
    this.#proxied = proxied;
    this.#answer = new PacedAnswer(proxied.res, this);
    this.#readBefore = proxied.req.socket.bytesRead;
    this.#mayRetry = !admitted.hasBody && SAFE_METHODS.has(proxied.req.method ?? '');
    if (admitted.contentLength !== undefined) admitted.headers.push('content-length', admitted.contentLength);
  }

  send(client: Client, body: Buffer | Readable | null): void {
    const { path, headers, service } = this.#admitted;
    const headersTimeout = service.waitsFor === undefined ? null : this.#context.waitMs[service.waitsFor];
    this.#connection = client;
    client.dispatch({ method: this.#proxied.req.method ?? 'GET', path, headers, body, headersTimeout }, this);
  }

  clientClosed(): void {
    this.#answer.stop();
    if (this.#stream) this.#context.eventStreams.delete(this.#stream);
    if (this.#proxied.res.writableFinished) return;
    this.#clientGone = true;
    this.controller?.abort(new Error('the client disconnected'));
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.controller = started;
    if (this.#clientGone) started.abort(new Error('the client disconnected'));
    else if (this.#proxied.expectsContinue && !this.#answering) this.#proxied.res.writeContinue();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    if (status < 200) return;
    const { req, res, watch } = this.#proxied;
    const { requestId, service, path, address, from } = this.#admitted;
    if (service.dashboardAt !== undefined)
      this.#relocation = findRelocation(
        { service, method: req.method, path: path.slice(address.basePath.length) },
        status,
        headers,
      );
    res.writeHead(status, statusText, responseHeaders(this.#relocation?.headers ?? headers, requestId, service));
    this.#answering = true;
    watch?.begun();
    const { pace, mostWaitMs, eventStreams } = this.#context;
    const waitMs = isPaced(status, path) ? this.#payFor(from, pace) : 0;
    this.#answer.begin(waitMs, mostWaitMs);
    if (!isEventStream(headers['content-type'])) return;
    this.#stream = {
      busy: true,
      isAnswer: service.waitsFor !== undefined,
      end: () => (res.end(), this.controller?.abort(new Error('the gateway is stopping'))),
    };
    eventStreams.add(this.#stream);
  }

  /** What was received in vain counts now; what is still received of it, once that has ended. */
  #payFor(from: string, pace: Pacer): number | undefined {
    const { req } = this.#proxied;
    const received = req.socket.bytesRead - this.#readBefore;
    if (!req.complete)
      req.once('close', () => {
        const rest = weightOf(req.socket.bytesRead - this.#readBefore - received);
        if (rest > 0) pace(from, performance.now(), rest);
      });
    return pace(from, performance.now(), 1 + weightOf(received));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream) this.#stream.busy = true;
    this.#answer.deliver(this.#relocation === undefined ? chunk : this.#relocation.write(chunk));
  }

  onResponseEnd(): void {
    if (this.#connection) this.#connections.give(this.#connection);
    if (this.#relocation !== undefined) this.#answer.deliver(this.#relocation.end());
    this.#answer.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { req, res } = this.#proxied;
    if (this.#connection) this.#connections.drop(this.#connection);
    if (this.#clientGone) return;
    if (this.#answering) {
      if (!res.writableEnded) cut(res);
    } else if (this.#mayRetry && isStaleConnection(error)) {
      this.#mayRetry = false;
      this.send(this.#connections.takeNew(), null);
    } else {
      const { requestId, service } = this.#admitted;
      const late = codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';
      if (isAbsent(error) && !this.#connections.hasAnswered()) {
        // A part that is still starting: each probe until then would be a line with a stack.
        if (this.#connections.isFirstAbsence())
          this.#context.log.warn({ route: service.prefix, code: codeOf(error) }, 'upstream does not listen yet');
        return refuse(res, 'bad_gateway', requestId);
      }
      reportFailure(
        this.#context.log,
        error,
        { reason: late ? 'upstream sent no headers in time' : 'upstream failed' },
        { requestId, method: req.method ?? 'GET', route: service.prefix },
      );
      refuse(res, late ? 'gateway_timeout' : 'bad_gateway', requestId);
    }
  }
}

function announced({ contentLength }: Admitted): number | undefined {
  return contentLength === undefined ? undefined : Number(contentLength);
}

/** The upstream closed a reused connection without sending a byte of a response to this request. */
function isStaleConnection(error: Error & { socket?: { bytesRead?: number } }): boolean {
  const code = codeOf(error);
  return code === 'UND_ERR_SOCKET' ? (error.socket?.bytesRead ?? 0) > 0 : code === 'ECONNRESET' || code === 'EPIPE';
}

/** Nothing listens at the address, or at the socket. */
function isAbsent(error: Error): boolean {
  return ['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '');
}

function isEventStream(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.startsWith('text/event-stream');
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
