import { encodeChatResponse } from './chat/encode-response.ts';
import { createChatStreamEncoder } from './chat/encode-stream.ts';
import { encodeMessagesResponse } from './messages/encode-response.ts';
import { createMessagesStreamEncoder } from './messages/encode-stream.ts';
import type { NeutralResponse, NeutralTool, Protocol, StreamEncoder } from './neutral.ts';
import type { Loose } from './read-fields.ts';
import { encodeResponsesResponse } from './responses/encode-response.ts';
import { createResponsesStreamEncoder } from './responses/encode-stream.ts';

/** How an answer identifies itself to the client, whatever the surface. */
export interface Answer {
  /** Letters and digits unique to this answer; each surface adds its prefix. */
  readonly key: string;
  /** The model's id in the catalogue. */
  readonly model: string;
  readonly createdSeconds: number;
  readonly includeUsage: boolean;
  /** The client's body. On Responses, `store` says whether the answer is stored here. */
  readonly request: Loose;
  /**
   * Tools that the provider sees under another name, or as another kind, than the client: their calls are mapped back.
   */
  readonly tools?: readonly NeutralTool[] | undefined;
  /** Whether the text is a summary in place of the conversation. */
  readonly compacts?: true | undefined;
}

const PREFIX = { chat: 'chatcmpl-', messages: 'msg_', responses: 'resp_' } as const satisfies Record<Protocol, string>;

export function createStreamEncoder(surface: Protocol, answer: Answer): StreamEncoder {
  const named = { ...answer, id: PREFIX[surface] + answer.key };
  if (surface === 'chat') return createChatStreamEncoder(named);
  return surface === 'messages' ? createMessagesStreamEncoder(named) : createResponsesStreamEncoder(named);
}

/** The whole answer as JSON text. */
export function encodeResponse(surface: Protocol, response: NeutralResponse, answer: Answer): string {
  const named = { ...answer, id: PREFIX[surface] + answer.key };
  if (surface === 'chat') return JSON.stringify(encodeChatResponse(response, named));
  return surface === 'messages'
    ? JSON.stringify(encodeMessagesResponse(response, named))
    : encodeResponsesResponse(response, named);
}
