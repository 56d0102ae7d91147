// The fields Anthropic's Messages API accepts, and the `anthropic-beta` values that some of them require.

export interface Field {
  /** One of these betas is required. */
  readonly betas?: readonly string[];
  /** Whether /v1/messages/count_tokens accepts it too. */
  readonly counted?: true;
}

const CONTEXT = ['context-management-2025-06-27', 'compact-2026-01-12', 'compact-2026-09-04'];
const MCP = ['mcp-client-2025-04-04', 'mcp-client-2025-11-20', 'mcp-client-2026-09-15'];

export const TOP_FIELDS: Readonly<Record<string, Field>> = {
  model: { counted: true },
  messages: { counted: true },
  system: { counted: true },
  tools: { counted: true },
  tool_choice: { counted: true },
  thinking: { counted: true },
  output_config: { counted: true },
  cache_control: { counted: true },
  speed: { counted: true },
  max_tokens: {},
  stream: {},
  stop_sequences: {},
  temperature: {},
  top_p: {},
  top_k: {},
  metadata: {},
  service_tier: {},
  container: {},
  diagnostics: {},
  inference_geo: {},
  context_management: { betas: CONTEXT, counted: true },
  compaction: { betas: ['compact-2026-09-04'], counted: true },
  mcp_servers: { betas: MCP, counted: true },
  output_format: { betas: ['structured-outputs-2025-11-13'], counted: true },
  thread: { betas: ['message-threads-2026-08-12'] },
  fallbacks: { betas: ['server-side-fallback-2026-06-01', 'server-side-fallback-2026-07-01'] },
  fallback_credit_token: { betas: ['fallback-credit-2026-06-01', 'fallback-credit-2026-07-01'] },
};

const CACHED = ['type', 'cache_control'];

/** The fields of each block a client may send. Blocks of Anthropic's own tools are not checked. */
export const BLOCK_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  text: [...CACHED, 'text', 'citations'],
  image: [...CACHED, 'source', 'transformations'],
  document: [...CACHED, 'source', 'citations', 'context', 'title'],
  search_result: [...CACHED, 'content', 'source', 'title', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: [...CACHED, 'id', 'name', 'input', 'caller', 'toolset_name'],
  tool_result: [...CACHED, 'tool_use_id', 'content', 'is_error', 'toolset_name'],
};

export const SERVER_BLOCKS = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'mcp_tool_listing',
  'container_upload',
  'compaction',
  'fallback',
  'tool_addition',
  'tool_removal',
];

export const TOOL_FIELDS = [
  'type',
  'name',
  'description',
  'input_schema',
  'cache_control',
  'strict',
  'input_examples',
  'defer_loading',
  'eager_input_streaming',
  'allowed_callers',
];

/** Tools defined by Anthropic. */
export const KNOWN_TOOLS: Readonly<Record<string, Field>> = {
  bash_20241022: { betas: ['computer-use-2024-10-22'] },
  bash_20250124: {},
  text_editor_20241022: { betas: ['computer-use-2024-10-22'] },
  text_editor_20250124: {},
  text_editor_20250429: {},
  text_editor_20250728: {},
  computer_20241022: { betas: ['computer-use-2024-10-22'] },
  computer_20250124: { betas: ['computer-use-2025-01-24'] },
  computer_20251124: { betas: ['computer-use-2025-11-24'] },
  computer_toolset_20260801: {},
  browser_toolset_20260801: {},
  memory_20250818: {},
  code_execution_20250522: {},
  code_execution_20250825: {},
  code_execution_20260120: {},
  code_execution_20260521: {},
  web_search_20250305: {},
  web_search_20260209: {},
  web_search_20260318: {},
  web_fetch_20250910: {},
  web_fetch_20260209: {},
  web_fetch_20260309: {},
  web_fetch_20260318: {},
  tool_search_tool_bm25_20251119: {},
  tool_search_tool_bm25: {},
  tool_search_tool_regex_20251119: {},
  tool_search_tool_regex: {},
  advisor_20260301: { betas: ['advisor-tool-2026-03-01'] },
  mcp_toolset: { betas: MCP },
};

/** Optional nested fields that require a beta. */
export const BETA_PARTS = {
  cacheScope: ['prompt-caching-scope-2026-01-05'],
  taskBudget: ['task-budgets-2026-03-13'],
  blockBinding: ['thinking-binding-controls-2026-08-01'],
  systemClearAt: ['mid-conversation-system-clear-at-2026-08-21'],
  systemOutputConfig: ['mid-conversation-output-config-2026-07-01'],
  systemRole: ['mid-conversation-system-2026-04-07'],
  interleaved: ['interleaved-thinking-2025-05-14'],
} as const satisfies Record<string, readonly string[]>;

/** `context_management.edits`: the beta each kind requires. */
export const CONTEXT_EDITS: Readonly<Record<string, readonly string[]>> = {
  clear_tool_uses_20250919: ['context-management-2025-06-27'],
  clear_thinking_20251015: ['context-management-2025-06-27'],
  compact_20260112: ['compact-2026-01-12'],
};
