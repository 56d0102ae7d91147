// A stored response at rest, in two payloads. They are bound to the row's address, so a payload copied to another row,
// for example another user's, cannot be opened there.
import { type Sealed, seal, unseal } from '../../base/seal.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import type { StoredKind, StoredPlace, StoredResponse } from './stored-response.ts';

export const KEY_VERSION = 1;

export interface StoredRef {
  readonly kind: StoredKind;
  readonly id: string;
}

const contextOf = (name: string, { organizationId, workspaceId, userId }: StoredPlace, id: string): string[] => [
  name,
  organizationId,
  workspaceId,
  userId,
  id,
];
const turnContext = (place: StoredPlace, { kind, id }: StoredRef): string[] => contextOf(`stored_${kind}`, place, id);
const outputContext = (place: StoredPlace, { kind, id }: StoredRef): string[] =>
  contextOf(`stored_${kind}_output`, place, id);

export interface SealedTurn {
  readonly turn: Sealed;
  readonly output: Sealed;
  readonly bytes: number;
  readonly outputBytes: number;
}

export function sealTurn(
  wrappingKey: Buffer,
  place: StoredPlace,
  kind: StoredKind,
  { response: { output = [], ...response }, ...stored }: StoredResponse,
): SealedTurn {
  const address = { kind, id: stored.id };
  const [turn, items] = [JSON.stringify({ ...stored, response }), JSON.stringify(output)];
  const outputBytes = Buffer.byteLength(items);
  return {
    turn: seal(wrappingKey, turn, turnContext(place, address)),
    output: seal(wrappingKey, items, outputContext(place, address)),
    bytes: Buffer.byteLength(turn) + outputBytes,
    outputBytes,
  };
}

/**
 * Undefined if it was sealed with another wrapping key or for another row, or if the row continues another response.
 */
export function unsealTurn(
  wrappingKey: Buffer,
  place: StoredPlace,
  row: StoredRef & { readonly previousId: string | null; readonly turn: Sealed; readonly output: Sealed },
): StoredResponse | undefined {
  const text = unseal(wrappingKey, row.turn, turnContext(place, row));
  const output = unsealOutput(wrappingKey, place, row);
  if (text === undefined || output === undefined) return undefined;
  const stored = JSON.parse(text) as StoredResponse;
  return stored.previousId === row.previousId
    ? { ...stored, response: row.kind === 'response' ? { ...stored.response, output } : stored.response }
    : undefined;
}

/** Only the items of its output. */
export function unsealOutput(
  wrappingKey: Buffer,
  place: StoredPlace,
  row: StoredRef & { readonly output: Sealed },
): readonly Loose[] | undefined {
  const text = unseal(wrappingKey, row.output, outputContext(place, row));
  const items: unknown = text === undefined ? undefined : JSON.parse(text);
  return Array.isArray(items) ? items.filter(isObject) : undefined;
}
