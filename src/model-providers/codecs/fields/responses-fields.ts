// Every field of a Responses body.
import { LONG_CACHE, LONG_LIFETIME } from './chat-fields.ts';
import { leftOut, NOT_AVAILABLE, refused, translated, unless, type Unless } from './cells.ts';
import { keeping, within, type Section } from './rows.ts';
import { fromResponses, RESPONSES_ITEMS } from './responses-items.ts';

const KIND = fromResponses(translated('the kind of the other protocol'));
const NOT_STORED = 'is not stored here: send the whole conversation as input';
const WITHOUT_LOGPROBS: Unless = {
  test: (value) => Array.isArray(value) && !value.includes('message.output_text.logprobs'),
  says: 'without `message.output_text.logprobs`',
};
const DIRECT: Unless = { test: (value) => Array.isArray(value) && value.includes('direct'), says: 'with `direct`' };
const CACHED = leftOut('it affects only the price');
const SAMPLING = 'where the model takes it; other models use their defaults';
const NO_EFFORT = leftOut('effort is not sent to a Models account: many refuse the field');

const functionTool = {
  title: 'Tool `function`',
  rows: {
    type: KIND,
    name: fromResponses(translated('name')),
    description: fromResponses(translated('description')),
    parameters: fromResponses(translated('input_schema'), translated('parameters')),
    strict: fromResponses(translated('strict')),
    output_schema: fromResponses(leftOut('results are passed as they are')),
    async: fromResponses(leftOut('the client decides when to answer a call')),
    defer_loading: fromResponses(leftOut('the tool is available from the start')),
    allowed_callers: fromResponses(refused('this model cannot call a tool from code', DIRECT)),
  },
} as const satisfies Section;

const customTool = {
  title: 'Tool `custom`',
  rows: {
    type: KIND,
    name: fromResponses(translated('name')),
    description: fromResponses(translated('description')),
    format: fromResponses(translated('added to the description')),
    async: fromResponses(leftOut('the client decides when to answer a call')),
    defer_loading: fromResponses(leftOut('the tool is available from the start')),
    allowed_callers: fromResponses(refused('this model cannot call a tool from code', DIRECT)),
  },
} as const satisfies Section;

const FLAT = 'a function; calls are returned in the form of the client’s tool';
const CALLED = fromResponses(translated('its calls become the items that the client expects'));
const RUNS_THERE = fromResponses(
  leftOut('it runs at OpenAI; named in `x-service-left-out`, and refused where `tool_choice` demands it'),
);

const innerTool = {
  title: 'Tools of a namespace',
  kinds: { field: 'type', noun: 'tool' },
  rows: {
    function: within(fromResponses(translated(FLAT)), functionTool),
    custom: within(fromResponses(translated(FLAT)), customTool),
  },
} as const satisfies Section;

const namespaceTool = {
  title: 'Tool `namespace`',
  rows: {
    type: KIND,
    name: fromResponses(translated('part of the names of its tools')),
    description: fromResponses(translated('included with the first of its tools')),
    tools: within(fromResponses(translated('tools')), innerTool),
  },
} as const satisfies Section;

const tool = {
  title: 'Tools',
  kinds: { field: 'type', noun: 'tool' },
  rows: {
    function: within(fromResponses(translated('a tool')), functionTool),
    custom: within(fromResponses(translated(FLAT)), customTool),
    namespace: within(fromResponses(translated('each of its tools becomes one')), namespaceTool),
    local_shell: CALLED,
    shell: CALLED,
    apply_patch: CALLED,
    tool_search: CALLED,
    computer: RUNS_THERE,
    computer_use_preview: RUNS_THERE,
    web_search: RUNS_THERE,
    web_search_2025_08_26: RUNS_THERE,
    web_search_preview: RUNS_THERE,
    web_search_preview_2025_03_11: RUNS_THERE,
    file_search: RUNS_THERE,
    mcp: RUNS_THERE,
    code_interpreter: RUNS_THERE,
    programmatic_tool_calling: RUNS_THERE,
    image_generation: RUNS_THERE,
  },
} as const satisfies Section;

const textConfig = {
  title: '`text`',
  rows: {
    format: fromResponses(translated('output_config.format or an instruction'), translated('response_format')),
    verbosity: fromResponses(leftOut('a length hint that the protocol does not have')),
  },
} as const satisfies Section;

