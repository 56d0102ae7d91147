// A call of a connected app through the provider, which adds the credential.
import type { Dispatcher } from 'undici';
import type { NangoSettings } from './nango-settings.ts';
import { type HttpAnswer, type HttpRequest, sendRequest } from './send-request.ts';

export interface ProxyRequest {
  readonly integrationId: string;
  readonly connectionId: string;
  readonly method: HttpRequest['method'];
  /** Begins with `/`; already encoded, with its query string. */
  readonly path: string;
  /** Sent on to the app. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** An origin that replaces the app's own. */
  readonly baseUrl?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PROXY_TIMEOUT_MS = 30_000;
const PROXY_MAX_BYTES = 5 * 1024 * 1024;
/** The provider's own figures on a proxied answer, by the way it spells them: what it hands on from an app is in lower case. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'ETag',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]);

/** The app's answer whatever its status, redirects included; fails only when there is none. */
export function proxyCall(
  agent: Dispatcher,
  { url, secretKey }: Pick<NangoSettings, 'url' | 'secretKey'>,
  request: ProxyRequest,
): Promise<HttpAnswer> {
  const { path, headers = {}, body, baseUrl } = request;
  // A path of its own: one that is not rooted would turn into a part of the provider's host or API.
  if (!path.startsWith('/')) throw new TypeError('a proxied path begins with /');
  const onward: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (name !== 'content-type') onward[`nango-proxy-${name}`] = value;
  return sendRequest(agent, {
    method: request.method,
    url: `${url}/proxy${path}`,
    headers: {
      ...onward,
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
    leaveOut: OWN_HEADERS,
  });
}
