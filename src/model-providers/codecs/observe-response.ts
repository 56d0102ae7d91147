import type { Protocol, Usage } from './neutral.ts';
import { isObject } from './read-fields.ts';
import { findChatUsage, findMessagesUsage, findResponsesUsage } from './usage.ts';

const USAGE = {
  chat: findChatUsage,
  messages: findMessagesUsage,
  responses: findResponsesUsage,
} as const satisfies Record<Protocol, (value: unknown) => Usage | undefined>;

/** The id and usage of a whole answer that is passed through. Embeddings report like Chat Completions. */
export function observeResponse(
  protocol: Protocol,
  body: unknown,
): { id: string | undefined; usage: Usage | undefined } {
  if (!isObject(body)) return { id: undefined, usage: undefined };
  return { id: typeof body['id'] === 'string' ? body['id'] : undefined, usage: USAGE[protocol](body['usage']) };
}
