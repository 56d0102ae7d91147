// Asks the provider about one connection by its id: the direct check of a stored reference that its list did not
// contain, and the current state of a connection that a webhook is about. An unclear answer changes nothing, so an
// outage never invalidates a connection.
import { isMissingConnection, type NangoClient } from '../nango/nango-client.ts';
import { NangoError } from '../nango/nango-error.ts';
import type { ProviderConnectionDetails } from '../nango/nango-shapes.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Trigger } from './connection-status.ts';
import type { IntegrationReference } from './connection-types.ts';

export type CheckResult = Extract<Trigger, `direct check: ${string}`> | 'healthy';

export async function checkConnection(
  client: NangoClient,
  { integrationId, connectionId }: IntegrationReference,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    return judgeAnswer(await client.getConnection(integrationId, connectionId, { signal }), connectionId);
  } catch (error) {
    const judged = judgeFailure(error);
    if (judged === undefined) throw error;
    return judged;
  }
}

function judgeAnswer(found: ProviderConnectionDetails, requested: string): CheckResult {
  if (found.connectionId !== requested) throw new NangoError('malformed');
  if (found.refreshExhausted) return 'direct check: refresh exhausted';
  return found.errors.length > 0 ? 'direct check: errors' : 'healthy';
}

/** Undefined if the failure says nothing about the connection. */
function judgeFailure(error: unknown): CheckResult | undefined {
  if (isMissingConnection(error)) return 'direct check: missing';
  if (!(error instanceof NangoError)) return undefined;
  if (error.status === 424) return 'direct check: refresh exhausted';
  return error.status === 400 && error.code === 'invalid_credentials' ? 'direct check: errors' : undefined;
}

export interface ProviderView {
  /** Undefined if the answer is unclear. */
  readonly state: 'usable' | 'broken' | 'missing' | undefined;
  readonly createdAt?: Date | undefined;
  readonly expiry?: Date | undefined;
  readonly cloudId?: string | undefined;
  /** User whose credential the provider holds. */
  readonly authorizedBy?: string | undefined;
}

const VIEW_TIMEOUT_MS = 3_000;

export async function viewAtProvider(
  { integrations }: Pick<ConnectionDeps, 'integrations'>,
  { integrationId, connectionId }: Pick<IntegrationReference, 'integrationId' | 'connectionId'>,
): Promise<ProviderView> {
  try {
    const found = await integrations?.client.getConnection(integrationId, connectionId, {
      timeoutMs: VIEW_TIMEOUT_MS,
      expiry: true,
    });
    if (found?.connectionId !== connectionId) return { state: undefined };
    const { createdAt, expiry, cloudId, refreshExhausted, tags, endUserId } = found;
    // Listed errors may be older than the authorization; an exhausted refresh is current.
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
