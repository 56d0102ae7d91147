// The intermediate form between client surfaces and provider protocols. A surface is decoded into it and a provider's
// body encoded from it; answers travel back as events. It holds what both sides can express; `fields/field-table.ts`
// says what happens to fields that only one protocol has.
import type { EFFORTS } from '../../contract/models.ts';

/** The three wire protocols: OpenAI Chat Completions, Anthropic Messages, OpenAI Responses. */
export type Protocol = 'chat' | 'messages' | 'responses';

export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  /** `at` is its position in the client's body. */
  | { readonly kind: 'url'; readonly url: string; readonly at?: string };

/** The end of a prefix to be cached. Sent only to Anthropic. */
export interface CacheMark {
  readonly ttl?: '5m' | '1h' | undefined;
}

interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cache?: CacheMark | undefined;
}

export interface ImagePart {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: string | undefined;
  readonly cache?: CacheMark | undefined;
}

export interface DocumentPart {
  readonly type: 'document';
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string };
  readonly title?: string | undefined;
  readonly cache?: CacheMark | undefined;
}

export type InputPart = TextPart | ImagePart | DocumentPart;

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Anthropic's signature of the text; without it the part cannot be sent back. */
  readonly signature?: string | undefined;
  /** Reasoning that the provider returns only encrypted; `text` is then empty. */
  readonly redacted?: string | undefined;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The JSON text as the model wrote it; it may be malformed. */
  readonly arguments: string;
  readonly cache?: CacheMark | undefined;
}

interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type OutputPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart;

export interface ToolResult {
  readonly id: string;
  readonly parts: readonly InputPart[];
  readonly isError: boolean;
}

export type NeutralMessage =
  | { readonly role: 'system'; readonly text: string; readonly cache?: CacheMark | undefined }
  | { readonly role: 'user'; readonly parts: readonly InputPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly OutputPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

export type JsonSchema = { readonly [key: string]: unknown };

/** Client-run tools of the Responses protocol that are identified by their type alone. */
export type TypedTool = 'tool_search' | 'local_shell' | 'shell' | 'apply_patch';

/** The client's identification of a tool, if that is more than a function name. */
export interface ToolOrigin {
  readonly kind: 'function' | 'custom' | TypedTool;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface NeutralTool {
  /** The name sent to the provider. */
  readonly name: string;
  readonly origin?: ToolOrigin | undefined;
  readonly description?: string | undefined;
  readonly schema: JsonSchema;
  readonly strict?: true | undefined;
  readonly cache?: CacheMark | undefined;
}

export type ToolChoice =
  | { readonly type: 'none' | 'auto' | 'required' }
  | { readonly type: 'named'; readonly name: string };

export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema';
      readonly name: string;
      readonly schema: JsonSchema;
      readonly strict: boolean;
      readonly description?: string | undefined;
    };

export type Effort = (typeof EFFORTS)[number];

export interface Reasoning {
  readonly effort?: Effort | undefined;
  readonly budgetTokens?: number | undefined;
  /** Whether the client wants a summary of the reasoning. */
  readonly summary?: boolean | undefined;
}

export interface NeutralRequest {
  /** The model as the client named it. */
  readonly model: string;
  /** Instructions before the conversation; later ones are messages with role `system`. */
  readonly system: readonly string[];
  /** The cache marks of `system`, by index. */
  readonly systemCache?: readonly (CacheMark | undefined)[] | undefined;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly stop: readonly string[];
  readonly seed?: number | undefined;
  readonly format?: OutputFormat | undefined;
  readonly reasoning?: Reasoning | undefined;
  readonly user?: string | undefined;
  /** The whole prompt is to be cached, where its parts have no marks of their own. */
  readonly cache?: CacheMark | undefined;
  /** The answer is a summary in place of the conversation: Responses returns it as an item of its own. */
  readonly compacts?: true | undefined;
  readonly stream: boolean;
}

/** Every count is a whole number. `inputTokens` is all input; the cache fields are parts of it, counted once. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` with a lifetime of an hour. Absent if the provider has no such entries. */
  readonly cacheWriteHourTokens?: number;
  /** A part of `outputTokens`. */
  readonly reasoningTokens: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error';

export type FailureKind =
  | 'authentication'
  | 'quota'
  | 'rate_limit'
  | 'context_length'
  | 'too_large'
  | 'invalid'
  | 'overloaded'
  | 'not_found'
  | 'timeout'
  /** Not the provider's: this service is stopping. */
  | 'stopping'
  | 'other';

export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  /** The provider's own, if it gave one. */
  readonly code?: string | undefined;
  readonly param?: string | undefined;
}

/**
 * The output of a decoder and the input of an encoder. Order: `start` first; tool calls strictly one after another
 * (start, arguments, end); the last event is `finish` or `error`, and the final `usage` comes before `finish`.
 */
export type NeutralEvent =
  | { readonly type: 'start'; readonly id: string; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'reasoning-signature'; readonly signature: string }
  | { readonly type: 'reasoning-redacted'; readonly data: string }
  | { readonly type: 'tool-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-arguments'; readonly index: number; readonly text: string }
  | { readonly type: 'tool-end'; readonly index: number }
  /** Cumulative: the last one counts. Before `final` the output count is not reliable. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly final: boolean }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string | undefined }
  | ({ readonly type: 'error' } & Failure);

export interface NeutralResponse {
  readonly id: string;
  readonly model: string;
  readonly parts: readonly OutputPart[];
  readonly finish: FinishReason;
  readonly stopSequence?: string | undefined;
  readonly usage?: Usage | undefined;
}

export interface StreamDecoder {
  /** The events do not depend on how the bytes are split. */
  feed(bytes: Uint8Array): NeutralEvent[];
  /** The bytes have ended: anything still open is finished or reported as an error. */
  end(): NeutralEvent[];
}

export interface StreamEncoder {
  /** The event as SSE text; empty if nothing is to be sent yet. Nothing follows `finish` or `error`. */
  encode(event: NeutralEvent): string;
}
