// The contents behind a request's references, as far as the person may use them.
import { isObject, type Loose } from '../../providers/codecs/read-fields.ts';
import type { Database } from '../../store/database.ts';
import type { Found } from './expand-references.ts';
import type { References } from './find-references.ts';
import { findInputItem } from './input-item-ids.ts';
import { lookUpReferences } from './look-up-references.ts';
import { readStored } from './read-stored.ts';
import { outputOf, type StoredPlace, type StoredResponse } from './stored-response.ts';

export interface LoadDeps {
  readonly db: Database;
  readonly wrappingKey: Buffer;
  readonly days: number;
}

export interface Loaded extends Found {
  readonly tooLong: boolean;
  readonly foreign: ReadonlySet<string>;
  readonly bytes: number;
}

const ID = /^[\w-]{1,200}$/;

/** `take` is called with the bytes before any of them are read; what it throws is a refusal. */
export async function loadReferences({ db, wrappingKey, days }: LoadDeps, place: StoredPlace, { previousId, items }: References, take: (bytes: number) => void): Promise<Loaded> {
  const itemIds = [...new Set(items.values())].filter((id) => ID.test(id));
  const found = await lookUpReferences(db, place, { kind: 'response', previousId: previousId !== undefined && ID.test(previousId) ? previousId : undefined, itemIds }, days);
  const { chain, tooLong, foreign, bytes } = found;
  const ids = [...new Set([...(chain ?? []), ...found.holders.values()])];
  if (ids.length === 0) return { conversation: undefined, items: new Map(), tooLong, foreign, bytes: 0 };
  take(bytes);
  const stored = await readStored(db, wrappingKey, place, ids);
  return { conversation: chain && conversationOf(chain, stored), items: itemsOf(found.holders, stored), tooLong, foreign, bytes };
}

/** Undefined when a part of it does not open, or went meanwhile: half a conversation is none. */
function conversationOf(chain: readonly string[], stored: ReadonlyMap<string, StoredResponse>): Loose[] | undefined {
  const parts = chain.map((id) => stored.get(id));
  if (parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => (part ? [...part.input, ...outputOf(part)] : []));
}

function itemsOf(holders: ReadonlyMap<string, string>, stored: ReadonlyMap<string, StoredResponse>): Map<string, Loose> {
  const items = new Map<string, Loose>();
  for (const [id, holder] of holders) {
    const response = stored.get(holder);
    const item = response && (outputOf(response).find((one) => isObject(one) && one['id'] === id) ?? findInputItem(response, id));
    if (item) items.set(id, item);
  }
  return items;
}
