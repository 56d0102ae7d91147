import type { ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { ProviderError } from '../../model-providers/codecs/provider-error.ts';
import { PROTOCOLS } from '../../model-providers/codecs/protocols.ts';
import { type RenderedError, writeError as write } from '../shell/write-error.ts';
import type { ChatSurface } from './surfaces.ts';

/**
 * An error in the surface's own format, OpenAI's or Anthropic's. Once an answer has begun, the connection is closed
 * instead; a refusal by the provider is then an event of the stream (response-sink.ts).
 */
export function writeError(response: ServerResponse, surface: Pick<ChatSurface, 'protocol'>, error: unknown): void {
  write(response, error, RENDER[surface.protocol]);
}

const RENDER = {
  chat: (error) => withRetryHint(PROTOCOLS.chat.encodeError(error), error),
  responses: (error) => withRetryHint(PROTOCOLS.responses.encodeError(error), error),
  messages: (error) => withRetryHint(PROTOCOLS.messages.encodeError(error), error),
} satisfies Record<ChatSurface['protocol'], (error: unknown) => RenderedError>;

/**
 * The official clients retry on these statuses unless told not to. No budget is restored within seconds, and a request
 * that was charged without an answer would be charged again: whether to repeat it is for a person to decide.
 */
function withRetryHint(rendered: { status: number; body: object }, error: unknown): RenderedError {
  const { status } = rendered;
  const isUnwise =
    (status === 409 || status === 429 || status >= 500) &&
    error instanceof AppError &&
    (!error.retryable || error.details['charged'] === true);
  const told = error instanceof ProviderError ? error.headers : {};
  return { ...rendered, headers: { ...told, ...(isUnwise ? { 'x-should-retry': 'false' } : {}) } };
}
