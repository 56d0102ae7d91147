// What an MCP client can do here, whichever way its request is answered: list tools a page at a time, call one.
import type { ToolCaller } from '../../tools/call-tool.ts';

export interface ToolPage {
  /** The array as JSON, made once and sent many times. */
  readonly tools: Buffer;
  readonly nextCursor?: string;
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolResult {
  readonly content: readonly (TextContent | { readonly type: string; readonly [field: string]: unknown })[];
  readonly isError?: true;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** Tells the client how far the call is. Absent where the client did not ask, or the answer is sent whole. */
  readonly progress?: (progress: number, total: number) => Promise<void>;
}

export interface McpTools {
  list(caller: ToolCaller, cursor: string | undefined): Promise<ToolPage>;
  /** Refusals are results, with the text that REST gives them; this does not throw for them. */
  call(caller: ToolCaller, name: string, given: unknown, context: CallContext): Promise<ToolResult>;
  /** Whether the tool talks to the client while it runs, so that its answer must be a stream. */
  streams?(name: string): boolean;
}
