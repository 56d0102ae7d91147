// Access tokens are renewed on demand, one renewal at a time per connection because a refresh token works only once. Its
// webhooks are sent like the real provider's: a failure is reported, and a success only after a failure. The caller does
// not wait for them, so the answer may come first.
import type { LocalDeps } from './local-settings.ts';
import {
  countFailedRefresh,
  findLocalConnection,
  type LocalConnection,
  replaceCredentials,
} from './local-connections.ts';
import { sendWebhook } from './send-webhook.ts';
import { requestTokens } from './token-endpoint.ts';

/** Why a token could not be renewed: refused now, refused a moment ago, or refused too often to try again. */
export type RefreshRefusal = 'failed' | 'backing off' | 'exhausted';
export type Refreshed =
  | { readonly connection: LocalConnection }
  | { readonly refused: RefreshRefusal; readonly status: 400 | 424 };

const RENEW_BEFORE_MS = 30_000;
const MOST_ATTEMPTS = 3;
const BACK_OFF_MS = 30_000;

export function createRefresher(
  deps: LocalDeps,
): (connection: LocalConnection, options?: { force?: boolean }) => Promise<Refreshed> {
  const underWay = new Map<number, Promise<Refreshed>>();
  return (connection, { force = false } = {}) => {
    if (!needsRefresh(connection, force)) return Promise.resolve({ connection });
    let refreshing = underWay.get(connection.id);
    if (!refreshing) {
      refreshing = refresh(deps, connection).finally(() => underWay.delete(connection.id));
      underWay.set(connection.id, refreshing);
    }
    return refreshing;
  };
}

function needsRefresh({ credentials, expiresAt }: LocalConnection, force: boolean): boolean {
  if (credentials.type !== 'OAUTH2') return false;
  return force || (expiresAt !== undefined && expiresAt.getTime() - Date.now() < RENEW_BEFORE_MS);
}

async function refresh(deps: LocalDeps, connection: LocalConnection): Promise<Refreshed> {
  if (connection.failedRefreshes >= MOST_ATTEMPTS) return { refused: 'exhausted', status: 424 };
  if (connection.failedRefreshes > 0 && Date.now() - connection.updatedAt.getTime() < BACK_OFF_MS)
    return { refused: 'backing off', status: 424 };
  const { credentials, connectionId, integration, provider, tags, failedRefreshes } = connection;
  const report = { operation: 'refresh', connectionId, integration, provider, authMode: 'OAUTH2', tags } as const;
  const renewed =
    credentials.type === 'OAUTH2'
      ? await requestTokens(deps, integration, {
          grant_type: 'refresh_token',
          refresh_token: credentials.refresh_token,
        })
      : undefined;
  if (!renewed) {
    await countFailedRefresh(deps, connection);
    void sendWebhook(deps, {
      ...report,
      success: false,
      error: {
        type: 'refresh_token_external_error',
        description: 'The authorization server refused the refresh token.',
      },
    });
    return { refused: 'failed', status: 400 };
  }
  await replaceCredentials(deps, connection, renewed);
  if (failedRefreshes > 0) void sendWebhook(deps, { ...report, success: true });
  return { connection: (await findLocalConnection(deps, connectionId, integration)) ?? connection };
}
