// The three chat surfaces, and how each is read and answered.
import type { DemoRequest, Provider } from './demo-request.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readMessagesRequest } from './read-messages-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import type { Frame, Reply } from './reply.ts';
import { streamChat, wholeChat } from './write-chat.ts';
import { streamMessage, wholeMessage } from './write-messages.ts';
import { streamResponse, wholeResponse } from './write-responses.ts';

export interface ModelSurface {
  readonly provider: Provider;
  read(body: unknown): DemoRequest;
  whole(reply: Reply): object;
  stream(reply: Reply, streamUsage: boolean): Generator<Frame>;
}

export const SURFACES = {
  '/v1/chat/completions': { provider: 'openai', read: readChatRequest, whole: wholeChat, stream: streamChat },
  '/v1/responses': { provider: 'openai', read: readResponsesRequest, whole: wholeResponse, stream: streamResponse },
  '/v1/messages': { provider: 'anthropic', read: readMessagesRequest, whole: wholeMessage, stream: streamMessage },
} as const satisfies Record<string, ModelSurface>;

export type SurfacePath = keyof typeof SURFACES;

export function findSurface(path: string): ModelSurface | undefined {
  return Object.hasOwn(SURFACES, path) ? SURFACES[path as SurfacePath] : undefined;
}