const reasoning = {
  title: '`reasoning`',
  rows: {
    effort: fromResponses(translated('thinking and output_config.effort, as the model takes them'), NO_EFFORT),
    summary: fromResponses(translated('thinking.display'), leftOut('reasoning is shown as the account sends it')),
    generate_summary: fromResponses(
      translated('thinking.display'),
      leftOut('reasoning is shown as the account sends it'),
    ),
    context: fromResponses(leftOut('the reasoning of earlier turns is sent back as far as its provider accepts it')),
    mode: fromResponses(refused(NOT_AVAILABLE, unless('standard'))),
  },
} as const satisfies Section;

const request = {
  title: 'Fields of the body',
  rows: {
    model: fromResponses(translated('model: its id at the provider')),
    input: within(fromResponses(translated('messages')), RESPONSES_ITEMS.item),
    instructions: fromResponses(translated('system'), translated('a message of role `system`')),
    max_output_tokens: fromResponses(translated('max_tokens')),
    stream: fromResponses(translated('stream')),
    stream_options: fromResponses(leftOut('padding of the stream, not of the answer')),
    tools: within(fromResponses(translated('tools')), tool),
    tool_choice: fromResponses(translated('tool_choice; of `allowed_tools` only these are sent')),
    parallel_tool_calls: fromResponses(
      translated('tool_choice.disable_parallel_tool_use'),
      translated('parallel_tool_calls'),
    ),
    text: within(fromResponses(translated('the format')), textConfig),
    reasoning: within(fromResponses(translated('the effort'), NO_EFFORT), reasoning),
    temperature: fromResponses(translated(`temperature, ${SAMPLING}`)),
    top_p: fromResponses(translated(`top_p, ${SAMPLING}`)),
    user: fromResponses(translated('metadata.user_id'), translated('user')),
    safety_identifier: fromResponses(translated('metadata.user_id, before `user`'), translated('user')),
    metadata: fromResponses(leftOut('it is repeated in the answer')),
    client_metadata: fromResponses(leftOut('it describes the origin of a request')),
    include: fromResponses(refused('message.output_text.logprobs is not available for this model', WITHOUT_LOGPROBS)),
    context_management: fromResponses(
      leftOut('it only shortens a conversation that grows too long; this one is sent whole'),
    ),
    truncation: fromResponses(leftOut('nothing is truncated: a conversation that is too long is refused')),
    max_tool_calls: fromResponses(leftOut('it limits tools that run at OpenAI, of which there are none')),
    service_tier: fromResponses(leftOut('it affects when OpenAI has capacity, not the answer')),
    prompt_cache_key: fromResponses(CACHED),
    prompt_cache_retention: keeping(fromResponses(CACHED), LONG_CACHE),
    prompt_cache_options: keeping(fromResponses(CACHED), LONG_LIFETIME),
    image: fromResponses(leftOut('each provider scales images in its own way')),
    store: keeping(fromResponses(leftOut('responses are stored here, whichever provider answers')), {
      does: 'sent as',
      note: 'OpenAI would store the response',
      value: false,
    }),
    previous_response_id: fromResponses(refused(NOT_STORED)),
    conversation: keeping(
      fromResponses(
        refused('conversations are not stored here: use previous_response_id, or send the whole conversation as input'),
      ),
      { does: 'refused', note: 'the provider would store the conversation' },
    ),
    prompt: fromResponses(refused('stored prompts are not available for this model: send instructions and input')),
    background: keeping(fromResponses(refused(NOT_AVAILABLE, unless(false))), {
      does: 'refused',
      note: 'the provider would store the response until it is fetched',
      unless: unless(false),
    }),
    top_logprobs: fromResponses(refused(NOT_AVAILABLE, unless(0))),
    moderation: fromResponses(refused(NOT_AVAILABLE)),
    access_programs: fromResponses(refused(NOT_AVAILABLE)),
  },
} as const satisfies Section;

export const RESPONSES_FIELDS = {
  request,
  ...RESPONSES_ITEMS,
  tool,
  functionTool,
  customTool,
  namespaceTool,
  innerTool,
  text: textConfig,
  reasoningConfig: reasoning,
} as const satisfies Readonly<Record<string, Section>>;
