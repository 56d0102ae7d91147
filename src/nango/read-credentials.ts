// Reads the credential of a connection, for command-line clients in a run's sandbox, which cannot use the provider's
// proxy. Callers keep it outside the sandbox, or pass in only short-lived credentials.
import { Agent } from 'undici';
import { z } from 'zod';
import { NangoError } from './nango-error.ts';
import type { NangoAccess } from './nango-settings.ts';
import { parseBody } from './nango-shapes.ts';
import { sendRequest } from './send-request.ts';

export interface ProviderCredentials {
  /** Bearer token or API key. */
  readonly token: string | undefined;
  /** Username and password. */
  readonly pair: { readonly name: string; readonly password: string } | undefined;
  readonly expiresAt: Date | undefined;
  /** The connection's settings that are text. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface CredentialReader {
  /** Renews a credential that would expire within `neededForMs`. */
  read(
    reference: { readonly integrationId: string; readonly connectionId: string },
    options: { readonly neededForMs: number; readonly signal?: AbortSignal },
  ): Promise<ProviderCredentials>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

const line = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/)
  .optional()
  .catch(undefined);
const answer = z.object({
  credentials: z.object({
    access_token: line,
    token: line,
    apiKey: line,
    username: line,
    password: line,
    expires_at: z.union([z.string(), z.number()]).optional().catch(undefined),
  }),
  connection_config: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

export function createCredentialReader({ url, secretKey }: Pick<NangoAccess, 'url' | 'secretKey'>): CredentialReader {
  const agent = new Agent({ connections: 8, keepAliveTimeout: 30_000, connect: { timeout: 5_000 } });
  async function fetchCredentials(
    reference: { integrationId: string; connectionId: string },
    renew: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ProviderCredentials> {
    const path = `/connections/${encodeURIComponent(reference.connectionId)}?provider_config_key=${encodeURIComponent(reference.integrationId)}${renew ? '&force_refresh=true' : ''}`;
    const { status, body } = await sendRequest(agent, {
      method: 'GET',
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${secretKey}`, accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (status !== 200) throw new NangoError('refused', { status });
    const parsed = answer.safeParse(parseBody(body));
    if (!parsed.success) throw new NangoError('malformed');
    const { credentials: held, connection_config: config = {} } = parsed.data;
    const expiresAt = new Date(held.expires_at ?? '');
    return {
      token: held.access_token ?? held.token ?? held.apiKey,
      pair:
        held.username !== undefined && held.password !== undefined
          ? { name: held.username, password: held.password }
          : undefined,
      expiresAt: Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt,
      settings: Object.fromEntries(
        Object.entries(config).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 1_000,
        ),
      ),
    };
  }
  return {
    async read(reference, { neededForMs, signal }) {
      const first = await fetchCredentials(reference, false, signal);
      if (first.expiresAt === undefined || first.expiresAt.getTime() - Date.now() > neededForMs) return first;
      return fetchCredentials(reference, true, signal);
    },
    close: () => agent.destroy(),
  };
}
