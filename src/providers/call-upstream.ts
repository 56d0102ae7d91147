// One POST to a model provider on undici's dispatch: no web streams, no buffering, back-pressure by pausing. The
// headers handed in hold the credential; nothing here logs them, and no error repeats them.
import type { Dispatcher } from 'undici';

export interface UpstreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface UpstreamLimits {
  /** Until the status line: a model that answers whole may think for minutes. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the body. */
  readonly idleTimeoutMs: number;
  /** Over everything. */
  readonly totalTimeoutMs: number;
}

export const UPSTREAM_LIMITS: UpstreamLimits = {
  headersTimeoutMs: 10 * 60_000,
  idleTimeoutMs: 5 * 60_000,
  totalTimeoutMs: 30 * 60_000,
};

export type UpstreamFault = 'unreachable' | 'timeout' | 'aborted' | 'broken';

export interface UpstreamHandler {
  onHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  /** All that one read of the connection brought, in one piece. False asks for a pause until `resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  /** Exactly one of onEnd and onFault is called. */
  onFault(fault: UpstreamFault): void;
}

export interface UpstreamCall {
  resume(): void;
  abort(): void;
}

export function callUpstream(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  limits: UpstreamLimits,
  handler: UpstreamHandler,
): UpstreamCall {
  const url = new URL(request.url);
  let controller: Dispatcher.DispatchController | undefined;
  let fault: UpstreamFault | undefined;
  let done = false;
  /** A provider writes an event at a time and several arrive together; each look at a piece has its price. */
  let arrived: Buffer[] = [];
  /** The connection heeds a pause one read later: what that brings is kept back. */
  let paused = false;

  const handOn = (): void => {
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
    handOn();
    if (!paused) controller?.resume();
  };
  const stop = (why: UpstreamFault): void => {
    if (done) return;
    fault ??= why;
    controller?.abort(new Error(why));
  };
  const timer = setTimeout(() => stop('timeout'), limits.totalTimeoutMs);
  const finish = (tell: () => void): void => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    paused = false;
    handOn();
    tell();
  };

  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.idleTimeoutMs,
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
        if (arrived.push(chunk) === 1) process.nextTick(handOn);
      },
      onResponseEnd() {
        finish(() => handler.onEnd());
      },
      onResponseError(_controller, error) {
        finish(() => handler.onFault(fault ?? faultOf(error)));
      },
    },
  );
  return { resume, abort: () => stop('aborted') };
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

function faultOf(error: Error): UpstreamFault {
  const code = 'code' in error ? String(error.code) : '';
  if (UNREACHABLE.has(code)) return 'unreachable';
  return TIMEOUT.has(code) ? 'timeout' : 'broken';
}
