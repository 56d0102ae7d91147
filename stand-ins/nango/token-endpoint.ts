// The local provider's OAuth 2 client for the token endpoint of an authorization server.
import type { Credentials } from './local-connections.ts';
import type { LocalDeps } from './local-settings.ts';
import { demoClient } from './secrets.ts';

const TIMEOUT_MS = 10_000;
const MAX_CHARACTERS = 64 * 1024;

interface TokenAnswer {
  readonly access_token?: unknown;
  readonly refresh_token?: unknown;
  readonly expires_in?: unknown;
  readonly scope?: unknown;
}

/** The tokens, or undefined if the server refused or could not be reached. */
export async function requestTokens(
  { settings }: Pick<LocalDeps, 'settings'>,
  integration: string,
  grant: Readonly<Record<string, string>>,
): Promise<Extract<Credentials, { type: 'OAUTH2' }> | undefined> {
  const client = demoClient(settings.secretKey, integration);
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  try {
    const response = await fetch(`${settings.apiUrl}/demo/token`, {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams(grant),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return response.ok && text.length <= MAX_CHARACTERS ? readTokens(JSON.parse(text) as TokenAnswer) : undefined;
  } catch {
    return undefined;
  }
}

function readTokens({
  access_token: access,
  refresh_token: refresh,
  expires_in: seconds,
  scope,
}: TokenAnswer): Extract<Credentials, { type: 'OAUTH2' }> | undefined {
  if (typeof access !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number') return undefined;
  return {
    type: 'OAUTH2',
    access_token: access,
    refresh_token: refresh,
    expires_at: new Date(Date.now() + seconds * 1_000).toISOString(),
    raw: { token_type: 'bearer', scope },
  };
}
