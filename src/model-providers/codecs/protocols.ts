// The codec of each protocol: a client's request, the same for a provider, and a provider's answer. What a surface
// answers is in `encode-answer.ts`.
import { decodeChatRequest } from './chat/decode-request.ts';
import { decodeChatResponse } from './chat/decode-response.ts';
import { type ChatTarget, encodeChatRequest } from './chat/encode-request.ts';
import { createChatStreamDecoder } from './chat/decode-stream.ts';
import type { Target } from './fields/cells.ts';
import { encodeAnthropicError, encodeOpenAiError } from './encode-error.ts';
import { decodeMessagesRequest } from './messages/decode-request.ts';
import { decodeMessagesResponse } from './messages/decode-response.ts';
import { encodeMessagesRequest, type MessagesTarget } from './messages/encode-request.ts';
import { createMessagesStreamDecoder } from './messages/decode-stream.ts';
import type { NeutralEvent, NeutralRequest, Protocol, StreamDecoder } from './neutral.ts';
import type { Loose } from './read-fields.ts';
import { decodeResponsesRequest } from './responses/decode-request.ts';
import { decodeResponsesResponse } from './responses/decode-response.ts';
import { encodeResponsesRequest } from './responses/encode-request.ts';
import { createResponsesStreamDecoder } from './responses/decode-stream.ts';

interface EncodeOptions {
  readonly model: string;
  /** The model's own limit. */
  readonly maxOutputTokens: number;
  readonly thinking: MessagesTarget['thinking'];
  /** The field of Chat Completions that limits the answer. */
  readonly limitField: ChatTarget['maxTokensField'];
}

/** Anthropic requires an output limit, which most OpenAI clients omit. Coding agents stream, and treat a truncated answer as a failure. */
const DEFAULT_MAX_TOKENS = { whole: 8_192, streamed: 32_000 } as const;

export interface ProtocolRow {
  readonly path: string;
  readonly decodeRequest: (body: unknown, target?: Target) => NeutralRequest;
  readonly encodeRequest: (request: NeutralRequest, options: EncodeOptions) => Loose;
  readonly decodeResponse: (body: unknown) => NeutralEvent[];
  readonly createStreamDecoder: () => StreamDecoder;
  readonly encodeError: (error: unknown) => { status: number; body: object };
}

export const PROTOCOLS = {
  chat: {
    path: '/v1/chat/completions',
    decodeRequest: decodeChatRequest,
    encodeRequest: (request, { model, limitField }) =>
      encodeChatRequest(request, { model, maxTokensField: limitField, reasoning: true, sampling: true }),
    decodeResponse: decodeChatResponse,
    createStreamDecoder: createChatStreamDecoder,
    encodeError: encodeOpenAiError,
  },
  messages: {
    path: '/v1/messages',
    decodeRequest: decodeMessagesRequest,
    encodeRequest: (request, { model, maxOutputTokens, thinking }) =>
      encodeMessagesRequest(request, {
        model,
        defaultMaxTokens: Math.min(DEFAULT_MAX_TOKENS[request.stream ? 'streamed' : 'whole'], maxOutputTokens),
        thinking,
        sampling: true,
      }),
    decodeResponse: decodeMessagesResponse,
    createStreamDecoder: createMessagesStreamDecoder,
    encodeError: encodeAnthropicError,
  },
  responses: {
    path: '/v1/responses',
    decodeRequest: decodeResponsesRequest,
    encodeRequest: (request, { model }) => encodeResponsesRequest(request, { model, reasoning: true, sampling: true }),
    decodeResponse: decodeResponsesResponse,
    createStreamDecoder: createResponsesStreamDecoder,
    encodeError: (error: unknown) => encodeOpenAiError(error, 'responses'),
  },
} as const satisfies Record<Protocol, ProtocolRow>;
