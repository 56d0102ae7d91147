// Collects the messages of a request in order. Tool results of one turn are merged, as are the items of one assistant
// turn, because Anthropic wants each turn in one message.
import type { CacheMark, InputPart, NeutralMessage, OutputPart, ToolResult } from './neutral.ts';

export interface Conversation {
  readonly system: readonly string[];
  readonly systemCache?: readonly (CacheMark | undefined)[] | undefined;
  readonly messages: readonly NeutralMessage[];
}

export interface ConversationBuilder extends Conversation {
  addSystem(text: string, cache?: CacheMark): void;
  addUser(parts: readonly InputPart[]): void;
  addAssistant(parts: readonly OutputPart[]): void;
  addResult(result: ToolResult): void;
}

export function createConversation(): ConversationBuilder {
  const system: string[] = [];
  const systemCache: (CacheMark | undefined)[] = [];
  const messages: NeutralMessage[] = [];
  let results: ToolResult[] | undefined;
  let turn: OutputPart[] | undefined;

  function push(message: NeutralMessage): void {
    results = undefined;
    turn = undefined;
    messages.push(message);
  }

  return {
    system,
    get systemCache() {
      return systemCache.some((mark) => mark !== undefined) ? systemCache : undefined;
    },
    messages,
    addSystem(text, cache) {
      if (messages.length > 0) return push({ role: 'system', text, ...(cache ? { cache } : {}) });
      system.push(text);
      systemCache.push(cache);
    },
    addUser: (parts) => push({ role: 'user', parts }),
    addAssistant(parts) {
      if (turn === undefined) {
        const begun: OutputPart[] = [];
        push({ role: 'assistant', parts: begun });
        turn = begun;
      }
      for (const part of parts) turn.push(part);
    },
    addResult(result) {
      if (results === undefined) {
        const begun: ToolResult[] = [];
        push({ role: 'tool', results: begun });
        results = begun;
      }
      results.push(result);
    },
  };
}
