// What is kept of a response so that a later request can refer to it: what a client would send again.
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

/** Whose it is. Nobody else can refer to it, whatever they know of it. */
export interface StoredPlace {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

/** A response of /v1/responses, or the message that ends a turn of a thread of /v1/messages. */
export type StoredKind = 'response' | 'message';

export interface StoredResponse {
  readonly id: string;
  /** The response that it continues: the conversation before `input` is that one's. */
  readonly previousId: string | null;
  /** What the request added, with the items in the place of references to them. */
  readonly input: readonly Loose[];
  /** The response object, or the message, as the client got it. */
  readonly response: Loose;
  /** Of a thread: what it was begun with and no later turn repeats. */
  readonly settings?: Loose;
}

/** docs/users/chat-api.md prints these. */
export const STORED_LIMITS = {
  /** Of one response, and of a conversation that is continued: no more than a body may have. */
  conversationBytes: 32 * 1024 * 1024,
  /** Responses in a row that each continue the one before. */
  conversationResponses: 1_000,
  /** Of one person in one organization; the oldest go first. */
  personResponses: 10_000,
  personBytes: 512 * 1024 * 1024,
} as const;

/** The items of an answer, as a client sends them again. */
export function outputOf({ response }: Pick<StoredResponse, 'response'>): readonly Loose[] {
  return Array.isArray(response['output']) ? (response['output'] as readonly Loose[]) : [];
}
