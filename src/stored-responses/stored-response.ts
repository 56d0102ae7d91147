// What is kept of a response so that a later request can refer to it: everything a client would otherwise send again.
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';

/** The owner. No one else can refer to it, even with its id. */
export interface StoredOwner {
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

/** What a request adds to a conversation, as JSON. */
export interface AddedInput {
  readonly input: Uint8Array;
  readonly settings?: Uint8Array | undefined;
}

/** A response as JSON, for one that is large. */
export interface ResponseBytes {
  /** What decides whether it is stored. */
  readonly head: Loose;
  readonly itemIds: readonly string[];
  /** Without its output. */
  readonly response: Uint8Array;
  readonly output: Uint8Array;
}

/** No JSON holds bytes. */
export function isResponseBytes(response: Loose | ResponseBytes): response is ResponseBytes {
  return response['response'] instanceof Uint8Array;
}

/** A turn with an input or a response that is too large to be read here. */
export interface LargeTurn {
  readonly id: string;
  readonly previousId: string | null;
  readonly added: AddedInput;
  readonly response: ResponseBytes;
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

/** Undefined for an id that no request could refer to. */
export function readItemId(item: unknown): string | undefined {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' && STORED_ID.test(id) ? id : undefined;
}

export const STORED_ID = /^[\w-]{1,200}$/;
