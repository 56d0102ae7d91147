// What a Messages body may contain on platform credit.
import { isObject } from '../codecs/read-fields.ts';
import { fileData, imageData } from './media-rules.ts';
import { any, byField, later, list, never, object, only, plain, reference, textOr, type Rule } from './rules.ts';

const cacheControl: Rule = (value, at, found) => {
  object({ type: plain, ttl: only('5m', '1h'), scope: plain })(value, at, found);
  if (isObject(value) && value['ttl'] === '1h') found.cache = 'hour';
  else if (found.cache === 'none') found.cache = 'short';
};
const cached = { type: plain, cache_control: cacheControl };

/** A client-run tool whose description the provider supplies. */
const knownTool =
  (fields: Readonly<Record<string, Rule>> = {}): Rule =>
  (value, at, found) => {
    found.addedTokens += 2_048;
    object({ ...tool, ...fields })(value, at, found);
  };
const tool = {
  ...cached,
  name: plain,
  strict: plain,
  input_examples: any,
  defer_loading: plain,
  eager_input_streaming: plain,
  allowed_callers: list(only('direct')),
};

const text = object({ ...cached, text: plain, citations: any });
const image = object({
  ...cached,
  source: byField('type', {
    base64: object({ type: plain, media_type: plain, data: imageData }),
    url: reference,
    file: reference,
  }),
});
const searchResult = object({ ...cached, content: list(text), source: plain, title: plain, citations: any });
const document = object({
  ...cached,
  title: plain,
  context: plain,
  citations: any,
  source: byField('type', {
    base64: object({ type: plain, media_type: plain, data: fileData }),
    text: object({ type: plain, media_type: plain, data: plain }),
    content: object({ type: plain, content: textOr(list(byField('type', { text, image }))) }),
    url: reference,
    file: reference,
  }),
});

const block: Rule = byField('type', {
  text,
  image,
  document,
  search_result: searchResult,
  fallback: object({ type: plain, from: any, to: any, trigger: any }),
  thinking: object({ type: plain, thinking: plain, signature: plain }),
  redacted_thinking: object({ type: plain, data: plain }),
  tool_use: object({ ...cached, id: plain, name: plain, input: any, caller: any, toolset_name: plain }),
  tool_result: object({
    ...cached,
    tool_use_id: plain,
    is_error: plain,
    toolset_name: plain,
    content: textOr(list(later(() => resultBlock))),
  }),
});
const resultBlock: Rule = byField('type', {
  text,
  image,
  document,
  search_result: searchResult,
  tool_reference: object({ ...cached, tool_name: plain }),
});

export const MESSAGES_RULES: Readonly<Record<string, Rule>> = {
  model: plain,
  max_tokens: plain,
  messages: list(
    object({ role: plain, content: textOr(list(block)), clear_at: plain, output_config: object({ effort: plain }) }),
  ),
  system: textOr(list(text)),
  stream: plain,
  stop_sequences: any,
  temperature: plain,
  top_p: plain,
  top_k: plain,
  metadata: any,
  cache_control: cacheControl,
  thinking: object({ type: plain, budget_tokens: plain, display: plain, block_binding: plain }),
  output_config: object({ effort: plain, format: any, task_budget: any }),
  output_format: any,
  tool_choice: object({ type: plain, name: plain, disable_parallel_tool_use: plain }),
  tools: (value, at, found) => {
    // The provider adds instructions before the first tool.
    found.addedTokens += 1_024;
    list(byKind)(value, at, found);
  },
  context_management: object({
    edits: list(
      byField('type', {
        clear_tool_uses_20250919: object({
          type: plain,
          clear_at_least: any,
          clear_tool_inputs: any,
          exclude_tools: any,
          keep: any,
          trigger: any,
        }),
        clear_thinking_20251015: object({ type: plain, keep: any }),
      }),
    ),
  }),
  service_tier: only('auto', 'standard_only'),
  inference_geo: only('global'),
  speed: only('standard'),
  container: reference,
  thread: reference,
  diagnostics: reference,
  compaction: never('the provider charges for compaction'),
  fallbacks: never('another model may cost more'),
};

function byKind(value: unknown, at: string, found: Parameters<Rule>[2]): void {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === undefined || type === null || type === 'custom')
    object({ ...tool, description: plain, input_schema: any })(value, at, found);
  else
    knownTool({
      display_width_px: plain,
      display_height_px: plain,
      display_number: plain,
      enable_zoom: plain,
      max_characters: plain,
    })(value, at, found);
}
