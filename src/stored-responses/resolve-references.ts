// What a request refers to, from the rows that hold it.
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import type { Found } from './expand-references.ts';
import type { References } from './find-references.ts';
import { findInputItem, readInputItemId } from './input-item-ids.ts';
import { parseOutput, parseStored, type StoredBytes } from './seal-response.ts';
import { outputOf, type StoredResponse } from './stored-response.ts';

export interface ReferencePlan {
  readonly references: References;
  /** Ids from the first response of the conversation to the previous one; undefined if any of them is missing. */
  readonly chain: readonly string[] | undefined;
  /** The response that contains an item, by the item's id. */
  readonly holders: ReadonlyMap<string, string>;
}

/** What a body refers to, as it was stored: the turns of a thread, or the responses and items of a plan. */
export interface StoredParts {
  readonly rows: readonly StoredBytes[];
  /** For `/v1/responses`. */
  readonly plan?: ReferencePlan | undefined;
}

export interface Resolved extends Found {
  /** What is inserted into the request; an item counts wherever it is referred to. */
  readonly bytes: number;
}

/** The rows whose input is needed, and those of which only the output is. */
export function rowsOf({ chain, holders }: ReferencePlan): { whole: string[]; outputs: string[] } {
  const whole = new Set(chain);
  const outputs = new Set<string>();
  for (const [id, holder] of holders) (isInput(id, holder) ? whole : outputs).add(holder);
  return { whole: [...whole], outputs: [...outputs] };
}

/** Rows without a turn were read for their output only. */
export function resolveReferences(
  { references, chain, holders }: ReferencePlan,
  rows: readonly StoredBytes[],
): Resolved {
  const stored = new Map(
    rows.flatMap((row) => {
      const turn = row.turn.length > 0 ? parseStored(row) : undefined;
      return turn ? [[turn.id, turn] as const] : [];
    }),
  );
  const found = new Map<string, Loose>();
  const holding = new Set(holders.values());
  for (const { id: row, output } of rows)
    for (const item of holding.has(row) ? parseOutput(output) : []) {
      const id = String(item['id']);
      if (holders.get(id) === row && !isInput(id, row)) found.set(id, item);
    }
  for (const [id, holder] of holders) {
    const response = isInput(id, holder) ? stored.get(holder) : undefined;
    const item = response && findInputItem(response, id);
    if (item) found.set(id, item);
  }
  const conversation = chain && conversationOf(chain, stored);
  return { conversation, items: found, bytes: bytesOf(conversation ?? []) + bytesAtPositions(references.items, found) };
}

const isInput = (id: string, holder: string): boolean => readInputItemId(id)?.responseId === holder;

/** Undefined if any part cannot be opened or has been deleted meanwhile: half a conversation is not usable. */
function conversationOf(chain: readonly string[], stored: ReadonlyMap<string, StoredResponse>): Loose[] | undefined {
  const parts = chain.map((id) => stored.get(id));
  if (parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => (part ? [...part.input, ...outputOf(part)] : []));
}

/** An item counts at each position that refers to it, because that is what a provider would be sent. */
function bytesAtPositions(items: References['items'], found: ReadonlyMap<string, Loose>): number {
  const sizes = new Map([...found].map(([id, item]) => [id, bytesOf([item])]));
  let bytes = 0;
  for (const id of items.values()) bytes += sizes.get(id) ?? 0;
  return bytes;
}

function bytesOf(items: readonly Loose[]): number {
  return items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)) + 1, 0);
}
