// What an MCP client can do, on the fast path and through the SDK: list tools page by page, and call one.
import type { ToolCaller } from '../../tools/call-tool.ts';

export interface ToolPage {
  /** The array as JSON, serialised once and sent many times. */
  readonly tools: Buffer;
  readonly nextCursor?: string;
}

interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolResult {
  readonly content: readonly (TextContent | { readonly type: string; readonly [field: string]: unknown })[];
  readonly isError?: true;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** Reports progress. Absent if the client did not ask for it, or the answer is not streamed. */
  readonly progress?: (progress: number, total: number) => Promise<void>;
}

export interface McpTools {
  list(caller: ToolCaller, cursor: string | undefined): Promise<ToolPage>;
  /** Refusals are returned as results, with the same text as over REST, not thrown. */
  call(caller: ToolCaller, name: string, given: unknown, context: CallContext): Promise<ToolResult>;
  /** Whether the tool sends messages while it runs, so that its answer has to be a stream. */
  streams?(name: string): boolean;
}
