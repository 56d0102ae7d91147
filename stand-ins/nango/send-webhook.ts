// The signed webhook, sent like a real provider's: keys sorted, and two retries after a network error or a 5xx. The
// service's read repair makes up for a lost one.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDeps } from './local-settings.ts';
import type { EndUser, Tags } from './sessions.ts';

export interface AuthEvent {
  readonly operation: 'creation' | 'override' | 'refresh';
  readonly success: boolean;
  readonly connectionId: string;
  readonly integration: string;
  readonly provider: string;
  readonly authMode: string;
  readonly tags?: Tags | undefined;
  readonly endUser?: EndUser | undefined;
  readonly error?: { readonly type: string; readonly description: string };
}

const TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = [200, 1_000];

export async function sendWebhook(
  { settings, log }: Pick<LocalDeps, 'settings' | 'log'>,
  event: AuthEvent,
): Promise<void> {
  const body = JSON.stringify({
    authMode: event.authMode,
    connectionId: event.connectionId,
    ...(event.endUser
      ? {
          endUser: {
            endUserEmail: event.endUser.email ?? null,
            endUserId: event.endUser.id,
            organizationId: event.endUser.organizationId ?? null,
            tags: {},
          },
        }
      : {}),
    environment: 'prod',
    ...(event.error ? { error: event.error } : {}),
    from: 'nango',
    operation: event.operation,
    provider: event.provider,
    providerConfigKey: event.integration,
    success: event.success,
    ...(event.tags ? { tags: event.tags } : {}),
    type: 'auth',
  });
  const signature = createHmac('sha256', settings.webhookSecret).update(body).digest('hex');
  for (let attempt = 0; ; attempt++) {
    const status = await post(settings.webhookUrl, body, signature);
    if (status !== undefined && status < 500) {
      if (status !== 200) log.warn({ status }, 'webhook was refused');
      return;
    }
    const pauseMs = RETRY_AFTER_MS[attempt];
    if (pauseMs === undefined) return log.warn({ status }, 'could not deliver webhook');
    await sleep(pauseMs);
  }
}

async function post(url: string, body: string, signature: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nango-hmac-sha256': signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
