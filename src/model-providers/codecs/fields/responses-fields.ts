// Every field of a Responses body.
import { z } from 'zod';
import { any, never, object, only, plain, reference, unpriced } from '../../bounds/rules.ts';
import { EFFORTS } from '../../../contract/models.ts';
import {
  ACCOUNT_EFFORT,
  ACCOUNT_LIMIT,
  leftOut,
  NOT_AVAILABLE,
  refused,
  translated,
  unless,
  type Unless,
} from './cells.ts';
import { LONG_CACHE, LONG_LIFETIME } from './chat-fields.ts';
import { input, RESPONSES_ITEMS } from './responses-items.ts';
import { fromResponses, RESPONSES_TOOLS, tools } from './responses-tools.ts';
import { field, keeping, nullish, one, optional, section, unprinted, within } from './rows.ts';

const NOT_STORED = 'is not stored here: send the whole conversation as input';
const WITHOUT_LOGPROBS: Unless = {
  test: (value) => Array.isArray(value) && !value.includes('message.output_text.logprobs'),
  says: 'without `message.output_text.logprobs`',
};
const ONLY_PRICE = leftOut('it affects only the price');
const CACHED = fromResponses(ONLY_PRICE);
const SAMPLING = 'where the model takes it; other models use their defaults';
const SUMMARY = fromResponses(translated('thinking.display'), leftOut('reasoning is shown as the account sends it'));

const text = section('`text`', {
  format: field(
    fromResponses(translated('output_config.format or an instruction'), translated('response_format')),
    any,
    z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  ),
  verbosity: field(
    fromResponses(leftOut('a length hint that the protocol does not have')),
    plain,
    z.string().nullish(),
  ),
});

const reasoningConfig = section('`reasoning`', {
  effort: field(
    fromResponses(translated('thinking and output_config.effort, as the model takes them'), ACCOUNT_EFFORT),
    plain,
    z.enum(EFFORTS).nullish(),
  ),
  summary: field(SUMMARY, plain, z.string().nullish()),
  generate_summary: field(SUMMARY, plain, unprinted),
  context: field(
    fromResponses(leftOut('the reasoning of earlier turns is sent back as far as its provider accepts it')),
    plain,
    unprinted,
  ),
  mode: field(fromResponses(refused(NOT_AVAILABLE, unless('standard'))), only('standard'), unprinted),
});

export const responseToolChoice = z
  .union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string() })])
  .optional();

const request = section('Fields of the body', {
  model: field(
    fromResponses(translated('model: its id at the provider')),
    plain,
    z.string().describe('An id from GET /v1/models, or an alias of one.'),
  ),
  input,
  instructions: field(
    fromResponses(translated('system'), translated('a message of role `system`')),
    input.credit,
    z.string().nullish(),
  ),
  max_output_tokens: field(fromResponses(translated('max_tokens'), ACCOUNT_LIMIT), plain, z.number().int().nullish()),
  stream: field(
    fromResponses(translated('stream')),
    plain,
    z.boolean().nullish().describe('Stream the answer as events.'),
  ),
  stream_options: field(fromResponses(leftOut('padding of the stream, not of the answer')), any, unprinted),
  tools,
  tool_choice: field(
    fromResponses(translated('tool_choice; of `allowed_tools` only these are sent')),
    any,
    responseToolChoice,
  ),
  parallel_tool_calls: field(
    fromResponses(translated('tool_choice.disable_parallel_tool_use'), translated('parallel_tool_calls')),
    plain,
    z.boolean().nullish(),
  ),
  text: within(fromResponses(translated('the format')), text, one, optional),
  reasoning: within(fromResponses(translated('the effort'), ACCOUNT_EFFORT), reasoningConfig, one, nullish),
  temperature: field(fromResponses(translated(`temperature, ${SAMPLING}`)), plain, z.number().min(0).max(2).nullish()),
  top_p: field(fromResponses(translated(`top_p, ${SAMPLING}`)), plain, z.number().min(0).max(1).nullish()),
  user: field(fromResponses(translated('metadata.user_id'), translated('user')), plain, z.string().optional()),
  safety_identifier: field(
    fromResponses(translated('metadata.user_id, before `user`'), translated('user')),
    plain,
    unprinted,
  ),
  metadata: field(
    fromResponses(leftOut('it is repeated in the answer')),
    any,
    z.record(z.string(), z.string()).nullish(),
  ),
  client_metadata: field(fromResponses(leftOut('it describes the origin of a request')), any, unprinted),
  include: field(
    fromResponses(refused('message.output_text.logprobs is not available for this model', WITHOUT_LOGPROBS)),
    any,
    z.array(z.string()).nullish(),
  ),
  context_management: field(
    fromResponses(leftOut('it only shortens a conversation that grows too long; this one is sent whole')),
    never('the provider charges for compaction'),
    unprinted,
  ),
  truncation: field(
    fromResponses(leftOut('nothing is truncated: a conversation that is too long is refused')),
    plain,
    unprinted,
  ),
  max_tool_calls: field(
    fromResponses(leftOut('it limits tools that run at OpenAI, of which there are none')),
    plain,
    unprinted,
  ),
  service_tier: field(
    fromResponses(leftOut('it affects when OpenAI has capacity, not the answer')),
    only('auto', 'default'),
    unprinted,
  ),
  prompt_cache_key: field(
    fromResponses(translated('cache_control, where no part has a mark of its own'), ONLY_PRICE),
    plain,
    unprinted,
  ),
  prompt_cache_retention: keeping(field(CACHED, plain, unprinted), LONG_CACHE),
  prompt_cache_options: keeping(field(CACHED, object({ mode: plain, ttl: plain }), unprinted), LONG_LIFETIME),
  image: field(fromResponses(leftOut('each provider scales images in its own way')), unpriced, unprinted),
  store: keeping(
    field(
      fromResponses(leftOut('responses are stored here, whichever provider answers')),
      only(false),
      z.boolean().nullish(),
    ),
    { does: 'sent as', note: 'OpenAI would store the response', value: false },
  ),
  previous_response_id: field(fromResponses(refused(NOT_STORED)), reference, z.string().nullish()),
  conversation: keeping(
    field(
      fromResponses(
        refused('conversations are not stored here: use previous_response_id, or send the whole conversation as input'),
      ),
      reference,
      unprinted,
    ),
    { does: 'refused', note: 'the provider would store the conversation' },
  ),
  prompt: field(
    fromResponses(refused('stored prompts are not available for this model: send instructions and input')),
    reference,
    unprinted,
  ),
  background: keeping(field(fromResponses(refused(NOT_AVAILABLE, unless(false))), only(false), unprinted), {
    does: 'refused',
    note: 'the provider would store the response until it is fetched',
    unless: unless(false),
  }),
  top_logprobs: field(fromResponses(refused(NOT_AVAILABLE, unless(0))), plain, unprinted),
  moderation: field(fromResponses(refused(NOT_AVAILABLE)), never('moderation is charged separately'), unprinted),
  access_programs: field(fromResponses(refused(NOT_AVAILABLE)), unpriced, unprinted),
});

export const RESPONSES_FIELDS = {
  request,
  ...RESPONSES_ITEMS,
  ...RESPONSES_TOOLS,
  text,
  reasoningConfig,
} as const;
