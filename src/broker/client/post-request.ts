// Protocol requests over HTTP, with a timeout, a cap on the answer, and no opinion about what they mean. A broker that
// says that it takes several at once gets those of one moment together: while some are under way the others collect.
// Those that wait for the disk do not keep the others waiting.
import { randomUUID } from 'node:crypto';
import { ResonateTimeoutException } from '@resonatehq/sdk';
import { Pool } from 'undici';
import { BATCH_HEADER, BATCH_KIND, PROTOCOL_VERSION } from '../protocol/protocol.ts';
import { isRepeatable } from '../protocol/steps.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS_MAX = 32;
const TOGETHER_MAX = 64;
/** Well below what the broker takes in one body. */
const TOGETHER_BYTES_MAX = 256 * 1024;
const LANES = 2;
/** Every other status is a failure of the platform, not an answer. */
const PROTOCOL_STATUSES = new Set([200, 300, 404, 409, 422, 501]);

export interface WireRequest {
  readonly kind: string;
  readonly head: { readonly corrId: string; readonly version: string };
  readonly data: unknown;
}

export interface WireAnswer {
  readonly kind: string;
  readonly head: { readonly corrId: string; readonly status: number; readonly version: string };
  readonly data: unknown;
}

/** Thrown where asking again may help. The SDK knows its own exception as "the platform failed". */
export class BrokerUnreachable extends ResonateTimeoutException {
  readonly retryable: boolean;

  constructor(reason: string, retryable: boolean) {
    super(reason);
    this.retryable = retryable;
  }
}

export interface Post {
  post(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  close(): Promise<void>;
}

interface Waiting {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly text: string;
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  running: number;
}

export function createPost(url: string, token: string | undefined): Post {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections: CONNECTIONS_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: TIMEOUT_MS },
  });
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const lanesByHaste: readonly [Lane, Lane] = [
    { waiting: [], running: 0 },
    { waiting: [], running: 0 },
  ];
  let takesSeveral = false;

  async function exchange(body: string, signal: AbortSignal | null): Promise<WireAnswer> {
    const { status, text, several } = await send(body, signal).catch((error: unknown) => {
      throw new BrokerUnreachable(
        error instanceof Error ? ('code' in error && String(error.code)) || error.message : 'failed',
        true,
      );
    });
    // Whoever was sent several and does not know what that is gets them again, one by one.
    const again = takesSeveral && !several;
    takesSeveral = several;
    if (!PROTOCOL_STATUSES.has(status))
      throw new BrokerUnreachable(`HTTP ${status}`, again || status >= 500 || status === 429);
    const answer = parseAnswer(text);
    if (!answer) throw new BrokerUnreachable('the broker answered something that is no answer', true);
    return answer;
  }

  function send(body: string, signal: AbortSignal | null): Promise<{ status: number; text: string; several: boolean }> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let status = 0;
      let several = false;
      let abort: (() => void) | undefined;
      const release = (): void => abort && signal?.removeEventListener('abort', abort);
      pool.dispatch(
        { method: 'POST', path: pathname, headers, body },
        {
          onRequestStart(controller) {
            abort = () => controller.abort(new Error('stopped'));
            if (signal?.aborted) abort();
            else signal?.addEventListener('abort', abort, { once: true });
          },
          onResponseStart(_controller, answered, answerHeaders) {
            status = answered;
            several = answerHeaders[BATCH_HEADER] !== undefined;
          },
          onResponseData(controller, chunk) {
            size += chunk.length;
            if (size > ANSWER_MAX_BYTES) controller.abort(new Error('the answer is too large'));
            else chunks.push(chunk);
          },
          onResponseEnd() {
            release();
            resolve({ status, text: Buffer.concat(chunks).toString('utf8'), several });
          },
          onResponseError(_controller, error) {
            release();
            reject(error);
          },
        },
      );
    });
  }

  function pump(lane: Lane): void {
    const [most, lanes] = takesSeveral ? [TOGETHER_MAX, LANES] : [1, Infinity];
    while (lane.waiting.length > 0 && lane.running < lanes) {
      const group = takeGroup(lane.waiting, most);
      lane.running++;
      void post(group).finally(() => {
        lane.running--;
        pump(lane);
      });
    }
  }

  async function post(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    try {
      if (group.length === 1) return settle(first, await exchange(first.text, first.signal));
      const head = { corrId: randomUUID(), version: PROTOCOL_VERSION, ...(token === undefined ? {} : { auth: token }) };
      const { data } = await exchange(
        `{"kind":"${BATCH_KIND}","head":${JSON.stringify(head)},"data":[${group.map(({ text }) => text).join(',')}]}`,
        null,
      );
      const answers = Array.isArray(data) ? (data as unknown[]) : [];
      for (const [position, waiting] of group.entries()) settle(waiting, toAnswer(answers[position]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    post: (request, signal) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(
          token === undefined ? request : { ...request, head: { ...request.head, auth: token } },
        );
        const lane = lanesByHaste[isRepeatable(request.kind) ? 1 : 0];
        // What one turn of the event loop brings leaves together.
        if (lane.waiting.push({ request, signal, text, resolve, reject }) === 1) setImmediate(() => pump(lane));
      }),
    close: () => pool.destroy(),
  };
}

function takeGroup(waiting: Waiting[], most: number): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex(
    ({ text }, position) => position > 0 && (position >= most || (bytes += text.length) > TOGETHER_BYTES_MAX),
  );
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

function settle({ request, signal, resolve, reject }: Waiting, answer: WireAnswer | undefined): void {
  if (signal.aborted) return reject(new BrokerUnreachable('stopped', false));
  if (answer?.kind !== request.kind || answer.head.corrId !== request.head.corrId)
    return reject(new BrokerUnreachable('the answer does not belong to the request', true));
  const { status } = answer.head;
  if (PROTOCOL_STATUSES.has(status)) resolve(answer);
  else reject(new BrokerUnreachable(`status ${status}`, status >= 500 || status === 429));
}

function parseAnswer(text: string): WireAnswer | undefined {
  try {
    return toAnswer(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toAnswer(parsed: unknown): WireAnswer | undefined {
  const answer = parsed as Partial<WireAnswer> | null | undefined;
  return typeof answer?.kind === 'string' && typeof answer.head?.status === 'number'
    ? (answer as WireAnswer)
    : undefined;
}
