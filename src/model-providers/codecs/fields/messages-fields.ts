// Every field of a Messages body.
import { z } from 'zod';
import { any, list, never, object, only, plain, reference, type Rule, unpriced } from '../../bounds/rules.ts';
import { EFFORTS } from '../../../contract/models.ts';
import { isObject } from '../read-fields.ts';
import {
  ACCOUNT_EFFORT,
  ACCOUNT_LIMIT,
  leftOut,
  NOT_AVAILABLE,
  refused,
  translated,
  unless,
  unlessEmpty,
  type Unless,
} from './cells.ts';
import { cacheControl, fromMessages, MESSAGES_BLOCKS, messages, system } from './messages-blocks.ts';
import {
  alike,
  by,
  creditOf,
  field,
  keeping,
  kindsOf,
  many,
  one,
  optional,
  printOf,
  section,
  unprinted,
  within,
} from './rows.ts';

const OF_THE_MODEL = 'where the model takes it; other models use their defaults';
const ATTRIBUTED = field(fromMessages(leftOut('it attributes the request at Anthropic')), unpriced, unprinted);
const ANTHROPICS_TOOL = 'this model does not know Anthropic’s tools: describe it as a custom tool';
const DIRECT: Unless = { test: (value) => Array.isArray(value) && value.includes('direct'), says: 'with `direct`' };

const customTool = section('Custom tool', {
  type: field(fromMessages(translated('`function`')), plain, z.string().nullish()),
  name: field(fromMessages(translated('name')), plain, z.string().optional()),
  description: field(fromMessages(translated('description')), plain, z.string().optional()),
  input_schema: field(fromMessages(translated('parameters')), any, z.looseObject({}).optional()),
  strict: field(fromMessages(translated('strict')), plain, unprinted),
  input_examples: field(fromMessages(leftOut('the schema describes the input')), any, unprinted),
  defer_loading: field(fromMessages(leftOut('the tool is available from the start')), plain, unprinted),
  eager_input_streaming: field(fromMessages(leftOut('it affects only how arguments are split')), plain, unprinted),
  allowed_callers: field(
    fromMessages(refused('this model cannot call a tool from code', DIRECT)),
    list(only('direct')),
    unprinted,
  ),
  cache_control: cacheControl,
});

const { description: _description, input_schema: _schema, ...described } = customTool.rows;
const describedTool = creditOf(
  section('Tool that Anthropic describes', described, {
    display_width_px: plain,
    display_height_px: plain,
    display_number: plain,
    enable_zoom: plain,
    max_characters: plain,
  }),
);
/** A client-run tool whose description the provider supplies. */
const knownTool: Rule = (value, at, found) => {
  found.addedTokens += 2_048;
  describedTool(value, at, found);
};

const tool = kindsOf('Tools', by('type', 'tool', { absent: 'custom' }), {
  custom: within(fromMessages(translated('a function')), customTool),
  ...alike(
    field(fromMessages(refused(ANTHROPICS_TOOL)), knownTool, unprinted),
    'bash_20241022',
    'bash_20250124',
    'text_editor_20241022',
    'text_editor_20250124',
    'text_editor_20250429',
    'text_editor_20250728',
    'computer_20241022',
    'computer_20250124',
    'computer_20251124',
    'memory_20250818',
  ),
  ...alike(
    field(
      fromMessages(
        leftOut('it needs Anthropic; named in `x-service-left-out`, and refused where `tool_choice` demands it'),
      ),
      knownTool,
      unprinted,
    ),
    'browser_toolset_20260801',
    'computer_toolset_20260801',
    'code_execution_20250522',
    'code_execution_20250825',
    'code_execution_20260120',
    'code_execution_20260521',
    'web_search_20250305',
    'web_search_20260209',
    'web_search_20260318',
    'web_fetch_20250910',
    'web_fetch_20260209',
    'web_fetch_20260309',
    'web_fetch_20260318',
    'advisor_20260301',
    'tool_search_tool_bm25',
    'tool_search_tool_bm25_20251119',
    'tool_search_tool_regex',
    'tool_search_tool_regex_20251119',
    'mcp_toolset',
  ),
});

/** What Anthropic runs has been left out before; of the tools it describes, new versions appear before the table has them. */
const toolCredit: Rule = (value, at, found) => {
  const type = isObject(value) ? value['type'] : undefined;
  const isCustom = type === undefined || type === null || type === 'custom';
  (isCustom ? tool.rows.custom.credit : knownTool)(value, at, found);
};

const toolChoice = section('`tool_choice`', {
  type: field(
    fromMessages(translated('`any` is `required`, `tool` names a function')),
    plain,
    z.enum(['auto', 'any', 'tool', 'none']),
  ),
  name: field(fromMessages(translated('name of the function')), plain, z.string().optional()),
  disable_parallel_tool_use: field(
    fromMessages(translated('`parallel_tool_calls: false`')),
    plain,
    z.boolean().optional(),
  ),
});

const EFFORT = translated('reasoning_effort, reasoning.effort: the nearest that the model takes');

const thinking = section('`thinking`', {
  type: field(
    fromMessages(translated('`disabled` is the lowest effort'), ACCOUNT_EFFORT),
    plain,
    z.string().describe('enabled, disabled or adaptive.'),
  ),
  budget_tokens: field(
    fromMessages(translated('an effort, by its size'), ACCOUNT_EFFORT),
    plain,
    z.number().int().optional(),
  ),
  display: field(fromMessages(leftOut('reasoning is shown as the provider sends it')), plain, z.string().nullish()),
  block_binding: field(fromMessages(leftOut('no thinking block is sent back to this model')), plain, unprinted),
});

