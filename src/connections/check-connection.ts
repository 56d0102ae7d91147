// The direct check: one stored reference that the provider's list did not report, asked for by its id. What the
// provider does not say clearly moves nothing: an outage never costs a connection.
import { isMissingConnection, type NangoClient } from '../nango/nango-client.ts';
import { NangoError } from '../nango/nango-error.ts';
import type { ProviderConnectionDetails } from '../nango/nango-shapes.ts';
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

export function judgeAnswer(found: ProviderConnectionDetails, askedFor: string): CheckResult {
  if (found.connectionId !== askedFor) throw new NangoError('malformed');
  if (found.refreshExhausted) return 'direct check: refresh exhausted';
  return found.errors.length > 0 ? 'direct check: errors' : 'healthy';
}

/** Undefined when the failure says nothing about the connection. */
export function judgeFailure(error: unknown): CheckResult | undefined {
  if (isMissingConnection(error)) return 'direct check: missing';
  if (!(error instanceof NangoError)) return undefined;
  if (error.status === 424) return 'direct check: refresh exhausted';
  return error.status === 400 && error.code === 'invalid_credentials' ? 'direct check: errors' : undefined;
}
