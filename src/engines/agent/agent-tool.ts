import type { Tool } from 'ai';
import type { ToolCall } from './next-move.ts';

export interface AgentTool {
  /** As the model sees it: without a way to execute it, which is the loop's. */
  readonly offer: Tool;
  /** Notes how it began and how it ended. Throws if the sandbox or the run itself is gone. */
  run(call: ToolCall): Promise<void>;
}

export type AgentTools = Readonly<Record<string, AgentTool>>;
