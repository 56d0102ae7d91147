// A stored response at rest. Its context is the row's address, so that a payload copied to another row, another
// person's for instance, does not open there.
import { type Sealed, seal, unseal } from '../../base/seal.ts';
import type { StoredKind, StoredPlace, StoredResponse } from './stored-response.ts';

export const KEY_VERSION = 1;

interface Address {
  readonly kind: StoredKind;
  readonly id: string;
}

const contextOf = ({ organizationId, workspaceId, userId }: StoredPlace, { kind, id }: Address): string[] => [`stored_${kind}`, organizationId, workspaceId, userId, id];

export function sealResponse(wrappingKey: Buffer, place: StoredPlace, address: Address, json: string): Sealed {
  return seal(wrappingKey, json, contextOf(place, address));
}

/** Undefined when the wrapping key or the row is not the one it was sealed with, or the row continues another response. */
export function unsealResponse(wrappingKey: Buffer, place: StoredPlace, row: Address & { readonly previousId: string | null; readonly sealed: Sealed }): StoredResponse | undefined {
  const text = unseal(wrappingKey, row.sealed, contextOf(place, row));
  const stored = text === undefined ? undefined : (JSON.parse(text) as StoredResponse);
  return stored?.previousId === row.previousId ? stored : undefined;
}
