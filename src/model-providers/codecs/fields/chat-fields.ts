// Every field of a Chat Completions body.
import { isAbsent, isObject } from '../read-fields.ts';
import {
  keeping,
  type Kept,
  leftOut,
  NOT_AVAILABLE,
  passed,
  refused,
  translated,
  unless,
  unlessEmpty,
  within,
  type Section,
  type Unless,
} from './cells.ts';
import { cacheControl, CHAT_MESSAGES, fromChat } from './chat-messages.ts';

const KIND = fromChat(translated('the kind of the other protocol'));
const TEXT_ONLY: Unless = {
  test: (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  says: '["text"]',
};
const SAMPLING = 'for a model that takes it, at most one of the two; other models use their defaults';
const HINT = leftOut('a sampling hint that Anthropic does not have');
const CACHED = leftOut('it affects only the price: cache_control marks what Anthropic caches');
const KEPT = leftOut('no provider stores the answer');
export const LONG_CACHE: Kept = {
  does: 'left out',
  note: 'the prompt would be cached for a day; without it, the data policy of the account applies',
  unless: unless('in_memory'),
};
export const LONG_LIFETIME: Kept = {
  does: 'left out',
  note: 'the prompt would be cached for longer than by default',
  unless: {
    test: (value) => isObject(value) && (isAbsent(value['ttl']) || value['ttl'] === '30m'),
    says: 'without a `ttl`, or with "30m"',
  },
};

const functionFields = {
  title: '`function` of a tool',
  rows: {
    name: fromChat(translated('name')),
    description: fromChat(translated('description')),
    parameters: fromChat(translated('input_schema')),
    strict: fromChat(translated('strict')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const functionTool = {
  title: 'Tool of type `function`',
  rows: { type: KIND, function: within(fromChat(translated('a tool')), functionFields), cache_control: cacheControl },
} as const satisfies Section;

const customFields = {
  title: '`custom` of a tool',
  rows: {
    name: fromChat(translated('name')),
    description: fromChat(translated('description')),
    format: fromChat(translated('added to the description')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const customTool = {
  title: 'Tool of type `custom`',
  rows: {
    type: KIND,
    custom: within(
      fromChat(translated('a tool with one argument; calls are returned in the form of the client’s tool')),
      customFields,
    ),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const tool = {
  title: 'Tools',
  kinds: { field: 'type', noun: 'tool' },
  rows: {
    function: within(fromChat(translated('a tool')), functionTool),
    custom: within(fromChat(translated('a tool')), customTool),
  },
} as const satisfies Section;

const toolChoice = {
  title: '`tool_choice`, where it is not a word',
  kinds: { field: 'type', noun: 'choice' },
  rows: {
    function: fromChat(translated('`tool` with its name')),
    allowed_tools: fromChat(translated('only these tools are sent')),
    custom: fromChat(translated('`tool` with its name')),
  },
} as const satisfies Section;

const jsonSchema = {
  title: '`response_format.json_schema`',
  rows: {
    name: fromChat(leftOut('Anthropic’s formats have no name')),
    schema: fromChat(translated('output_config.format where strict, else an instruction')),
    strict: fromChat(translated('whether the provider enforces it')),
    description: fromChat(translated('an instruction')),
  },
} as const satisfies Section;

const schemaFormat = {
  title: '`response_format` of type `json_schema`',
  rows: { type: KIND, json_schema: within(fromChat(translated('a JSON Schema')), jsonSchema) },
} as const satisfies Section;

const responseFormat = {
  title: '`response_format`',
  kinds: { field: 'type', noun: 'format' },
  rows: {
    text: fromChat(leftOut('every answer is text')),
    json_object: fromChat(translated('an instruction')),
    json_schema: within(fromChat(translated('output_config.format, or an instruction')), schemaFormat),
  },
} as const satisfies Section;

const streamOptions = {
  title: '`stream_options`',
  rows: {
    include_usage: fromChat(leftOut('the service applies it to the last chunk')),
    include_obfuscation: fromChat(leftOut('padding of the stream, not of the answer')),
  },
} as const satisfies Section;

const request = {
  title: 'Fields of the body',
  rows: {
    model: fromChat(translated('model: its id at the provider')),
    messages: within(fromChat(translated('messages and system')), CHAT_MESSAGES.message),
    max_completion_tokens: fromChat(translated('max_tokens')),
    max_tokens: {
      ...fromChat(translated('max_tokens')),
      openai: passed('as `max_completion_tokens` to a model that takes no other'),
    },
    stream: fromChat(translated('stream')),
    stream_options: within(fromChat(leftOut('the service applies it')), streamOptions),
    tools: within(fromChat(translated('tools')), tool),
    tool_choice: within(fromChat(translated('tool_choice')), toolChoice),
    parallel_tool_calls: fromChat(translated('tool_choice.disable_parallel_tool_use')),
    response_format: within(fromChat(translated('output_config.format, or an instruction')), responseFormat),
    reasoning_effort: fromChat(translated('thinking and output_config.effort, as the model takes them')),
    temperature: fromChat(translated(`temperature, ${SAMPLING}`)),
    top_p: fromChat(translated(`top_p, ${SAMPLING}`)),
    stop: fromChat(translated('stop_sequences')),
    user: fromChat(translated('metadata.user_id')),
    safety_identifier: fromChat(translated('metadata.user_id, before `user`')),
    seed: fromChat(leftOut('best effort at OpenAI; Anthropic has none')),
    frequency_penalty: fromChat(HINT),
    presence_penalty: fromChat(HINT),
    verbosity: fromChat(leftOut('a length hint that Anthropic does not have')),
    prediction: fromChat(leftOut('it only speeds up the same answer')),
    service_tier: fromChat(leftOut('it affects when OpenAI has capacity, not the answer')),
    store: keeping(fromChat(KEPT), { does: 'left out', note: 'OpenAI would store the answer', unless: unless(false) }),
    metadata: keeping(fromChat(KEPT), { does: 'left out', note: 'OpenAI takes it for a stored answer only' }),
    prompt_cache_key: fromChat(CACHED),
    prompt_cache_retention: keeping(fromChat(CACHED), LONG_CACHE),
    prompt_cache_options: keeping(fromChat(CACHED), LONG_LIFETIME),
    n: fromChat(refused('must be 1 for this model', unless(1))),
    logprobs: fromChat(refused(NOT_AVAILABLE, unless(false))),
    top_logprobs: fromChat(refused(NOT_AVAILABLE, unless(0))),
    logit_bias: fromChat(refused(NOT_AVAILABLE, unlessEmpty)),
    modalities: fromChat(refused('this model answers in text only', TEXT_ONLY)),
    audio: fromChat(refused(NOT_AVAILABLE)),
    moderation: fromChat(refused(NOT_AVAILABLE)),
    web_search_options: fromChat(leftOut('the search runs at OpenAI; named in `x-service-left-out`')),
    functions: fromChat(refused('is not supported for this model: use tools', unlessEmpty)),
    function_call: fromChat(refused('is not supported for this model: use tool_choice')),
  },
} as const satisfies Section;

export const CHAT_FIELDS = {
  request,
  ...CHAT_MESSAGES,
  tools: tool,
  functionTool,
  functionFields,
  customTool,
  customFields,
  toolChoice,
  responseFormat,
  schemaFormat,
  jsonSchema,
  streamOptions,
} as const satisfies Readonly<Record<string, Section>>;
