// The calls we make to the integration provider's API. Each has a deadline and a size cap and can be aborted; failures
// are NangoErrors.
import { Agent } from 'undici';
import { NangoError } from './nango-error.ts';
import type { NangoSettings } from './nango-settings.ts';
import {
  type ClientState,
  parseClient,
  parseConnectionDetails,
  parseConnections,
  parseErrorCode,
  parseIntegrations,
  parseSession,
  type ProviderConnection,
  type ProviderConnectionDetails,
  type ProviderIntegration,
  type ProviderSession,
} from './nango-shapes.ts';
import { proxyCall, type ProxyRequest } from './proxy-call.ts';
import { type HttpAnswer, type HttpRequest, sendRequest } from './send-request.ts';

interface CallOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface SessionRequest {
  readonly tags: Readonly<Record<string, string>>;
  readonly integrationId: string;
}

interface NewIntegration {
  readonly key: string;
  readonly provider: string;
  readonly displayName?: string;
  readonly credentials?: Readonly<Record<string, unknown>>;
}

export interface NangoClient {
  checkHealth(options?: CallOptions): Promise<boolean>;
  createSession(session: SessionRequest, options?: CallOptions): Promise<ProviderSession>;
  createReconnectSession(
    session: SessionRequest & { readonly connectionId: string },
    options?: CallOptions,
  ): Promise<ProviderSession>;
  /** One page, newest first; a page shorter than the limit is the last. */
  listConnections(
    filter: { readonly tags: Readonly<Record<string, string>>; readonly page: number; readonly limit: number },
    options?: CallOptions,
  ): Promise<ProviderConnection[]>;
  /** With `expiry`, also returns when the credential expires for good, if the secret key is allowed to read that. */
  getConnection(
    integrationId: string,
    connectionId: string,
    options?: CallOptions & { readonly expiry?: true },
  ): Promise<ProviderConnectionDetails>;
  replaceTags(
    integrationId: string,
    connectionId: string,
    tags: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<void>;
  /** Also succeeds if there is none. */
  deleteConnection(integrationId: string, connectionId: string, options?: CallOptions): Promise<void>;
  listIntegrations(options?: CallOptions): Promise<ProviderIntegration[]>;
  hasIntegration(key: string, options?: CallOptions): Promise<boolean>;
  /**
   * Whether the integration has a client id; `hidden` if the key may not read it. For an MCP server the provider never
   * shows one, even if it exists.
   */
  findClient(key: string, options?: CallOptions): Promise<ClientState>;
  createIntegration(integration: NewIntegration, options?: CallOptions): Promise<void>;
  updateIntegration(
    key: string,
    change: Omit<NewIntegration, 'key' | 'provider'>,
    options?: CallOptions,
  ): Promise<void>;
  deleteIntegration(key: string, options?: CallOptions): Promise<void>;
  /** The app's answer with any status, including redirects; fails only if there is none. */
  proxy(request: ProxyRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const API_TIMEOUT_MS = 10_000;
const API_MAX_BYTES = 8 * 1024 * 1024;
const MISSING_STATUSES = new Set([404, 410]);
/** Codes of a 400 for a missing connection. Deleting an integration deletes its connections. */
const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['unknown_connection', 'unknown_provider_config']);
export function createNangoClient(settings: Pick<NangoSettings, 'url' | 'secretKey'>): NangoClient {
  const agent = new Agent({ connections: 64, keepAliveTimeout: 30_000, connect: { timeout: 5_000 } });
  const call = createCall(agent, settings);
  return {
    checkHealth: (options) =>
      call('GET', '/health', undefined, options).then(
        () => true,
        () => false,
      ),
    ...sessionCalls(call),
    ...connectionCalls(call),
    ...integrationCalls(call),
    proxy: (request) => proxyCall(agent, settings, request),
    close: () => agent.destroy(),
  };
}

/** Returns the parsed answer. Throws a NangoError for any status but success. */
type Call = (method: HttpRequest['method'], path: string, body: unknown, options?: CallOptions) => Promise<unknown>;

function createCall(agent: Agent, { url, secretKey }: Pick<NangoSettings, 'url' | 'secretKey'>): Call {
  const authorization = `Bearer ${secretKey}`;
  return async (method, path, body, { timeoutMs = API_TIMEOUT_MS, signal } = {}) => {
    const answer = await sendRequest(agent, {
      method,
      url: `${url}${path}`,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
      maxBytes: API_MAX_BYTES,
      signal,
    });
    if (answer.status < 200 || answer.status > 299)
      throw new NangoError('refused', {
        status: answer.status,
        code: parseErrorCode(answer.body),
        retryAfterSeconds: retryAfter(answer.headers['retry-after']),
      });
    return parseJson(answer.body);
  };
}

function sessionCalls(call: Call): Pick<NangoClient, 'createSession' | 'createReconnectSession'> {
  return {
    createSession: async ({ tags, integrationId }, options) =>
      requireParsed(
        parseSession(await call('POST', '/connect/sessions', { tags, allowed_integrations: [integrationId] }, options)),
      ),

    createReconnectSession: async ({ tags, integrationId, connectionId }, options) =>
      requireParsed(
        parseSession(
          await call(
            'POST',
            '/connect/sessions/reconnect',
            { connection_id: connectionId, integration_id: integrationId, tags },
            options,
          ),
        ),
      ),
  };
}

function connectionPath(integrationId: string, connectionId: string): string {
  return `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${encodeURIComponent(integrationId)}`;
}

function connectionCalls(
  call: Call,
): Pick<NangoClient, 'listConnections' | 'getConnection' | 'replaceTags' | 'deleteConnection'> {
  return {
    async listConnections({ tags, page, limit }, options) {
      const query = new URLSearchParams({ limit: String(limit), page: String(page) });
      for (const [key, value] of Object.entries(tags)) query.set(`tags[${key}]`, value);
      return requireParsed(parseConnections(await call('GET', `/connections?${query.toString()}`, undefined, options)));
    },

    async getConnection(integrationId, connectionId, { expiry, ...options } = {}) {
      const path = connectionPath(integrationId, connectionId);
      if (!expiry) return requireParsed(parseConnectionDetails(await call('GET', path, undefined, options)));
      // Only the refresh token, which has to be requested, tells a credential that is renewed from one that expires. A
      // key that may not read credentials is refused, so the request is repeated without it.
      const answer = await call('GET', `${path}&refresh_token=true`, undefined, options).catch((error: unknown) => {
        if (error instanceof NangoError && error.status === 403) return call('GET', path, undefined, options);
        throw error;
      });
      return requireParsed(parseConnectionDetails(answer, { expiry }));
    },

    async replaceTags(integrationId, connectionId, tags, options) {
      await call('PATCH', connectionPath(integrationId, connectionId), { tags }, options);
    },

    async deleteConnection(integrationId, connectionId, options) {
      await call('DELETE', connectionPath(integrationId, connectionId), undefined, options).catch((error: unknown) => {
        if (!isMissingConnection(error)) throw error;
      });
    },
  };
}

function integrationPath(key: string): string {
  return `/integrations/${encodeURIComponent(key)}`;
}

function integrationCalls(
  call: Call,
): Pick<
  NangoClient,
  'listIntegrations' | 'hasIntegration' | 'findClient' | 'createIntegration' | 'updateIntegration' | 'deleteIntegration'
> {
  return {
    listIntegrations: async (options) =>
      requireParsed(parseIntegrations(await call('GET', '/integrations', undefined, options))),

    hasIntegration: (key, options) =>
      call('GET', integrationPath(key), undefined, options).then(
        () => true,
        (error: unknown) => {
          if (error instanceof NangoError && error.status === 404) return false;
          throw error;
        },
      ),

    findClient: async (key, options) =>
      parseClient(await call('GET', `${integrationPath(key)}?include=credentials`, undefined, options)),

    async createIntegration({ key, provider, displayName, credentials }, options) {
      const body = {
        provider,
        unique_key: key,
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(credentials === undefined ? {} : { credentials }),
      };
      await call('POST', '/integrations', body, options);
    },

    async updateIntegration(key, { displayName, credentials }, options) {
      await call(
        'PATCH',
        integrationPath(key),
        {
          ...(displayName === undefined ? {} : { display_name: displayName }),
          ...(credentials === undefined ? {} : { credentials }),
        },
        options,
      );
    },

    async deleteIntegration(key, options) {
      await call('DELETE', integrationPath(key), undefined, options);
    },
  };
}

/** Whether the provider reports that it has no such connection. */
export function isMissingConnection(error: unknown): boolean {
  return (
    error instanceof NangoError &&
    ((error.status !== undefined && MISSING_STATUSES.has(error.status)) ||
      (error.status === 400 && MISSING_CODES.has(error.code)))
  );
}

function requireParsed<T>(parsed: T | undefined): T {
  if (parsed === undefined) throw new NangoError('malformed');
  return parsed;
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new NangoError('malformed');
  }
}

/** Takes seconds or an HTTP date; returns at most an hour. */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3_600) : undefined;
}
