// Every field of a Chat Completions body.
import { z } from 'zod';
import { any, list, never, object, only, plain, unpriced } from '../../bounds/rules.ts';
import { EFFORTS } from '../../../contract/models.ts';
import { isAbsent, isObject } from '../read-fields.ts';
import {
  type Kept,
  leftOut,
  NOT_AVAILABLE,
  passed,
  refused,
  translated,
  unless,
  unlessEmpty,
  type Unless,
} from './cells.ts';
import { cacheControl, CHAT_MESSAGES, fromChat, KIND, messages } from './chat-messages.ts';
import {
  by,
  creditOf,
  field,
  keeping,
  kindsOf,
  many,
  nullish,
  one,
  optional,
  section,
  unprinted,
  within,
} from './rows.ts';

const TEXT_ONLY: Unless = {
  test: (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  says: '["text"]',
};
const SAMPLING = 'for a model that takes it, at most one of the two; other models use their defaults';
const HINT = leftOut('a sampling hint that Anthropic does not have');
const CACHED = leftOut('it affects only the price: prompt_cache_key and cache_control say what Anthropic caches');
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
const AUDIO = never('audio costs more than the listed price');

const functionFields = section('`function` of a tool', {
  name: field(fromChat(translated('name')), plain, z.string()),
  description: field(fromChat(translated('description')), plain, z.string().optional()),
  parameters: field(fromChat(translated('input_schema')), any, z.looseObject({}).optional()),
  strict: field(fromChat(translated('strict')), plain, z.boolean().nullish()),
  cache_control: cacheControl,
});

const functionTool = section(
  'Tool of type `function`',
  { type: KIND, function: within(fromChat(translated('a tool')), functionFields), cache_control: cacheControl },
  { strict: plain },
);

const customFields = section('`custom` of a tool', {
  name: field(fromChat(translated('name')), plain, z.string()),
  description: field(fromChat(translated('description')), plain, z.string().optional()),
  format: field(fromChat(translated('added to the description')), any, z.looseObject({}).optional()),
  cache_control: cacheControl,
});

const customTool = section('Tool of type `custom`', {
  type: KIND,
  custom: within(
    fromChat(translated('a tool with one argument; calls are returned in the form of the client’s tool')),
    customFields,
  ),
  cache_control: cacheControl,
});

const tools = kindsOf('Tools', by('type', 'tool'), {
  function: within(fromChat(translated('a tool')), functionTool),
  custom: within(fromChat(translated('a tool')), customTool),
});

const toolChoice = kindsOf('`tool_choice`, where it is not a word', by('type', 'choice'), {
  function: field(fromChat(translated('`tool` with its name')), any, unprinted),
  allowed_tools: field(fromChat(translated('only these tools are sent')), any, unprinted),
  custom: field(fromChat(translated('`tool` with its name')), any, unprinted),
});

const jsonSchema = section('`response_format.json_schema`', {
  name: field(fromChat(leftOut('Anthropic’s formats have no name')), any, z.string()),
  schema: field(
    fromChat(translated('output_config.format where strict, else an instruction')),
    any,
    z.looseObject({}).optional(),
  ),
  strict: field(fromChat(translated('whether the provider enforces it')), any, z.boolean().nullish()),
  description: field(fromChat(translated('an instruction')), any, unprinted),
});

const schemaFormat = section('`response_format` of type `json_schema`', {
  type: KIND,
  json_schema: within(fromChat(translated('a JSON Schema')), jsonSchema),
});

const responseFormat = kindsOf('`response_format`', by('type', 'format'), {
  text: field(fromChat(leftOut('every answer is text')), any, z.looseObject({})),
  json_object: field(fromChat(translated('an instruction')), any, z.looseObject({})),
  json_schema: within(fromChat(translated('output_config.format, or an instruction')), schemaFormat),
});

const streamOptions = section('`stream_options`', {
  include_usage: field(fromChat(leftOut('the service applies it to the last chunk')), plain, z.boolean().optional()),
  include_obfuscation: field(fromChat(leftOut('padding of the stream, not of the answer')), plain, unprinted),
});

const MODEL_ID = z.string().describe('An id from GET /v1/models, or an alias of one.');
const CHOICE = z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string() })]).optional();

