// A call to a connected app through the provider, which adds the credential.
import type { Dispatcher } from 'undici';
import type { NangoSettings } from './nango-settings.ts';
import { type HttpAnswer, type HttpRequest, sendRequest } from './send-request.ts';

export interface ProxyRequest {
  readonly integrationId: string;
  readonly connectionId: string;
  readonly method: HttpRequest['method'];
  /** Starts with `/`; already encoded, including the query string. */
  readonly path: string;
  /** Forwarded to the app. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Replaces the app's origin. */
  readonly baseUrl?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PROXY_TIMEOUT_MS = 30_000;
const PROXY_MAX_BYTES = 5 * 1024 * 1024;
/** Headers the provider adds to a proxied answer, in its own spelling: headers forwarded from an app are in lower case. */
const PROVIDER_HEADERS: ReadonlySet<string> = new Set([
  'ETag',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]);

/** The app's answer with any status, including redirects; fails only if there is none. */
export function proxyCall(
  agent: Dispatcher,
  { url, secretKey }: Pick<NangoSettings, 'url' | 'secretKey'>,
  request: ProxyRequest,
): Promise<HttpAnswer> {
  const { path, headers = {}, body, baseUrl } = request;
  // A path without a leading slash would become part of the provider's own URL.
  if (!path.startsWith('/')) throw new TypeError('proxied path must start with /');
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name !== 'content-type') forwarded[`nango-proxy-${name}`] = value;
  return sendRequest(agent, {
    method: request.method,
    url: `${url}/proxy${path}`,
    headers: {
      ...forwarded,
      ...(body === undefined ? {} : { 'content-type': headers['content-type'] ?? 'application/json' }),
      authorization: `Bearer ${secretKey}`,
      'connection-id': request.connectionId,
      'provider-config-key': request.integrationId,
      retries: '0',
      ...(baseUrl === undefined ? {} : { 'base-url-override': baseUrl }),
    },
    body,
    timeoutMs: request.timeoutMs ?? PROXY_TIMEOUT_MS,
    maxBytes: request.maxBytes ?? PROXY_MAX_BYTES,
    signal: request.signal,
    leaveOut: PROVIDER_HEADERS,
  });
}