const outputConfig = section('`output_config`', {
  effort: field(fromMessages(EFFORT, ACCOUNT_EFFORT), plain, z.enum(EFFORTS).nullish()),
  format: field(
    fromMessages(translated('response_format, text.format: a strict JSON Schema')),
    any,
    z.looseObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).nullish(),
  ),
  task_budget: field(fromMessages(leftOut('advice to the model; `max_tokens` is enforced')), any, unprinted),
});

const SHORTENS = fromMessages(leftOut('it only shortens a conversation that grows too long; this one is sent whole'));

const edit = kindsOf('`context_management.edits`', by('type', 'edit'), {
  clear_tool_uses_20250919: field(
    SHORTENS,
    object({
      type: plain,
      clear_at_least: any,
      clear_tool_inputs: any,
      exclude_tools: any,
      keep: any,
      trigger: any,
    }),
    unprinted,
  ),
  clear_thinking_20251015: field(SHORTENS, object({ type: plain, keep: any }), unprinted),
  compact_20260112: field(SHORTENS, unpriced, unprinted),
});

const contextManagement = section('`context_management`', { edits: within(SHORTENS, edit, many, unprinted) });

const metadata = section('`metadata`', {
  user_id: field(fromMessages(translated('user; hashed if longer than 64 characters')), any, z.string().nullish()),
});

const request = section('Fields of the body', {
  model: field(
    fromMessages(translated('model: its id at the provider')),
    plain,
    z.string().describe('An id from GET /v1/models, or an alias of one.'),
  ),
  messages,
  system,
  max_tokens: field(
    fromMessages(translated('max_completion_tokens, max_output_tokens'), ACCOUNT_LIMIT),
    plain,
    z.number().int(),
  ),
  stream: field(
    fromMessages(translated('stream')),
    plain,
    z.boolean().optional().describe('Stream the answer as events.'),
  ),
  stop_sequences: field(
    fromMessages(translated('stop, at most four; refused if the model takes none')),
    any,
    z.array(z.string()).optional(),
  ),
  temperature: field(
    fromMessages(translated(`temperature, ${OF_THE_MODEL}`)),
    plain,
    z.number().min(0).max(1).optional(),
  ),
  top_p: field(fromMessages(translated(`top_p, ${OF_THE_MODEL}`)), plain, z.number().min(0).max(1).optional()),
  top_k: field(fromMessages(leftOut('a sampling hint that the protocol does not have')), plain, unprinted),
  tools: {
    ...within(fromMessages(translated('tools')), tool),
    credit: (value, at, found) => {
      // The provider adds instructions before the first tool.
      found.addedTokens += 1_024;
      list(toolCredit)(value, at, found);
    },
    schema: z.array(printOf(customTool)).optional(),
  },
  tool_choice: within(fromMessages(translated('tool_choice')), toolChoice, one, optional),
  thinking: within(fromMessages(translated('the effort'), ACCOUNT_EFFORT), thinking, one, optional),
  output_config: within(fromMessages(translated('the effort and the format')), outputConfig, one, optional),
  output_format: field(fromMessages(translated('as `output_config.format`')), any, unprinted),
  metadata: { ...within(fromMessages(translated('user')), metadata, one, optional), credit: any },
  context_management: within(SHORTENS, contextManagement, one, unprinted),
  cache_control: { ...cacheControl, schema: unprinted },
  service_tier: field(
    fromMessages(leftOut('it affects when Anthropic has capacity, not the answer')),
    only('auto', 'standard_only'),
    unprinted,
  ),
  speed: field(fromMessages(leftOut('it affects the speed and price of the answer')), only('standard'), unprinted),
  inference_geo: field(
    fromMessages(refused('the region of this model cannot be chosen', unless('global'))),
    only('global'),
    unprinted,
  ),
  diagnostics: field(fromMessages(leftOut('it asks for the reason of a cache miss')), reference, unprinted),
  betas: field(fromMessages(leftOut('they enable features only Anthropic’s protocol has')), unpriced, unprinted),
  user_profile_id: ATTRIBUTED,
  workspace_id: ATTRIBUTED,
  fallback_credit_token: field(fromMessages(leftOut('it affects what Anthropic charges')), unpriced, unprinted),
  fallbacks: field(
    fromMessages(refused('this model has no fallbacks', unlessEmpty)),
    never('another model may cost more'),
    unprinted,
  ),
  container: keeping(field(fromMessages(refused(NOT_AVAILABLE)), reference, unprinted), {
    does: 'refused',
    note: 'the provider keeps the files of a container',
  }),
  mcp_servers: field(
    fromMessages(leftOut('Anthropic would call them; named in `x-service-left-out`')),
    unpriced,
    unprinted,
  ),
  compaction: field(fromMessages(refused(NOT_AVAILABLE)), never('the provider charges for compaction'), unprinted),
  thread: keeping(
    field(
      fromMessages(refused('threads are not stored for this model: send the whole conversation')),
      reference,
      unprinted,
    ),
    { does: 'refused', note: 'the provider would store the conversation' },
  ),
});

export const MESSAGES_FIELDS = {
  request,
  ...MESSAGES_BLOCKS,
  tool,
  customTool,
  toolChoice,
  thinking,
  outputConfig,
  contextManagement,
  edit,
  metadata,
} as const;
