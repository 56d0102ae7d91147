// Replaces references with the stored items, so that everything downstream (policy, bounds, codecs) sees the
// conversation itself. As OpenAI documents, instructions of an earlier response are not carried over.
import { isAbsent, type Loose } from '../model-providers/codecs/read-fields.ts';
import type { References } from './find-references.ts';

/** The resolved references. */
export interface Found {
  /** The conversation up to and including the previous response; undefined if there is no such response. */
  readonly conversation: readonly Loose[] | undefined;
  readonly items: ReadonlyMap<string, Loose>;
}

export interface Expanded {
  readonly body: Loose;
  /** The part of the input that this request adds to the conversation. */
  readonly added: readonly Loose[];
  /** References that were not found, by their position in the client's body. */
  readonly missing: ReadonlyMap<string, string>;
}

export function expandReferences(body: Loose, { previousId, items }: References, found: Found): Expanded {
  const missing = new Map<string, string>();
  if (previousId !== undefined && found.conversation === undefined) missing.set('previous_response_id', previousId);
  const added = inputItems(body).map((item, index) => {
    const id = items.get(index);
    if (id === undefined) return item;
    const stored = found.items.get(id);
    if (stored === undefined) missing.set(`input.${index}`, id);
    return stored ?? item;
  });
  if (found.conversation === undefined) return { body: { ...body, input: added }, added, missing };
  const { previous_response_id: _continued, ...rest } = body;
  return { body: { ...rest, input: [...found.conversation, ...added] }, added, missing };
}

/** The input as items; a string is a user message. */
export function inputItems({ input }: Loose): readonly Loose[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  if (Array.isArray(input)) return input as readonly Loose[];
  return isAbsent(input) ? [] : [input as Loose];
}
