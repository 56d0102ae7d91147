// The decoders of each protocol: a client's request and a provider's answer. Encoding needs more context: see
// `encode-answer.ts` for surfaces and each protocol's `encode-request.ts` for providers.
import { decodeChatRequest } from './chat/decode-request.ts';
import { decodeChatResponse } from './chat/decode-response.ts';
import { createChatStreamDecoder } from './chat/decode-stream.ts';
import type { Target } from './fields/cells.ts';
import { encodeAnthropicError, encodeOpenAiError } from './encode-error.ts';
import { decodeMessagesRequest } from './messages/decode-request.ts';
import { decodeMessagesResponse } from './messages/decode-response.ts';
import { createMessagesStreamDecoder } from './messages/decode-stream.ts';
import type { NeutralEvent, NeutralRequest, Protocol, StreamDecoder } from './neutral.ts';
import { decodeResponsesRequest } from './responses/decode-request.ts';
import { decodeResponsesResponse } from './responses/decode-response.ts';
import { createResponsesStreamDecoder } from './responses/decode-stream.ts';

interface ProtocolRow {
  readonly path: string;
  readonly decodeRequest: (body: unknown, target?: Target) => NeutralRequest;
  readonly decodeResponse: (body: unknown) => NeutralEvent[];
  readonly createStreamDecoder: () => StreamDecoder;
  readonly encodeError: (error: unknown) => { status: number; body: object };
}

export const PROTOCOLS = {
  chat: {
    path: '/v1/chat/completions',
    decodeRequest: decodeChatRequest,
    decodeResponse: decodeChatResponse,
    createStreamDecoder: createChatStreamDecoder,
    encodeError: encodeOpenAiError,
  },
  messages: {
    path: '/v1/messages',
    decodeRequest: decodeMessagesRequest,
    decodeResponse: decodeMessagesResponse,
    createStreamDecoder: createMessagesStreamDecoder,
    encodeError: encodeAnthropicError,
  },
  responses: {
    path: '/v1/responses',
    decodeRequest: decodeResponsesRequest,
    decodeResponse: decodeResponsesResponse,
    createStreamDecoder: createResponsesStreamDecoder,
    encodeError: (error: unknown) => encodeOpenAiError(error, 'responses'),
  },
} as const satisfies Record<Protocol, ProtocolRow>;
