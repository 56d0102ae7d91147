// Every field of a Messages body.
import {
  leftOut,
  NOT_AVAILABLE,
  refused,
  translated,
  unless,
  unlessEmpty,
  within,
  type Section,
  type Unless,
} from './cells.ts';
import * as blocks from './messages-blocks.ts';
import { cacheControl, fromMessages } from './messages-blocks.ts';

const OF_THE_MODEL = 'where the model takes it; others sample by their own';
const ATTRIBUTED = leftOut('it says at Anthropic whose request it is');
const ANTHROPICS_TOOL = 'this model does not know the tools of Anthropic: describe it as a custom tool';
const DIRECT: Unless = { test: (value) => Array.isArray(value) && value.includes('direct'), says: 'with `direct`' };

const customTool = {
  title: 'Tool of one’s own',
  rows: {
    type: fromMessages(translated('`function`')),
    name: fromMessages(translated('name')),
    description: fromMessages(translated('description')),
    input_schema: fromMessages(translated('parameters')),
    strict: fromMessages(translated('strict')),
    input_examples: fromMessages(leftOut('the schema says what the tool takes')),
    defer_loading: fromMessages(leftOut('the tool is at hand from the start')),
    eager_input_streaming: fromMessages(leftOut('it concerns in which pieces arguments come')),
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
const NO_EFFORT = leftOut('a Models account is told no effort: many refuse the field');

const thinking = {
  title: '`thinking`',
  rows: {
    type: fromMessages(translated('`disabled` is the least effort'), NO_EFFORT),
    budget_tokens: fromMessages(translated('an effort, by its size'), NO_EFFORT),
    display: fromMessages(leftOut('reasoning is shown as the provider shows it')),
    block_binding: fromMessages(leftOut('no thinking block is sent back to this model')),
  },
} as const satisfies Section;

const outputConfig = {
  title: '`output_config`',
  rows: {
    effort: fromMessages(EFFORT, NO_EFFORT),
    format: fromMessages(translated('response_format, text.format: a strict JSON Schema')),
    task_budget: fromMessages(leftOut('advice to the model; `max_tokens` is what holds')),
  },
} as const satisfies Section;

const SHORTENS = leftOut('it only shortens a conversation that grows too long, and this one is sent whole');

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
  rows: { user_id: fromMessages(translated('user; longer than 64 characters, a hash of it')) },
} as const satisfies Section;

const request = {
  title: 'Fields of the body',
  rows: {
    model: fromMessages(translated('model: its id at the provider')),
    messages: within(fromMessages(translated('messages, input')), blocks.message),
    system: within(fromMessages(translated('messages of role `system`, instructions')), blocks.systemBlock),
    max_tokens: fromMessages(translated('max_completion_tokens, max_output_tokens'), translated('max_tokens')),
    stream: fromMessages(translated('stream')),
    stop_sequences: fromMessages(translated('stop, four at most; a model that takes none refuses them')),
    temperature: fromMessages(translated(`temperature, ${OF_THE_MODEL}`)),
    top_p: fromMessages(translated(`top_p, ${OF_THE_MODEL}`)),
    top_k: fromMessages(leftOut('a hint for sampling that the protocol does not have')),
    tools: within(fromMessages(translated('tools')), tool),
    tool_choice: within(fromMessages(translated('tool_choice')), toolChoice),
    thinking: within(fromMessages(translated('the effort'), NO_EFFORT), thinking),
    output_config: within(fromMessages(translated('the effort and the format')), outputConfig),
    output_format: fromMessages(translated('as `output_config.format`')),
    metadata: within(fromMessages(translated('user')), metadata),
    context_management: within(fromMessages(SHORTENS), contextManagement),
    cache_control: cacheControl,
    service_tier: fromMessages(leftOut('it concerns when Anthropic has room, not what is answered')),
    speed: fromMessages(leftOut('it concerns how fast the answer comes and what it costs')),
    inference_geo: fromMessages(refused('where this model computes cannot be chosen', unless('global'))),
    diagnostics: fromMessages(leftOut('it asks why a cache was missed')),
    betas: fromMessages(leftOut('they switch on what is in Anthropic’s protocol only')),
    user_profile_id: fromMessages(ATTRIBUTED),
    workspace_id: fromMessages(ATTRIBUTED),
    fallback_credit_token: fromMessages(leftOut('it concerns what Anthropic charges')),
    fallbacks: fromMessages(refused('no other model answers for this one', unlessEmpty)),
    container: fromMessages(refused(NOT_AVAILABLE)),
    mcp_servers: fromMessages(leftOut('Anthropic would call them; named in `x-service-left-out`')),
    compaction: fromMessages(refused(NOT_AVAILABLE)),
    thread: fromMessages(refused('threads are not kept for this model: send the whole conversation')),
  },
} as const satisfies Section;

export const MESSAGES_FIELDS = {
  request,
  message: blocks.message,
  saidMessage: blocks.saidMessage,
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