const request = section(
  'Fields of the body',
  {
    model: field(fromChat(translated('model: its id at the provider')), plain, MODEL_ID),
    messages,
    max_completion_tokens: field(fromChat(translated('max_tokens')), plain, z.number().int().nullish()),
    max_tokens: field(
      {
        ...fromChat(translated('max_tokens')),
        openai: passed('as `max_completion_tokens` to a model that takes no other'),
      },
      plain,
      z.number().int().nullish().describe('The older name of max_completion_tokens.'),
    ),
    stream: field(
      fromChat(translated('stream')),
      plain,
      z.boolean().nullish().describe('Stream the answer as events.'),
    ),
    stream_options: within(fromChat(leftOut('the service applies it')), streamOptions, one, nullish),
    tools: within(fromChat(translated('tools')), tools, many, optional),
    tool_choice: { ...within(fromChat(translated('tool_choice')), toolChoice), credit: any, schema: CHOICE },
    parallel_tool_calls: field(
      fromChat(translated('tool_choice.disable_parallel_tool_use')),
      plain,
      z.boolean().optional(),
    ),
    response_format: {
      ...within(fromChat(translated('output_config.format, or an instruction')), responseFormat, one, optional),
      credit: any,
    },
    reasoning_effort: field(
      fromChat(translated('thinking and output_config.effort, as the model takes them')),
      plain,
      z.enum(EFFORTS).nullish(),
    ),
    temperature: field(fromChat(translated(`temperature, ${SAMPLING}`)), plain, z.number().min(0).max(2).nullish()),
    top_p: field(fromChat(translated(`top_p, ${SAMPLING}`)), plain, z.number().min(0).max(1).nullish()),
    stop: field(fromChat(translated('stop_sequences')), any, z.union([z.string(), z.array(z.string())]).nullish()),
    user: field(fromChat(translated('metadata.user_id')), plain, z.string().optional()),
    safety_identifier: field(fromChat(translated('metadata.user_id, before `user`')), plain, unprinted),
    seed: field(fromChat(leftOut('best effort at OpenAI; Anthropic has none')), plain, z.number().int().nullish()),
    frequency_penalty: field(fromChat(HINT), plain, unprinted),
    presence_penalty: field(fromChat(HINT), plain, unprinted),
    verbosity: field(fromChat(leftOut('a length hint that Anthropic does not have')), plain, unprinted),
    prediction: field(
      fromChat(leftOut('it only speeds up the same answer')),
      never('rejected prediction tokens are charged as output'),
      unprinted,
    ),
    service_tier: field(
      fromChat(leftOut('it affects when OpenAI has capacity, not the answer')),
      only('auto', 'default'),
      unprinted,
    ),
    store: keeping(field(fromChat(KEPT), only(false), unprinted), {
      does: 'left out',
      note: 'OpenAI would store the answer',
      unless: unless(false),
    }),
    metadata: keeping(field(fromChat(KEPT), any, unprinted), {
      does: 'left out',
      note: 'OpenAI takes it for a stored answer only',
    }),
    prompt_cache_key: field(
      fromChat(translated('cache_control, where no part has a mark of its own')),
      plain,
      unprinted,
    ),
    prompt_cache_retention: keeping(field(fromChat(CACHED), plain, unprinted), LONG_CACHE),
    prompt_cache_options: keeping(
      field(fromChat(CACHED), object({ mode: plain, ttl: plain }), unprinted),
      LONG_LIFETIME,
    ),
    n: field(fromChat(refused('must be 1 for this model', unless(1))), plain, z.number().int().nullish()),
    logprobs: field(fromChat(refused(NOT_AVAILABLE, unless(false))), plain, unprinted),
    top_logprobs: field(fromChat(refused(NOT_AVAILABLE, unless(0))), plain, unprinted),
    logit_bias: field(fromChat(refused(NOT_AVAILABLE, unlessEmpty)), any, unprinted),
    modalities: field(fromChat(refused('this model answers in text only', TEXT_ONLY)), list(only('text')), unprinted),
    audio: field(fromChat(refused(NOT_AVAILABLE)), AUDIO, unprinted),
    moderation: field(fromChat(refused(NOT_AVAILABLE)), never('moderation is charged separately'), unprinted),
    web_search_options: field(
      fromChat(leftOut('the search runs at OpenAI; named in `x-service-left-out`')),
      unpriced,
      unprinted,
    ),
    functions: field(
      fromChat(refused('is not supported for this model: use tools', unlessEmpty)),
      list(creditOf(functionFields)),
      unprinted,
    ),
    function_call: field(fromChat(refused('is not supported for this model: use tool_choice')), any, unprinted),
  },
  { top_k: plain },
);

export const CHAT_FIELDS = {
  request,
  ...CHAT_MESSAGES,
  tools,
  functionTool,
  functionFields,
  customTool,
  customFields,
  toolChoice,
  responseFormat,
  schemaFormat,
  jsonSchema,
  streamOptions,
} as const;
