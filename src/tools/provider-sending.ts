// One request of a connection through the integration provider's proxy, which adds the credential.
import { AppError } from '../base/errors.ts';
import type { Connection, IntegrationReference } from '../connections/connection-types.ts';
import { refuseOwnFaults } from './own-faults.ts';
import { type ProviderAnswer, type ProviderRequest, toTarget } from './provider-request.ts';
import { MAX_RESPONSE_BYTES, readResponse } from './read-response.ts';
import type { IntegrationProvider } from './tool-deps.ts';
import { toToolFailure } from './to-tool-failure.ts';

/** What a surface works with while it calls. */
export interface Sending {
  readonly provider: IntegrationProvider;
  readonly connection: Pick<Connection, 'id' | 'updatedAt'>;
  readonly reference: IntegrationReference;
  /** When the whole call is over; shared by all requests that it takes. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** All that is ever sent on to an app besides its credential. A test holds them to the rules of check-headers.ts. */
export const ONWARD_HEADERS = {
  read: { accept: 'application/json, */*;q=0.5', 'accept-encoding': 'identity' },
  write: { accept: 'application/json, */*;q=0.5', 'accept-encoding': 'identity', 'content-type': 'application/json' },
} as const;

export async function sendThroughProxy(
  { provider, reference, deadlineMs, signal }: Sending,
  { method, path, query, body, baseUrl }: ProviderRequest,
): Promise<ProviderAnswer> {
  const headers = body === undefined ? ONWARD_HEADERS.read : ONWARD_HEADERS.write;
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
    refuseOwnFaults(answer);
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
