// Which pages may call /v1 from a browser. Who calls is told by a token in a header and never by a cookie, so an answer
// names the one origin and no credentials are allowed. Programs that are no browser never notice any of it.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers of an answer that a page may read. */
export const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-service-credential',
  'x-service-provider',
  'x-service-left-out',
] as const;

const METHODS = 'GET, POST, DELETE, OPTIONS';
const MAX_AGE_SECONDS = 600;
/** Names of headers, as many as the clients of a page send. What a token may do, it may do with any of them. */
const HEADER_NAMES = /^[\w-]{1,64}(?:\s*,\s*[\w-]{1,64}){0,63}$/;

/** Adds what a browser asks for before it hands an answer to a page. */
export function allowOrigin(
  allowed: ReadonlySet<string>,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (allowed.size === 0) return;
  response.setHeader('vary', 'origin, access-control-request-headers');
  const { origin } = headers;
  if (origin === undefined || !allowed.has(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
  if (method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-max-age', String(MAX_AGE_SECONDS));
  const asked = headers['access-control-request-headers'];
  if (typeof asked === 'string' && HEADER_NAMES.test(asked)) response.setHeader('access-control-allow-headers', asked);
}
