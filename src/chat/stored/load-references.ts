// Loads the contents of a request's references, as far as the user may access them. An item is read once and counted at
// each position that refers to it, because that is what a provider would be sent.
import { AppError } from '../../base/errors.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';
import type { Database } from '../../store/database.ts';
import type { Found } from './expand-references.ts';
import type { References } from './find-references.ts';
import { findInputItem, readInputItemId } from './input-item-ids.ts';
import { lookUpReferences } from './look-up-references.ts';
import { readOutputs, readStored } from './read-stored.ts';
import { outputOf, STORED_LIMITS, type StoredPlace, type StoredResponse } from './stored-response.ts';

export interface LoadDeps {
  readonly db: Database;
  readonly wrappingKey: Buffer;
  readonly days: number;
}

export interface Loaded extends Found {
  readonly tooLong: boolean;
  readonly foreign: ReadonlySet<string>;
  /** What is inserted into the request, by position. */
  readonly bytes: number;
}

const ID = /^[\w-]{1,200}$/;

/**
 * `take` is called with the number of bytes before any of them are read, and with those that positions repeat; an error
 * it throws is a refusal.
 */
export async function loadReferences(
  { db, wrappingKey, days }: LoadDeps,
  place: StoredPlace,
  { previousId, items }: References,
  take: (bytes: number) => void,
): Promise<Loaded> {
  if (items.size > STORED_LIMITS.references)
    throw new AppError('invalid_request', { input: `refers to more than ${STORED_LIMITS.references} items` });
  const itemIds = new Set([...items.values()].filter((id) => ID.test(id)));
  const { chain, holders, foreign, bytes, ...looked } = await lookUpReferences(
    db,
    place,
    {
      kind: 'response',
      previousId: previousId !== undefined && ID.test(previousId) ? previousId : undefined,
      itemIds: [...itemIds],
    },
    days,
  );
  if (looked.tooLong || bytes > STORED_LIMITS.conversationBytes)
    return { conversation: undefined, items: new Map(), tooLong: true, foreign, bytes };
  if (bytes > 0) take(bytes);

  const inputs = [...holders].filter(([id, holder]) => readInputItemId(id)?.responseId === holder);
  const outputs = [...holders].filter(([id, holder]) => readInputItemId(id)?.responseId !== holder);
  const stored = await readStored(db, wrappingKey, place, [
    ...new Set([...(chain ?? []), ...inputs.map(([, holder]) => holder)]),
  ]);
  const found = new Map<string, Loose>();
  for (const item of await readOutputs(db, wrappingKey, place, [...new Set(outputs.map(([, holder]) => holder))]))
    if (itemIds.has(String(item['id']))) found.set(String(item['id']), item);
  for (const [id, holder] of inputs) {
    const response = stored.get(holder);
    const item = response && findInputItem(response, id);
    if (item) found.set(id, item);
  }
  const conversation = chain && conversationOf(chain, stored);
  const inserted = bytesOf(conversation ?? []) + bytesAtPositions(items, found);
  const tooLong = inserted > STORED_LIMITS.conversationBytes;
  if (!tooLong && inserted > bytes) take(inserted - bytes);
  return { conversation, items: found, tooLong, foreign, bytes: inserted };
}

/** Each item is measured once. */
function bytesAtPositions(items: References['items'], found: ReadonlyMap<string, Loose>): number {
  const sizes = new Map([...found].map(([id, item]) => [id, bytesOf([item])]));
  let bytes = 0;
  for (const id of items.values()) bytes += sizes.get(id) ?? 0;
  return bytes;
}

/** Undefined if any part cannot be opened or has been deleted meanwhile: half a conversation is not usable. */
function conversationOf(chain: readonly string[], stored: ReadonlyMap<string, StoredResponse>): Loose[] | undefined {
  const parts = chain.map((id) => stored.get(id));
  if (parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => (part ? [...part.input, ...outputOf(part)] : []));
}

function bytesOf(items: readonly Loose[]): number {
  return items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)) + 1, 0);
}
