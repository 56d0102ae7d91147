// What a Responses body may contain on platform credit. An item left behind by a provider tool is text like any other;
// one that only names something stored at the provider is a reference.
import { fileData, imageUrl } from './media-rules.ts';
import { any, byField, later, list, never, object, only, plain, reference, textOr, type Rule } from './rules.ts';

const part = byField('type', {
  input_text: object({ type: plain, text: plain, prompt_cache_breakpoint: any }),
  output_text: object({ type: plain, text: plain, annotations: any, logprobs: any }),
  text: object({ type: plain, text: plain }),
  summary_text: object({ type: plain, text: plain }),
  reasoning_text: object({ type: plain, text: plain }),
  refusal: object({ type: plain, refusal: plain }),
  input_image: object({
    type: plain,
    image_url: imageUrl,
    detail: plain,
    file_id: reference,
    prompt_cache_breakpoint: any,
  }),
  input_file: object({
    type: plain,
    file_data: fileData,
    filename: plain,
    detail: plain,
    file_id: reference,
    file_url: reference,
    prompt_cache_breakpoint: any,
  }),
  input_audio: never('audio costs more than the listed price'),
});
const content = textOr(list(part));
// Codex marks where each item comes from.
const common = {
  type: plain,
  id: plain,
  status: plain,
  caller: any,
  async: plain,
  internal_chat_message_metadata_passthrough: any,
};

const item = byField(
  'type',
  {
    message: object({ ...common, role: plain, content, phase: plain }),
    function_call: object({
      ...common,
      call_id: plain,
      name: plain,
      arguments: plain,
      namespace: plain,
      encrypted_function_args: list(plain),
    }),
    function_call_output: object({ ...common, call_id: plain, output: content, name: plain, namespace: plain }),
    custom_tool_call: object({ ...common, call_id: plain, name: plain, input: plain, namespace: plain }),
    custom_tool_call_output: object({ ...common, call_id: plain, output: content, name: plain, namespace: plain }),
    reasoning: object({ ...common, summary: list(part), content: list(part), encrypted_content: plain }),
    local_shell_call: object({ ...common, call_id: plain, action: any }),
    local_shell_call_output: object({ ...common, call_id: plain, output: plain }),
    shell_call: object({ ...common, call_id: plain, action: any, created_by: plain }),
    shell_call_output: object({ ...common, call_id: plain, output: any, max_output_length: plain, created_by: plain }),
    apply_patch_call: object({ ...common, call_id: plain, operation: any }),
    apply_patch_call_output: object({ ...common, call_id: plain, output: plain }),
    web_search_call: object({ ...common, action: any }),
    tool_search_call: object({ ...common, call_id: plain, execution: plain, arguments: any, created_by: plain }),
    tool_search_output: object({
      ...common,
      call_id: plain,
      execution: plain,
      tools: later(() => tools),
      created_by: plain,
    }),
    additional_tools: object({ ...common, role: plain, tools: later(() => tools) }),
    agent_message: object({
      ...common,
      author: plain,
      recipient: plain,
      content: list(
        byField('type', {
          input_text: object({ type: plain, text: plain }),
          encrypted_content: object({ type: plain, encrypted_content: plain }),
        }),
      ),
    }),
    item_reference: reference,
  },
  'message',
);

const functionTool = {
  type: plain,
  name: plain,
  description: plain,
  parameters: any,
  strict: plain,
  output_schema: any,
  async: plain,
  defer_loading: plain,
  allowed_callers: list(only('direct')),
};
const customTool = {
  type: plain,
  name: plain,
  description: plain,
  format: any,
  async: plain,
  defer_loading: plain,
  allowed_callers: list(only('direct')),
};
const clientTool = { function: object(functionTool), custom: object(customTool) };

const tools = list(
  byField('type', {
    ...clientTool,
    namespace: object({ type: plain, name: plain, description: plain, tools: list(byField('type', clientTool)) }),
    local_shell: object({ type: plain }),
    shell: object({
      type: plain,
      environment: object({ type: only('local'), skills: any }),
      allowed_callers: list(only('direct')),
    }),
    apply_patch: object({ type: plain, allowed_callers: list(only('direct')) }),
    tool_search: object({ type: plain, execution: only('client'), description: plain, parameters: any }),
  }),
);

export const RESPONSES_RULES: Readonly<Record<string, Rule>> = {
  model: plain,
  input: textOr(list(item)),
  instructions: textOr(list(item)),
  max_output_tokens: plain,
  stream: plain,
  stream_options: any,
  tools,
  tool_choice: any,
  parallel_tool_calls: plain,
  max_tool_calls: plain,
  text: object({ format: any, verbosity: plain }),
  reasoning: object({ effort: plain, summary: plain, generate_summary: plain, context: plain, mode: only('standard') }),
  include: any,
  temperature: plain,
  top_p: plain,
  top_logprobs: plain,
  truncation: plain,
  store: only(false),
  user: plain,
  safety_identifier: plain,
  metadata: any,
  client_metadata: any,
  prompt_cache_key: plain,
  prompt_cache_retention: plain,
  prompt_cache_options: object({ mode: plain, ttl: plain }),
  service_tier: only('auto', 'default'),
  background: only(false),
  previous_response_id: reference,
  conversation: reference,
  prompt: reference,
  context_management: never('the provider charges for compaction'),
  moderation: never('moderation is charged separately'),
};
