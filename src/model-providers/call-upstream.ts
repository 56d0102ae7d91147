// One POST to a model provider on undici's dispatch: no web streams, no buffering, back-pressure by pausing. The
// headers contain the credential; nothing here logs them, and no error repeats them.
import { Agent, type Dispatcher } from 'undici';
import { connectPublicly } from '../net/connect-publicly.ts';

export interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Headers that are made when the request is sent, because they expire. Throws UpstreamRefusal if it would be refused. */
  readonly authorize?: (dispatcher: Dispatcher) => Promise<Readonly<Record<string, string>>>;
  /** Makes server-sent events of a stream in another framing, known by its content type. Throws if it is damaged. */
  readonly reframe?: (contentType: string) => Reframe | undefined;
}

type Reframe = (chunk: Buffer) => Buffer;

/** What the request would have been refused with, had it been sent. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal';
  readonly status: number;

  constructor(status: number) {
    super(`the credential was refused with ${status}`);
    this.status = status;
  }
}

export interface UpstreamLimits {
  /** Until the status line, and between two chunks of the body. */
  readonly silenceMs: number;
  /** For the whole call. */
  readonly totalMs: number;
}

/** By how the client gets the answer. */
export type AnswerKind = 'streamed' | 'whole';

const LONGEST_CALL_MS = 30 * 60_000;
/** Official clients wait ten minutes for a whole answer, and ask again: they are to hear the refusal before that. */
const WHOLE_SHARE = 0.99;

/** A client hears nothing of a whole answer until it is complete, so all of it is silence. */
export function upstreamLimits(silenceSeconds: number): Readonly<Record<AnswerKind, UpstreamLimits>> {
  const silenceMs = silenceSeconds * 1_000;
  return {
    streamed: { silenceMs, totalMs: LONGEST_CALL_MS },
    whole: { silenceMs, totalMs: silenceMs * WHOLE_SHARE },
  };
}

/** `aborted`: the client has left. `stopped`: this process is stopping. */
export type UpstreamFault = 'unreachable' | 'timeout' | 'aborted' | 'stopped' | 'broken';

export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface UpstreamHandler {
  onHead(status: number, headers: UpstreamHeaders): void;
  /** Everything one read of the connection returned, as one chunk. False asks for a pause until `resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  /** Exactly one of onEnd and onFault is called. */
  onFault(fault: UpstreamFault): void;
}

export interface UpstreamCall {
  resume(): void;
  abort(why: Extract<UpstreamFault, 'aborted' | 'stopped'>): void;
}

/** The calls in progress, so that a process that stops can end them. */
export interface OpenCalls {
  add(call: UpstreamCall): void;
  delete(call: UpstreamCall): void;
  stop(): void;
}

export function createOpenCalls(): OpenCalls {
  const calls = new Set<UpstreamCall>();
  return {
    add: (call) => void calls.add(call),
    delete: (call) => void calls.delete(call),
    stop() {
      for (const call of calls) call.abort('stopped');
    },
  };
}

export function callUpstream(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  limits: UpstreamLimits,
  handler: UpstreamHandler,
): UpstreamCall {
  const { authorize, reframe } = request;
  const send = (sent: UpstreamRequest): UpstreamCall => {
    if (!reframe) return sendRequest(dispatcher, sent, limits, handler);
    const call = sendRequest(
      dispatcher,
      sent,
      limits,
      reframing(handler, reframe, () => call.abort('stopped')),
    );
    return call;
  };
  if (!authorize) return send(request);

  let call: UpstreamCall | undefined;
  let fault: UpstreamFault | undefined;
  authorize(dispatcher).then(
    (headers) =>
      fault === undefined ? (call = send({ ...request, headers: { ...request.headers, ...headers } })) : undefined,
    (error: unknown) => {
      if (fault !== undefined) return;
      if (!(error instanceof UpstreamRefusal)) return handler.onFault(faultOf(error));
      handler.onHead(error.status, {});
      handler.onEnd();
    },
  );
  return {
    resume: () => call?.resume(),
    abort(why) {
      if (call) return call.abort(why);
      if (fault !== undefined) return;
      fault = why;
      handler.onFault(why);
    },
  };
}

