// Every request of the CLI goes through here: a deadline, a size limit, no redirects, and failures that say what to do.
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { traceRequest } from './trace-requests.ts';

export interface SendOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Streamed responses have no size limit, and no deadline once the headers have arrived. */
  readonly stream?: boolean;
  /** The response is a file. */
  readonly binary?: boolean;
  /** The response may have any content type. */
  readonly anything?: boolean;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
const OURS = /\b(?:json|event-stream|x-ndjson|x-diff|markdown|csv)\b/;
const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

const UNTRUSTED =
  'If this is your service, save the certificate of the authority that signed it as a file, and set NODE_EXTRA_CA_CERTS to that file.';
const HOST_NAME = 'Use the host name that the certificate was issued for, or install a certificate for this one.';
/** Faults of TLS: what happened, and what to do. */
const TLS_FAULTS: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', UNTRUSTED],
  SELF_SIGNED_CERT_IN_CHAIN: ['its certificate was signed by an authority that this machine does not know', UNTRUSTED],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its certificate was signed by an authority that this machine does not know',
    UNTRUSTED,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate cannot be verified: the service does not send the intermediate certificates, or this machine does not know the authority',
    `Ask the operator of the service to send the whole chain. ${UNTRUSTED}`,
  ],
  CERT_HAS_EXPIRED: [
    'its certificate has expired',
    'Ask the operator of the service to renew it, and check the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check the clock of this machine.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another host name', HOST_NAME],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS', 'Use an address that starts with http:// instead.'],
  UND_ERR_SOCKET: [
    'it closed the connection without an answer',
    'Check the address: if the service speaks TLS, it starts with https://.',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['it does not speak TLS', 'Use an address that starts with http:// instead.'],
};

export async function guardedFetch(
  input: Request,
  { timeoutMs = TIMEOUT_MS, signal, stream, binary = false, anything = false }: SendOptions = {},
): Promise<Response> {
  const { origin } = new URL(input.url);
  // The list of a person's sessions says what each one is.
  input.headers.set('user-agent', `servicectl (${process.platform})`);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const started = performance.now();
  let response: Response;
  try {
    response = await fetch(input, {
      redirect: 'manual',
      signal: AbortSignal.any([input.signal, deadline.signal, ...(signal ? [signal] : [])]),
    });
  } catch (error) {
    clearTimeout(timer);
    traceRequest(input, started, undefined);
    if (signal?.aborted) throw error;
    throw deadline.signal.aborted
      ? unreachable(origin, `no response within ${timeoutMs / 1_000} seconds`)
      : unreachable(origin, ...reasonOf(error));
  }
  traceRequest(input, started, response);
  const stranger = findStranger(response, origin, { binary, anything });
  if (stream || stranger) clearTimeout(timer);
  if (stranger) {
    // An unread body would keep the program alive.
    await response.body?.cancel();
    throw stranger;
  }
  return stream ? response : capped(response, timer, origin);
}

function unreachable(
  origin: string,
  reason: string,
  next = 'Check the address (--url or SERVICE_URL), and that the service is running.',
): Failure {
  return new Failure(`cannot reach ${origin}: ${reason}`, { exit: EXIT.unreachable, next });
}

function reasonOf(error: unknown): readonly [reason: string, next?: string] {
  const { code = '', message } = ((error as { cause?: unknown }).cause ?? error) as NodeJS.ErrnoException;
  return TLS_FAULTS[code] ?? [MESSAGES[code] ?? (code || message)];
}

/** Detects a response that is not from this service: another program at that address, or a part that is down. */
function findStranger(
  { status, headers }: Response,
  origin: string,
  { binary, anything }: Required<Pick<SendOptions, 'binary' | 'anything'>>,
): Failure | undefined {
  if (status >= 300 && status < 400)
    return unreachable(
      origin,
      `it redirects to ${headers.get('location') ?? 'another address'}`,
      'Use the address it redirects to.',
    );
  if (anything) return undefined;
  if (binary && status === 200 && headers.get('content-type') === 'application/octet-stream') return undefined;
  if (status === 202 || status === 204 || OURS.test(headers.get('content-type') ?? '')) return undefined;
  if (status >= 500)
    return unreachable(
      origin,
      `it returned status ${status}`,
      'The service is starting, or part of it is down. Try again shortly.',
    );
  return unreachable(origin, `it returned status ${status}, but is not this service`);
}

function capped(response: Response, timer: NodeJS.Timeout, origin: string): Response {
  if (!response.body) {
    clearTimeout(timer);
    return response;
  }
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) controller.error(unreachable(origin, 'its response is too large'));
      else controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
  // If the body fails, the timer must not keep the program alive.
  timer.unref();
  return new Response(response.body.pipeThrough(limit), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
