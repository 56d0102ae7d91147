// Finds what a Responses body refers to instead of saying it.
import { isAbsent, isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';

export interface References {
  readonly previousId: string | undefined;
  /** Items of the input that only name another, by their place. */
  readonly items: ReadonlyMap<number, string>;
}

/** Undefined when the body says everything itself. */
export function findReferences(body: Loose): References | undefined {
  const { previous_response_id: previousId, input } = body;
  const items = new Map<number, string>();
  if (Array.isArray(input))
    for (const [index, item] of (input as readonly unknown[]).entries())
      if (isObject(item) && isReference(item)) items.set(index, item['id']);
  const previous = typeof previousId === 'string' && previousId !== '' ? previousId : undefined;
  return previous === undefined && items.size === 0 ? undefined : { previousId: previous, items };
}

/** OpenAI lets a client leave the type out: what has an id and nothing else can be nothing else. */
function isReference(item: Loose): item is Loose & { readonly id: string } {
  if (typeof item['id'] !== 'string') return false;
  return (
    item['type'] === 'item_reference' ||
    (isAbsent(item['type']) && Object.keys(item).every((field) => field === 'id' || field === 'type'))
  );
}
