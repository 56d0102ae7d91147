// What is kept of a response so that a later request can refer to it: everything a client would otherwise send again.
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

/** The owner. No one else can refer to it, even with its id. */
export interface StoredPlace {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

/** A response of /v1/responses, or the message that ends a turn of a /v1/messages thread. */
export type StoredKind = 'response' | 'message';

export interface StoredResponse {
  readonly id: string;
  /** The response it continues, which holds the conversation before `input`. */
  readonly previousId: string | null;
  /** The items that the request added, with references resolved. */
  readonly input: readonly Loose[];
  /** The response object or message as the client received it. */
  readonly response: Loose;
  /** For a thread: the fields it was started with, which later turns do not repeat. */
  readonly settings?: Loose;
}

/** docs/users/chat-api.md prints these. */
export const STORED_LIMITS = {
  /** Of one response, and of a continued conversation: no more than a request body may have. */
  conversationBytes: 32 * 1024 * 1024,
  /** The longest chain of responses that continue each other. */
  conversationResponses: 1_000,
  /** Positions of one request that refer to an item. */
  references: 10_000,
  /** Per user and organization; the oldest are deleted first. */
  personResponses: 10_000,
  personBytes: 512 * 1024 * 1024,
} as const;

/** The items of an answer, as a client would send them again. */
export function outputOf({ response }: Pick<StoredResponse, 'response'>): readonly Loose[] {
  return Array.isArray(response['output']) ? (response['output'] as readonly Loose[]) : [];
}
