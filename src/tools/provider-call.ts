// One request to an app through the integration provider's proxy, which adds the credential, and its answer as the
// caller may see it. JSON is passed on as the original text once it has been measured and parsed: callers
// always get well-formed JSON, and numbers too large for a double keep their digits.
import { AppError } from '../base/errors.ts';
import { findJsonFault } from '../base/json-scanner.ts';
import type { Connector, Method, ToolSurface } from '../catalog/connector-types.ts';
import type { Connection, IntegrationReference } from '../connections/connection-types.ts';
import type { HttpAnswer } from '../nango/send-request.ts';
import { throwProxyFault, toToolFailure } from './provider-faults.ts';
import type { IntegrationProvider, ToolDeps } from './tool-deps.ts';

/** A request relative to the app's base URL at the integration provider. */
export interface AppRequest {
  readonly method: Method;
  /** Encoded; starts with exactly one slash and has no query. */
  readonly path: string;
  /** Decoded; a key may repeat. */
  readonly query: readonly (readonly [string, string])[];
  /** JSON. */
  readonly body?: string;
  /** An origin other than the app's base URL; comes from a manifest, never from a caller. */
  readonly baseUrl?: string;
}

/** The complete answer, bounded in size. */
export interface ProviderAnswer {
  readonly status: number;
  /** Only those a caller may see. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text: the app's own if it sent JSON, otherwise its text as a JSON string. Numbers are not reformatted. */
  readonly data: string;
}

/** What a surface needs to make its requests. */
export interface ProviderContext {
  readonly provider: IntegrationProvider;
  readonly connection: Pick<Connection, 'id' | 'updatedAt'>;
  readonly reference: IntegrationReference;
  /** Deadline of the whole call, shared by all requests it makes. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export type Arguments = Readonly<Record<string, unknown>>;
export type ConnectorOn<S extends ToolSurface> = Extract<Connector, { surface: S }>;

/** A call that is fully decided and only has to be made. */
export type PreparedCall = (deps: ToolDeps, context: ProviderContext) => Promise<ProviderAnswer>;

export const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;

/** The only headers sent to an app besides its credential. A test checks them against check-headers.ts. */
export const REQUEST_HEADERS = {
  read: { accept: 'application/json, */*;q=0.5', 'accept-encoding': 'identity' },
  write: { accept: 'application/json, */*;q=0.5', 'accept-encoding': 'identity', 'content-type': 'application/json' },
} as const;

const ECHOED_HEADERS = [
  'content-language',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

export async function sendThroughProxy(
  { provider, reference, deadlineMs, signal }: ProviderContext,
  { method, path, query, body, baseUrl }: AppRequest,
): Promise<ProviderAnswer> {
  const headers = body === undefined ? REQUEST_HEADERS.read : REQUEST_HEADERS.write;
  const timeoutMs = remainingMs(deadlineMs);
  try {
    const answer = await provider.proxy({
      integrationId: reference.integrationId,
      connectionId: reference.connectionId,
      method,
      path: toTarget(path, query),
      headers,
      body,
      baseUrl,
      timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    throwProxyFault(answer);
    return readResponse(answer);
  } catch (error) {
    throw toToolFailure(error);
  }
}

export function remainingMs(deadlineMs: number): number {
  const leftMs = Math.ceil(deadlineMs - performance.now());
  if (leftMs <= 0) throw new AppError('provider_timeout');
  return leftMs;
}

/**
 * Path and query for the proxy. The proxy substitutes `connectionConfig` wherever it appears; percent-encoding one
 * letter of it hides it from the proxy and means the same to the app.
 */
export function toTarget(path: string, query: AppRequest['query']): string {
  return (path + encodeQuery(query)).replaceAll('connectionConfig', 'connection%43onfig');
}

export function encodeQuery(query: AppRequest['query']): string {
  return query.length === 0
    ? ''
    : `?${query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Throws `provider_redirect_refused` for a redirect. */
export function readResponse({ status, headers, body }: HttpAnswer): ProviderAnswer {
  if (status >= 300 && status < 400 && status !== 304) throw new AppError('provider_redirect_refused');
  const echoed: Record<string, string> = {};
  for (const name of ECHOED_HEADERS) if (headers[name] !== undefined) echoed[name] = headers[name];
  return { status, headers: echoed, data: toJson(body, headers['content-type'] ?? '') };
}

function toJson(bytes: Buffer, contentType: string): string {
  if (bytes.length === 0) return 'null';
  const whole = bytes.toString('utf8');
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole;
  if (/^[^;]*[/+]json\b/i.test(contentType) && !findJsonFault(bytes) && isJson(text)) return text;
  // U+FFFD marks bytes that are not UTF-8: the answer is binary and is returned as base64.
  return text.includes('\uFFFD') ? JSON.stringify({ base64: bytes.toString('base64') }) : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
