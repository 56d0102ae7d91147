// What a Chat Completions body may contain on platform credit.
import { fileData, imageUrlObject } from './media-rules.ts';
import { any, byField, list, never, object, only, plain, reference, textOr, type Rule } from './rules.ts';

const text = object({ type: plain, text: plain, prompt_cache_breakpoint: any });
const part = byField('type', {
  text,
  image_url: object({ type: plain, image_url: imageUrlObject, prompt_cache_breakpoint: any }),
  file: object({
    type: plain,
    file: object({ file_data: fileData, filename: plain, file_id: reference }),
    prompt_cache_breakpoint: any,
  }),
  refusal: object({ type: plain, refusal: plain }),
  input_audio: never('audio costs more than the listed price'),
});
const content = textOr(list(part));

// OpenAI's Agents SDK sends the rest of an answer back inside the part that contains its text.
const restOfAnswer = {
  role: plain,
  refusal: plain,
  annotations: any,
  reasoning_details: any,
  reasoning_content: plain,
  reasoning: plain,
};
const answer = textOr(
  list(
    byField('type', {
      text: object({ type: plain, text: plain, prompt_cache_breakpoint: any, ...restOfAnswer }),
      refusal: object({ type: plain, ...restOfAnswer }),
    }),
  ),
);
const named = { name: plain, content, role: plain };

const call = byField(
  'type',
  {
    // The helpers of the official client send back what they have parsed.
    function: object({
      id: plain,
      type: plain,
      function: object({ name: plain, arguments: plain, parsed_arguments: any }),
      index: plain,
    }),
    custom: object({ id: plain, type: plain, custom: object({ name: plain, input: plain }), index: plain }),
  },
  'function',
);

const message = byField('role', {
  system: object(named),
  developer: object(named),
  user: object(named),
  assistant: object({
    ...named,
    content: answer,
    refusal: plain,
    tool_calls: list(call),
    function_call: object({ name: plain, arguments: plain }),
    reasoning_content: plain,
    reasoning: plain,
    annotations: any,
    parsed: any,
    audio: reference,
  }),
  tool: object({ ...named, tool_call_id: plain }),
  function: object(named),
});

const functionTool = object({ name: plain, description: plain, parameters: any, strict: plain });

export const CHAT_RULES: Readonly<Record<string, Rule>> = {
  model: plain,
  messages: list(message),
  max_completion_tokens: plain,
  max_tokens: plain,
  n: plain,
  stream: plain,
  stream_options: object({ include_usage: plain, include_obfuscation: plain }),
  tools: list(
    byField('type', {
      function: object({ type: plain, function: functionTool, strict: plain }),
      custom: object({ type: plain, custom: object({ name: plain, description: plain, format: any }) }),
    }),
  ),
  tool_choice: any,
  parallel_tool_calls: plain,
  functions: list(functionTool),
  function_call: any,
  response_format: any,
  temperature: plain,
  top_p: plain,
  top_k: plain,
  frequency_penalty: plain,
  presence_penalty: plain,
  logit_bias: any,
  logprobs: plain,
  top_logprobs: plain,
  stop: any,
  seed: plain,
  reasoning_effort: plain,
  verbosity: plain,
  user: plain,
  safety_identifier: plain,
  metadata: any,
  store: only(false),
  prompt_cache_key: plain,
  prompt_cache_retention: plain,
  prompt_cache_options: object({ mode: plain, ttl: plain }),
  service_tier: only('auto', 'default'),
  modalities: list(only('text')),
  audio: never('audio costs more than the listed price'),
  prediction: never('rejected prediction tokens are charged as output'),
  moderation: never('moderation is charged separately'),
};

/** An embedding has input and no output. Numbers are tokens, each at least two characters of the body. */
export const EMBEDDING_RULES: Readonly<Record<string, Rule>> = {
  model: plain,
  input: any,
  dimensions: plain,
  encoding_format: plain,
  user: plain,
};
