// Puts the stored turns of a thread of /v1/messages before the messages of a request that continues it. The thread has
// kept its system prompt and its tools, which no later turn may repeat.
import { isAbsent, isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import type { StoredResponse } from './stored-response.ts';

export type ThreadAsk =
  | { readonly type: 'create' }
  | { readonly type: 'continue'; readonly previousId: string }
  | { readonly type: 'malformed' };

/** Fields of a thread that it is begun with. */
export const CREATE_ONLY = ['system', 'tools'] as const;

/** Undefined when the body names no thread. */
export function findThread({ thread }: Loose): ThreadAsk | undefined {
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

/** A reply without content is none, and thinking that nobody has signed cannot be sent again. */
function replyOf({ content }: Loose): Loose[] {
  const blocks = Array.isArray(content)
    ? (content as readonly Loose[]).filter(
        ({ type, signature }) => type !== 'thinking' || (typeof signature === 'string' && signature !== ''),
      )
    : [];
  return blocks.length === 0 ? [] : [{ role: 'assistant', content: blocks }];
}

/** Marks of where to cache were meant for the request that first had them: together they would be more than one may have. */
function withoutCacheMarks<Part>(part: Part): Part {
  if (!isObject(part)) return part;
  const { cache_control: _mark, ...rest } = part as Loose;
  const { content } = rest;
  return (Array.isArray(content) ? { ...rest, content: content.map(withoutCacheMarks) } : rest) as Part;
}
