// Which web pages may call /v1 from a browser. Callers authenticate with a token in a header, never with a cookie, so
// the response names the one origin and allows no credentials. Other clients are not affected.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Response headers that a page may read. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-service-credential',
  'x-service-provider',
  'x-service-model',
  'x-service-tried',
  'x-service-left-out',
] as const;

const METHODS = 'GET, POST, DELETE, OPTIONS';
const MAX_AGE_SECONDS = 600;
/** Header names, as many as clients in a page send. A token's rights do not depend on them. */
const HEADER_NAMES = /^[\w-]{1,64}(?:\s*,\s*[\w-]{1,64}){0,63}$/;

/** Adds the headers a browser requires before it passes a response to a page. */
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
