// What a model answers, before one of the wire formats is put around it.

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** For a tool that takes a text: the text, instead of the arguments. */
  readonly input?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Usage {
  /** Those read from a cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
}

export type End = 'complete' | 'length' | 'stop-sequence';

export interface Reply {
  /** Without the prefix that each format has for its ids. */
  readonly id: string;
  readonly model: string;
  readonly createdAt: Date;
  /** What is shown of thinking before the answer. */
  readonly thinking?: string | undefined;
  /** The text as it is streamed, piece by piece. */
  readonly pieces: readonly string[];
  readonly calls: readonly ToolCall[];
  readonly end: End;
  readonly stopSequence?: string | undefined;
  /** Undefined: a provider that says nothing of it. */
  readonly usage: Usage | undefined;
}

/** One event of a stream. */
export interface Frame {
  readonly event?: string;
  readonly data: string;
  /** How many tokens of the answer it brings: what a reader has to wait for. */
  readonly tokens: number;
}

export function formatFrame({ event, data }: Pick<Frame, 'event' | 'data'>): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
