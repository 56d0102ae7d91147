// What the provider says, now, of a connection that a webhook is about.
import { isMissingConnection } from '../nango/nango-client.ts';
import { judgeFailure } from './check-connection.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { IntegrationReference } from './connection-types.ts';

export interface ProviderView {
  /** Undefined when it says nothing. */
  readonly state: 'usable' | 'broken' | 'missing' | undefined;
  readonly createdAt?: Date | undefined;
  readonly expiry?: Date | undefined;
  readonly cloudId?: string | undefined;
  /** Whose credential it holds. */
  readonly authorizedBy?: string | undefined;
}

const TIMEOUT_MS = 3_000;

export async function askProvider(
  { integrations }: Pick<ConnectionDeps, 'integrations'>,
  { integrationId, connectionId }: Pick<IntegrationReference, 'integrationId' | 'connectionId'>,
): Promise<ProviderView> {
  try {
    const found = await integrations?.client.getConnection(integrationId, connectionId, {
      timeoutMs: TIMEOUT_MS,
      expiry: true,
    });
    if (found?.connectionId !== connectionId) return { state: undefined };
    const { createdAt, expiry, cloudId, refreshExhausted, tags, endUserId } = found;
    // Errors that it lists may be older than the authorization; that it cannot get a credential is not.
    return {
      state: refreshExhausted ? 'broken' : 'usable',
      createdAt,
      expiry,
      cloudId,
      authorizedBy: tags['end_user_id'] ?? endUserId,
    };
  } catch (error) {
    if (isMissingConnection(error)) return { state: 'missing' };
    return { state: judgeFailure(error) === undefined ? undefined : 'broken' };
  }
}
