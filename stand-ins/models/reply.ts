// A model's answer before it is written in one of the wire formats.

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** The text for a tool that takes text instead of arguments. */
  readonly input?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Usage {
  /** Including those read from a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
}

export type End = 'complete' | 'length' | 'stop-sequence';

export interface Reply {
  /** Without the id prefix of each format. */
  readonly id: string;
  readonly model: string;
  readonly createdAt: Date;
  /** Thinking shown before the answer. */
  readonly thinking?: string | undefined;
  /** The text as it is streamed, piece by piece. */
  readonly pieces: readonly string[];
  readonly calls: readonly ToolCall[];
  /** The text stands for the conversation: on Responses it is sealed in an item of its own. */
  readonly compacts?: boolean | undefined;
  readonly end: End;
  readonly stopSequence?: string | undefined;
  /** Undefined for a provider that does not report it. */
  readonly usage: Usage | undefined;
}

/** One event of a stream. */
export interface Frame {
  readonly event?: string;
  readonly data: string;
  /** Number of answer tokens it contains, which determines the delay. */
  readonly tokens: number;
}

export function formatFrame({ event, data }: Pick<Frame, 'event' | 'data'>): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
