// Every call to the OpenID provider: bounded in time and size, no redirect followed. What a provider cannot help, an
// answer that does not come or says that it is overloaded, is `openid_unavailable`.
import { Agent, request } from 'undici';
import { AppError } from '../../base/errors.ts';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 256 * 1024;

interface FetchOptions {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface BoundedFetch {
  fetch(url: string, options?: FetchOptions): Promise<Response>;
  close(): Promise<void>;
}

export function createBoundedFetch(): BoundedFetch {
  const agent = new Agent({
    connections: 16,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async fetch(url, { method = 'GET', headers, body, signal } = {}) {
      const limit = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method,
          headers: { ...headers, 'accept-encoding': 'identity' },
          body: body === undefined || body === null ? null : String(body),
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        const bytes = await readAll(answer.body);
        if (answer.statusCode >= 500 || answer.statusCode === 429) throw new Error(`status ${answer.statusCode}`);
        return new Response([204, 304].includes(answer.statusCode) ? null : bytes, {
          status: answer.statusCode,
          headers: flatten(answer.headers),
        });
      } catch (cause) {
        throw new AppError('openid_unavailable', {}, { cause });
      }
    },
    close: () => agent.destroy(),
  };
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
}
