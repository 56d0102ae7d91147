// Finds what a Responses body refers to instead of containing it.
import { isAbsent, isObject, type Loose } from '../model-providers/codecs/read-fields.ts';

export interface References {
  readonly previousId: string | undefined;
  /** Input items that only reference another item, by position. */
  readonly items: ReadonlyMap<number, string>;
}

/** Undefined if the body contains everything itself. */
export function findReferences(body: Loose): References | undefined {
  const { previous_response_id: previousId, input } = body;
  const items = new Map<number, string>();
  if (Array.isArray(input))
    for (const [index, item] of (input as readonly unknown[]).entries())
      if (isObject(item) && isReference(item)) items.set(index, item['id']);
  const previous = typeof previousId === 'string' && previousId !== '' ? previousId : undefined;
  return previous === undefined && items.size === 0 ? undefined : { previousId: previous, items };
}

/** OpenAI lets clients omit the type: an item with an id and nothing else can only be a reference. */
function isReference(item: Loose): item is Loose & { readonly id: string } {
  if (typeof item['id'] !== 'string') return false;
  return (
    item['type'] === 'item_reference' ||
    (isAbsent(item['type']) && Object.keys(item).every((field) => field === 'id' || field === 'type'))
  );
}
