// One POST to the broker, with a timeout and a limit on the answer. Uses undici's dispatcher directly, because requests to
// the broker are most of a busy role's traffic.
import { Pool } from 'undici';
import { BATCH_HEADER } from '../protocol/protocol.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS_MAX = 32;

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether the broker accepts several requests in one body. */
  readonly takesSeveral: boolean;
}

export interface BodySender {
  send(body: string, signal: AbortSignal | null): Promise<RawAnswer>;
  close(): Promise<void>;
}

export function createBodySender(url: string, token: string | undefined): BodySender {
  const { origin, pathname: path } = new URL(url);
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
  return {
    send: (body, signal) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let size = 0;
        let status = 0;
        let takesSeveral = false;
        let abort: (() => void) | undefined;
        const release = (): void => abort && signal?.removeEventListener('abort', abort);
        pool.dispatch(
          { method: 'POST', path, headers, body },
          {
            onRequestStart(controller) {
              abort = () => controller.abort(new Error('stopped'));
              if (signal?.aborted) abort();
              else signal?.addEventListener('abort', abort, { once: true });
            },
            onResponseStart(_controller, answered, answerHeaders) {
              status = answered;
              takesSeveral = answerHeaders[BATCH_HEADER] !== undefined;
            },
            onResponseData(controller, chunk) {
              size += chunk.length;
              if (size > ANSWER_MAX_BYTES) controller.abort(new Error('the answer is too large'));
              else chunks.push(chunk);
            },
            onResponseEnd() {
              release();
              resolve({ status, text: Buffer.concat(chunks).toString('utf8'), takesSeveral });
            },
            onResponseError(_controller, error) {
              release();
              reject(error);
            },
          },
        );
      }),
    close: () => pool.destroy(),
  };
}
