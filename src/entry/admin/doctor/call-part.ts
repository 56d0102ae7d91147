// One HTTP request to a part of the service, for the operator's tools: the response whatever its status, or a short
// reason why there is none. Redirects are not followed; time and size are bounded.
import { request } from 'node:http';

export type PartResponse =
  | { readonly answered: true; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly answered: false; readonly reason: string };

export interface PartRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is beyond is not read. */
  readonly mostBytes?: number;
}

const TIMEOUT_MS = 4_000;
const MAX_BYTES = 256 * 1024;
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

export async function callPart(
  url: string,
  { method = 'GET', headers = {}, body, mostBytes = MAX_BYTES }: PartRequest = {},
): Promise<PartResponse> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    return {
      answered: true,
      status: response.status,
      headers: response.headers,
      text: await readSome(response, mostBytes),
    };
  } catch (error) {
    return { answered: false, reason: reasonOf(error) };
  }
}

async function readSome(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
}

/** Never the error's own message, which may contain the address with its credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} seconds`;
  const cause = (error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } }).cause;
  const code = cause?.code ?? cause?.errors?.[0]?.code;
  return typeof code === 'string' ? (REASONS[code] ?? code) : 'the request failed';
}

/** The status of a request sent to this address with another Host header; undefined if nothing answers. */
export function requestWithHost(
  at: { readonly address: string; readonly port: number },
  host: string,
  path: string,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request(
      { host: at.address, port: at.port, path, headers: { host }, agent: false, timeout: TIMEOUT_MS },
      (answer) => {
        answer.destroy();
        resolve(answer.statusCode);
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}
