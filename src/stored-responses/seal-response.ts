// A stored response at rest, in two payloads. They are bound to the row's address, so a payload copied to another row,
// for example another user's, cannot be opened there.
import { type Sealed, seal, sealLarge, unseal, unsealLarge } from '../base/seal.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import {
  type LargeTurn,
  outputOf,
  readItemId,
  type ResponseBytes,
  type StoredKind,
  type StoredOwner,
  type StoredResponse,
} from './stored-response.ts';

export const KEY_VERSION = 1;

export interface StoredRef {
  readonly kind: StoredKind;
  readonly id: string;
}

const contextOf = (name: string, { organizationId, workspaceId, userId }: StoredOwner, id: string): string[] => [
  name,
  organizationId,
  workspaceId,
  userId,
  id,
];
export const turnContext = (owner: StoredOwner, { kind, id }: StoredRef): string[] =>
  contextOf(`stored_${kind}`, owner, id);
export const outputContext = (owner: StoredOwner, { kind, id }: StoredRef): string[] =>
  contextOf(`stored_${kind}_output`, owner, id);

export interface SealedTurn {
  readonly turn: Sealed;
  readonly output: Sealed;
  readonly bytes: number;
  readonly outputBytes: number;
}

export function sealTurn(
  wrappingKey: Buffer,
  owner: StoredOwner,
  kind: StoredKind,
  { response: { output = [], ...response }, ...stored }: StoredResponse,
): SealedTurn {
  const address = { kind, id: stored.id };
  const [turn, items] = [JSON.stringify({ ...stored, response }), JSON.stringify(output)];
  const outputBytes = Buffer.byteLength(items);
  return {
    turn: seal(wrappingKey, turn, turnContext(owner, address)),
    output: seal(wrappingKey, items, outputContext(owner, address)),
    bytes: Buffer.byteLength(turn) + outputBytes,
    outputBytes,
  };
}

/** The same for a large turn, whose parts are JSON already. */
export async function sealLargeTurn(
  wrappingKey: Buffer,
  owner: StoredOwner,
  kind: StoredKind,
  { id, previousId, added, response: { response, output } }: LargeTurn,
): Promise<SealedTurn> {
  const set = kind === 'response' ? { store: true, previous_response_id: previousId } : {};
  const turn = [
    Buffer.from(`{"id":${JSON.stringify(id)},"previousId":${JSON.stringify(previousId)},"response":`),
    ...withFields(response, set),
    Buffer.from(',"input":'),
    added.input,
    ...(added.settings ? [Buffer.from(',"settings":'), added.settings] : []),
    Buffer.from('}'),
  ];
  return {
    turn: await sealLarge(wrappingKey, turn, turnContext(owner, { kind, id })),
    output: await sealLarge(wrappingKey, [output], outputContext(owner, { kind, id })),
    bytes: turn.reduce((sum, { length }) => sum + length, 0) + output.length,
    outputBytes: output.length,
  };
}

/** An object's JSON with more fields; it has at least one. */
function withFields(json: Uint8Array, fields: Loose): Uint8Array[] {
  const more = JSON.stringify(fields).slice(1);
  return [json.subarray(0, -1), Buffer.from(more === '}' ? more : `,${more}`)];
}

export function toResponseBytes(given: Loose): ResponseBytes {
  const { output = [], store: _stored, previous_response_id: _previous, ...response } = given;
  const { id, status, type } = given;
  return {
    head: { id, status, type },
    itemIds: outputOf({ response: given }).flatMap((item) => readItemId(item) ?? []),
    response: Buffer.from(JSON.stringify(response)),
    output: Buffer.from(JSON.stringify(output)),
  };
}

/**
 * Undefined if it was sealed with another wrapping key or for another row, or if the row continues another response.
 */
export function unsealTurn(
  wrappingKey: Buffer,
  owner: StoredOwner,
  row: StoredRef & { readonly previousId: string | null; readonly turn: Sealed; readonly output: Sealed },
): StoredResponse | undefined {
  const turn = unseal(wrappingKey, row.turn, turnContext(owner, row));
  const output = unseal(wrappingKey, row.output, outputContext(owner, row));
  return turn === undefined || output === undefined ? undefined : parseTurn(row, turn, output);
}

/** An opened row whose JSON has not been read. */
export interface StoredBytes extends StoredRef {
  readonly previousId: string | null;
  /** Empty if only the output was read. */
  readonly turn: Uint8Array;
  readonly output: Uint8Array;
}

/** Opens a row of any size without occupying the event loop. Undefined like the above. */
export async function openStored(
  wrappingKey: Buffer,
  owner: StoredOwner,
  row: StoredRef & { readonly previousId: string | null; readonly turn?: Sealed | undefined; readonly output: Sealed },
): Promise<StoredBytes | undefined> {
  const turn = row.turn ? await unsealLarge(wrappingKey, row.turn, turnContext(owner, row)) : NOTHING;
  const output = await unsealLarge(wrappingKey, row.output, outputContext(owner, row));
  return turn === undefined || output === undefined
    ? undefined
    : { kind: row.kind, id: row.id, previousId: row.previousId, turn, output };
}

const NOTHING = Buffer.alloc(0);
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Undefined if the row continues another response. */
export function parseStored(row: StoredBytes): StoredResponse | undefined {
  return parseTurn(row, textOf(row.turn), textOf(row.output));
}

/** Only the items of its output. */
export function parseOutput(output: Uint8Array): readonly Loose[] {
  return parseItems(textOf(output));
}

function parseTurn(
  { kind, previousId }: { readonly kind: StoredKind; readonly previousId: string | null },
  turn: string,
  output: string,
): StoredResponse | undefined {
  const stored = JSON.parse(turn) as StoredResponse;
  if (stored.previousId !== previousId) return undefined;
  const response = kind === 'response' ? { ...stored.response, output: parseItems(output) } : stored.response;
  return { ...stored, response };
}

function parseItems(text: string): readonly Loose[] {
  const items: unknown = JSON.parse(text);
  return Array.isArray(items) ? items.filter(isObject) : [];
}
