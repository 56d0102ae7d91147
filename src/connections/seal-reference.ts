// A reference at rest. Its context is the row's address, so that a payload copied to another row does not open there.
import { createHmac, hkdfSync } from 'node:crypto';
import { type Sealed, seal, unseal } from '../base/seal.ts';
import type { Address, ConnectionKind, IntegrationReference, Reference } from './connection-types.ts';

export const KEY_VERSION = 1;

const contextOf = ({ organizationId, workspaceId, provider, name }: Address): string[] => [
  'org_connection_secret',
  organizationId,
  workspaceId,
  provider,
  name,
];

export function sealReference(wrappingKey: Buffer, address: Address, reference: Reference): Sealed {
  return seal(wrappingKey, JSON.stringify(reference), contextOf(address));
}

/** Undefined when the wrapping key or the row is not the one it was sealed with. */
export function unsealReference(
  wrappingKey: Buffer,
  address: Address & { readonly kind: ConnectionKind },
  sealed: Sealed,
): Reference | undefined {
  const text = unseal(wrappingKey, sealed, contextOf(address));
  const reference = text === undefined ? undefined : (JSON.parse(text) as Reference);
  return reference?.kind === address.kind ? reference : undefined;
}

/**
 * Finds the row of a provider's connection without storing the provider's ids in the clear. The key is derived from
 * the wrapping key, so the digest of a known id cannot be computed from the database alone.
 */
export function digestReference(
  wrappingKey: Buffer,
  { integrationId, connectionId }: Pick<IntegrationReference, 'integrationId' | 'connectionId'>,
): Buffer {
  const key = Buffer.from(hkdfSync('sha256', wrappingKey, '', 'connection reference digest', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([integrationId, connectionId]))
    .digest();
}
