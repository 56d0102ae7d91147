// One protocol request over HTTP, with a timeout, a cap on the answer, and no opinion about what it means.
import { ResonateTimeoutException } from '@resonatehq/sdk';
import { Pool } from 'undici';

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS_MAX = 32;
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

export function createPost(url: string, token: string | undefined): Post {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connect: { timeout: TIMEOUT_MS } });
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };

  async function exchange(request: WireRequest, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const body = JSON.stringify(token === undefined ? request : { ...request, head: { ...request.head, auth: token } });
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body, signal });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ANSWER_MAX_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return { status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') };
  }

  return {
    async post(request, signal) {
      const { status, text } = await exchange(request, signal).catch((error: unknown) => {
        throw new BrokerUnreachable(error instanceof Error ? (('code' in error && String(error.code)) || error.message) : 'failed', true);
      });
      if (!PROTOCOL_STATUSES.has(status)) throw new BrokerUnreachable(`HTTP ${status}`, status >= 500 || status === 429);
      const answer = parseAnswer(text);
      if (answer?.kind !== request.kind || answer.head.corrId !== request.head.corrId) throw new BrokerUnreachable('the answer does not belong to the request', true);
      return answer;
    },
    close: () => pool.destroy(),
  };
}

function parseAnswer(text: string): WireAnswer | undefined {
  try {
    const answer = JSON.parse(text) as Partial<WireAnswer> | null;
    return typeof answer?.kind === 'string' && typeof answer.head?.status === 'number' ? (answer as WireAnswer) : undefined;
  } catch {
    return undefined;
  }
}