/** A damaged stream ends the call, as one that was cut off. */
function reframing(
  handler: UpstreamHandler,
  choose: NonNullable<UpstreamRequest['reframe']>,
  end: () => void,
): UpstreamHandler {
  let reframe: Reframe | undefined;
  let damaged = false;
  return {
    onHead(status, headers) {
      reframe = choose(String(headers['content-type']));
      handler.onHead(status, headers);
    },
    onData(chunk) {
      if (!reframe) return handler.onData(chunk);
      if (damaged) return true;
      try {
        const data = reframe(chunk);
        return data.length === 0 || handler.onData(data);
      } catch {
        damaged = true;
        end();
        return true;
      }
    },
    onEnd: () => (damaged ? handler.onFault('broken') : handler.onEnd()),
    onFault: (fault) => handler.onFault(damaged ? 'broken' : fault),
  };
}

function sendRequest(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  limits: UpstreamLimits,
  handler: UpstreamHandler,
): UpstreamCall {
  const url = new URL(request.url);
  let controller: Dispatcher.DispatchController | undefined;
  let fault: UpstreamFault | undefined;
  let done = false;
  /** A provider writes one event at a time and several arrive together; handling them as one chunk is cheaper. */
  let arrived: Buffer[] = [];
  /** The connection takes one more read to pause; what that returns is kept back. */
  let paused = false;

  const passOn = (): void => {
    const [first] = arrived;
    if (!first || paused) return;
    const all = arrived.length === 1 ? first : Buffer.concat(arrived);
    arrived = [];
    if (handler.onData(all)) return;
    paused = true;
    controller?.pause();
  };
  const resume = (): void => {
    if (!paused) return;
    paused = false;
    passOn();
    if (!paused) controller?.resume();
  };
  const stop = (why: UpstreamFault): void => {
    if (done) return;
    fault ??= why;
    controller?.abort(new Error(why));
  };
  const timer = setTimeout(() => stop('timeout'), limits.totalMs);
  const finish = (tell: () => void): void => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    paused = false;
    passOn();
    tell();
  };

  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      headersTimeout: limits.silenceMs,
      bodyTimeout: limits.silenceMs,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (fault) started.abort(new Error(fault));
      },
      onResponseStart(_controller, status, headers) {
        handler.onHead(status, headers);
      },
      onResponseData(_controller, chunk) {
        if (arrived.push(chunk) === 1) process.nextTick(passOn);
      },
      onResponseEnd() {
        finish(() => handler.onEnd());
      },
      onResponseError(_controller, error) {
        finish(() => handler.onFault(fault ?? faultOf(error)));
      },
    },
  );
  return { resume, abort: stop };
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

function faultOf(error: unknown): UpstreamFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNREACHABLE.has(code)) return 'unreachable';
  return TIMEOUT.has(code) ? 'timeout' : 'broken';
}

/** Connections to providers, and to accounts with a user-supplied URL, which must not reach the private network. */
export interface Dispatchers {
  readonly providers: Dispatcher;
  readonly accounts: Dispatcher;
  close(): Promise<void>;
}

/** Their number has no limit here: a call that waits for a model holds one, and admission has counted it already. */
const CONNECTIONS = { keepAliveTimeout: 30_000 };
const CONNECT = { timeout: 10_000 };

export function createDispatchers(options: { readonly allowPrivateUrls: boolean }): Dispatchers {
  const providers = new Agent({ ...CONNECTIONS, connect: CONNECT });
  const accounts = new Agent({
    ...CONNECTIONS,
    connect: options.allowPrivateUrls ? CONNECT : connectPublicly(CONNECT),
  });
  return {
    providers,
    accounts,
    async close() {
      await Promise.all([providers.close(), accounts.close()]);
    },
  };
}
