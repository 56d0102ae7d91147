// Every field of a Messages body.
import { leftOut, NOT_AVAILABLE, refused, translated, unless, unlessEmpty, type Unless } from './cells.ts';
import { keeping, within, type Section } from './rows.ts';
import * as blocks from './messages-blocks.ts';
import { cacheControl, fromMessages } from './messages-blocks.ts';

const OF_THE_MODEL = 'where the model takes it; other models use their defaults';
const ATTRIBUTED = leftOut('it attributes the request at Anthropic');
const ANTHROPICS_TOOL = 'this model does not know Anthropic’s tools: describe it as a custom tool';
const DIRECT: Unless = { test: (value) => Array.isArray(value) && value.includes('direct'), says: 'with `direct`' };

const customTool = {
  title: 'Custom tool',
  rows: {
    type: fromMessages(translated('`function`')),
    name: fromMessages(translated('name')),
    description: fromMessages(translated('description')),
    input_schema: fromMessages(translated('parameters')),
    strict: fromMessages(translated('strict')),
    input_examples: fromMessages(leftOut('the schema describes the input')),
    defer_loading: fromMessages(leftOut('the tool is available from the start')),
    eager_input_streaming: fromMessages(leftOut('it affects only how arguments are split')),
    allowed_callers: fromMessages(refused('this model cannot call a tool from code', DIRECT)),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const known = fromMessages(refused(ANTHROPICS_TOOL));
const there = fromMessages(
  leftOut('it needs Anthropic; named in `x-service-left-out`, and refused where `tool_choice` demands it'),
);

const tool = {
  title: 'Tools',
  kinds: { field: 'type', absent: 'custom', noun: 'tool' },
  rows: {
    custom: within(fromMessages(translated('a function')), customTool),
    bash_20241022: known,
    bash_20250124: known,
    text_editor_20241022: known,
    text_editor_20250124: known,
    text_editor_20250429: known,
    text_editor_20250728: known,
    computer_20241022: known,
    computer_20250124: known,
    computer_20251124: known,
    memory_20250818: known,
    browser_toolset_20260801: there,
    computer_toolset_20260801: there,
    code_execution_20250522: there,
    code_execution_20250825: there,
    code_execution_20260120: there,
    code_execution_20260521: there,
    web_search_20250305: there,
    web_search_20260209: there,
    web_search_20260318: there,
    web_fetch_20250910: there,
    web_fetch_20260209: there,
    web_fetch_20260309: there,
    web_fetch_20260318: there,
    advisor_20260301: there,
    tool_search_tool_bm25: there,
    tool_search_tool_bm25_20251119: there,
    tool_search_tool_regex: there,
    tool_search_tool_regex_20251119: there,
    mcp_toolset: there,
  },
} as const satisfies Section;

const toolChoice = {
  title: '`tool_choice`',
  rows: {
    type: fromMessages(translated('`any` is `required`, `tool` names a function')),
    name: fromMessages(translated('name of the function')),
    disable_parallel_tool_use: fromMessages(translated('`parallel_tool_calls: false`')),
  },
} as const satisfies Section;

const EFFORT = translated('reasoning_effort, reasoning.effort: the nearest that the model takes');
const NO_EFFORT = leftOut('effort is not sent to a Models account: many refuse the field');

const thinking = {
  title: '`thinking`',
  rows: {
    type: fromMessages(translated('`disabled` is the lowest effort'), NO_EFFORT),
    budget_tokens: fromMessages(translated('an effort, by its size'), NO_EFFORT),
    display: fromMessages(leftOut('reasoning is shown as the provider sends it')),
    block_binding: fromMessages(leftOut('no thinking block is sent back to this model')),
  },
} as const satisfies Section;

const outputConfig = {
  title: '`output_config`',
  rows: {
    effort: fromMessages(EFFORT, NO_EFFORT),
    format: fromMessages(translated('response_format, text.format: a strict JSON Schema')),
    task_budget: fromMessages(leftOut('advice to the model; `max_tokens` is enforced')),
  },
} as const satisfies Section;

const SHORTENS = leftOut('it only shortens a conversation that grows too long; this one is sent whole');

const edit = {
  title: '`context_management.edits`',
  kinds: { field: 'type', noun: 'edit' },
  rows: {
    clear_tool_uses_20250919: fromMessages(SHORTENS),
    clear_thinking_20251015: fromMessages(SHORTENS),
    compact_20260112: fromMessages(SHORTENS),
  },
} as const satisfies Section;

const contextManagement = {
  title: '`context_management`',
  rows: { edits: within(fromMessages(SHORTENS), edit) },
} as const satisfies Section;

const metadata = {
  title: '`metadata`',
  rows: { user_id: fromMessages(translated('user; hashed if longer than 64 characters')) },
} as const satisfies Section;

const request = {
  title: 'Fields of the body',
  rows: {
    model: fromMessages(translated('model: its id at the provider')),
    messages: within(fromMessages(translated('messages, input')), blocks.message),
    system: within(fromMessages(translated('messages of role `system`, instructions')), blocks.systemBlock),
    max_tokens: fromMessages(translated('max_completion_tokens, max_output_tokens'), translated('max_tokens')),
    stream: fromMessages(translated('stream')),
    stop_sequences: fromMessages(translated('stop, at most four; refused if the model takes none')),
    temperature: fromMessages(translated(`temperature, ${OF_THE_MODEL}`)),
    top_p: fromMessages(translated(`top_p, ${OF_THE_MODEL}`)),
    top_k: fromMessages(leftOut('a sampling hint that the protocol does not have')),
    tools: within(fromMessages(translated('tools')), tool),
    tool_choice: within(fromMessages(translated('tool_choice')), toolChoice),
    thinking: within(fromMessages(translated('the effort'), NO_EFFORT), thinking),
    output_config: within(fromMessages(translated('the effort and the format')), outputConfig),
    output_format: fromMessages(translated('as `output_config.format`')),
    metadata: within(fromMessages(translated('user')), metadata),
    context_management: within(fromMessages(SHORTENS), contextManagement),
    cache_control: cacheControl,
    service_tier: fromMessages(leftOut('it affects when Anthropic has capacity, not the answer')),
    speed: fromMessages(leftOut('it affects the speed and price of the answer')),
    inference_geo: fromMessages(refused('the region of this model cannot be chosen', unless('global'))),
    diagnostics: fromMessages(leftOut('it asks for the reason of a cache miss')),
    betas: fromMessages(leftOut('they enable features only Anthropic’s protocol has')),
    user_profile_id: fromMessages(ATTRIBUTED),
    workspace_id: fromMessages(ATTRIBUTED),
    fallback_credit_token: fromMessages(leftOut('it affects what Anthropic charges')),
    fallbacks: fromMessages(refused('this model has no fallbacks', unlessEmpty)),
    container: keeping(fromMessages(refused(NOT_AVAILABLE)), {
      does: 'refused',
      note: 'the provider keeps the files of a container',
    }),
    mcp_servers: fromMessages(leftOut('Anthropic would call them; named in `x-service-left-out`')),
    compaction: fromMessages(refused(NOT_AVAILABLE)),
    thread: keeping(fromMessages(refused('threads are not stored for this model: send the whole conversation')), {
      does: 'refused',
      note: 'the provider would store the conversation',
    }),
  },
} as const satisfies Section;

export const MESSAGES_FIELDS = {
  request,
  message: blocks.message,
  turnMessage: blocks.turnMessage,
  systemMessage: blocks.systemMessage,
  block: blocks.block,
  systemBlock: blocks.systemBlock,
  textBlock: blocks.textBlock,
  imageBlock: blocks.imageBlock,
  imageSource: blocks.imageSource,
  documentBlock: blocks.documentBlock,
  documentSource: blocks.documentSource,
  searchResultBlock: blocks.searchResultBlock,
  thinkingBlock: blocks.thinkingBlock,
  toolUseBlock: blocks.toolUseBlock,
  toolResultBlock: blocks.toolResultBlock,
  resultBlock: blocks.resultBlock,
  tool,
  customTool,
  toolChoice,
  thinking,
  outputConfig,
  contextManagement,
  edit,
  metadata,
} as const satisfies Readonly<Record<string, Section>>;
