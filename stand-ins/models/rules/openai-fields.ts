// The fields that OpenAI's Chat Completions, Responses and Embeddings accept.

export const CHAT_FIELDS = [
  'model',
  'messages',
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
];

export const RESPONSES_FIELDS = [
  'model',
  'input',
  'access_programs',
  'background',
  'context_management',
  'conversation',
  'image',
  'include',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
  // Codex sends this to the provider by default.
  'client_metadata',
];

export const EMBEDDINGS_FIELDS = ['model', 'input', 'dimensions', 'encoding_format', 'user'];

/** Fields of a message by role. Answers are sent back with their `annotations`, and by the official client with `parsed`. */
export const CHAT_MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  developer: ['role', 'content', 'name'],
  system: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'refusal', 'audio', 'annotations', 'parsed', 'tool_calls', 'function_call'],
  // LangChain sends the tool's name along with the call's id.
  tool: ['role', 'content', 'tool_call_id', 'name'],
  function: ['role', 'content', 'name'],
};

const PART = ['type', 'prompt_cache_breakpoint'];

/** Other fields of an answer, which OpenAI's Agents SDK sends back inside the text part. */
const REST_OF_ANSWER = ['role', 'refusal', 'annotations', 'tool_calls', 'function_call', 'audio'];

export const CHAT_PART_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: [...PART, 'text', ...REST_OF_ANSWER],
  image_url: [...PART, 'image_url'],
  input_audio: [...PART, 'input_audio'],
  file: [...PART, 'file'],
  refusal: [...PART, ...REST_OF_ANSWER],
};

export const CHAT_TOOL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  function: ['name', 'description', 'parameters', 'strict'],
  custom: ['name', 'description', 'format'],
};

export const RESPONSES_TOOLS = [
  'function',
  'custom',
  'namespace',
  'file_search',
  'computer',
  'computer_use',
  'computer_use_preview',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'mcp',
  'code_interpreter',
  'programmatic_tool_calling',
  'image_generation',
  'local_shell',
  'shell',
  'tool_search',
  'apply_patch',
];

/** The items of `input`, and the prefix of their ids, if any. */
export const RESPONSES_ITEMS: Readonly<Record<string, string | undefined>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: undefined,
  custom_tool_call: 'ctc',
  custom_tool_call_output: undefined,
  item_reference: undefined,
  file_search_call: undefined,
  computer_call: undefined,
  computer_call_output: undefined,
  web_search_call: 'ws',
  tool_search_call: undefined,
  tool_search_output: undefined,
  additional_tools: undefined,
  // A message between agents of Codex.
  agent_message: undefined,
  configuration_update: undefined,
  compaction: 'cmp',
  compaction_trigger: undefined,
  image_generation_call: undefined,
  code_interpreter_call: undefined,
  local_shell_call: undefined,
  local_shell_call_output: undefined,
  shell_call: undefined,
  shell_call_output: undefined,
  apply_patch_call: undefined,
  apply_patch_call_output: undefined,
  mcp_list_tools: undefined,
  mcp_approval_request: undefined,
  mcp_approval_response: undefined,
  mcp_call: undefined,
  program: undefined,
  program_output: undefined,
};

/** Allowed content of a message, by role. */
export const RESPONSES_PARTS = {
  input: ['input_text', 'input_image', 'input_file', 'input_audio'],
  output: ['output_text', 'refusal'],
} as const;
