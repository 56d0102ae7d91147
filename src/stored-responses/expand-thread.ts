// Prepends the stored turns of a /v1/messages thread to the messages of a request that continues it. The thread keeps
// its system prompt and tools, which no later turn may repeat.
import { isAbsent, isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import type { StoredResponse } from './stored-response.ts';

export type ThreadReference =
  | { readonly type: 'create' }
  | { readonly type: 'continue'; readonly previousId: string }
  | { readonly type: 'malformed' };

/** Fields that can be given only when a thread is started. */
export const CREATE_ONLY = ['system', 'tools'] as const;

/** Undefined if the body names no thread. */
export function findThread({ thread }: Loose): ThreadReference | undefined {
  if (isAbsent(thread)) return undefined;
  if (isObject(thread) && thread['type'] === 'create') return { type: 'create' };
  const previousId = isObject(thread) && thread['type'] === 'continue' ? thread['previous_message_id'] : undefined;
  return typeof previousId === 'string' ? { type: 'continue', previousId } : { type: 'malformed' };
}

export function settingsOf(body: Loose): Loose {
  return Object.fromEntries(CREATE_ONLY.flatMap((field) => (isAbsent(body[field]) ? [] : [[field, body[field]]])));
}

export function messagesOf({ messages }: Loose): readonly Loose[] {
  return Array.isArray(messages) ? (messages as readonly Loose[]) : [];
}

export function expandThread({ thread: _named, ...body }: Loose, turns: readonly StoredResponse[]): Loose {
  const earlier = turns.flatMap(({ input, response }) => [...input.map(withoutCacheMarks), ...replyOf(response)]);
  return { ...body, ...turns[0]?.settings, messages: [...earlier, ...messagesOf(body)] };
}

/** A reply without content is skipped, and unsigned thinking cannot be sent again. */
function replyOf({ content }: Loose): Loose[] {
  const blocks = Array.isArray(content)
    ? (content as readonly Loose[]).filter(
        ({ type, signature }) => type !== 'thinking' || (typeof signature === 'string' && signature !== ''),
      )
    : [];
  return blocks.length === 0 ? [] : [{ role: 'assistant', content: blocks }];
}

/** Cache markers were meant for the request that first had them; together they would exceed the limit per request. */
function withoutCacheMarks<Part>(part: Part): Part {
  if (!isObject(part)) return part;
  const { cache_control: _mark, ...rest } = part as Loose;
  const { content } = rest;
  return (Array.isArray(content) ? { ...rest, content: content.map(withoutCacheMarks) } : rest) as Part;
}
