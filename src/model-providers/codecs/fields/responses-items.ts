// The items of a Responses body. Anthropic's models and Models accounts need them translated.
import { unpriced } from '../../bounds/rules.ts';
import { leftOut, passed, refused, translated, type Cell } from './cells.ts';
import { within, type Row, type Section, field, unprinted } from './rows.ts';

export const fromResponses = (anthropic: Cell, account: Cell = anthropic): Row =>
  field({ openai: passed(), anthropic, account }, unpriced, unprinted);

const KIND = fromResponses(translated('the kind of the other protocol'));
const ECHO = fromResponses(leftOut('it describes a finished item'));
const NOTE = fromResponses(leftOut('a note by Codex about when the item was created'));
const text = fromResponses(translated('text'));
const cachedPrefix = fromResponses(leftOut('it affects only the price'));
const stored = fromResponses(refused('stored files are not available for this model: send the data'));
const DIRECT = {
  test: (value: unknown) =>
    typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'direct',
  says: '`direct`',
};
const caller = fromResponses(refused('this model does not support calls made by code', DIRECT));

const textPart = {
  title: 'Parts `input_text`, `output_text` and `text`',
  rows: { type: KIND, text, annotations: ECHO, logprobs: ECHO, prompt_cache_breakpoint: cachedPrefix },
} as const satisfies Section;

const imagePart = {
  title: 'Part `input_image`',
  rows: {
    type: KIND,
    image_url: fromResponses(translated('an image: data or URL')),
    detail: fromResponses(leftOut('Anthropic scales images by itself'), translated('detail')),
    file_id: stored,
    prompt_cache_breakpoint: cachedPrefix,
  },
} as const satisfies Section;

const filePart = {
  title: 'Part `input_file`',
  rows: {
    type: KIND,
    file_data: fromResponses(translated('a document, text or an image')),
    filename: fromResponses(translated('title'), translated('filename')),
    file_url: fromResponses(
      translated('source of type `url`'),
      refused('this model takes documents as data, not as a URL'),
    ),
    detail: fromResponses(leftOut('each provider scales pages in its own way')),
    file_id: stored,
    prompt_cache_breakpoint: cachedPrefix,
  },
} as const satisfies Section;

const refusalPart = { title: 'Part `refusal`', rows: { type: KIND, refusal: text } } as const satisfies Section;

const part = {
  title: 'Parts of a message or of a result',
  kinds: { field: 'type', noun: 'part' },
  rows: {
    input_text: within(text, textPart),
    output_text: within(text, textPart),
    text: within(text, textPart),
    refusal: within(text, refusalPart),
    input_image: within(fromResponses(translated('an image')), imagePart),
    input_file: within(fromResponses(translated('a document')), filePart),
    input_audio: fromResponses(refused('this model does not take audio')),
  },
} as const satisfies Section;

const message = {
  title: 'Item `message`',
  rows: {
    type: KIND,
    role: fromResponses(translated('`developer` is `system`'), translated('role')),
    content: within(fromResponses(translated('content')), part),
    id: ECHO,
    status: ECHO,
    internal_chat_message_metadata_passthrough: NOTE,
    phase: fromResponses(leftOut('a label by which OpenAI’s models distinguish commentary from the answer')),
  },
} as const satisfies Section;

const functionCall = {
  title: 'Item `function_call`',
  rows: {
    type: KIND,
    call_id: fromResponses(translated('id')),
    name: fromResponses(translated('name')),
    arguments: fromResponses(translated('input'), translated('arguments')),
    id: ECHO,
    status: ECHO,
    internal_chat_message_metadata_passthrough: NOTE,
    async: ECHO,
    namespace: fromResponses(translated('part of the name')),
    encrypted_function_args: fromResponses(leftOut('it lists the arguments that OpenAI has encrypted')),
    caller,
  },
} as const satisfies Section;

const customCall = {
  title: 'Item `custom_tool_call`',
  rows: {
    type: KIND,
    call_id: fromResponses(translated('id')),
    name: fromResponses(translated('name')),
    input: fromResponses(translated('the one argument of a function')),
    id: ECHO,
    status: ECHO,
    internal_chat_message_metadata_passthrough: NOTE,
    async: ECHO,
    namespace: fromResponses(translated('part of the name')),
    caller,
  },
} as const satisfies Section;

const functionOutput = {
  title: 'Items `function_call_output` and `custom_tool_call_output`',
  rows: {
    type: KIND,
    call_id: fromResponses(translated('tool_use_id'), translated('tool_call_id')),
    output: within(fromResponses(translated('content')), part),
    id: ECHO,
    status: ECHO,
    internal_chat_message_metadata_passthrough: NOTE,
    name: fromResponses(leftOut('the id names the call, which names its tool')),
    namespace: fromResponses(leftOut('the id names the call, which names its tool')),
    caller,
  },
} as const satisfies Section;

const OWN_REASONING = 'a provider accepts only its own reasoning';

const reasoning = {
  title: 'Item `reasoning`',
  rows: {
    type: KIND,
    id: ECHO,
    status: ECHO,
    internal_chat_message_metadata_passthrough: NOTE,
    summary: fromResponses(translated('the text of a block `thinking`'), leftOut(OWN_REASONING)),
    content: fromResponses(leftOut(OWN_REASONING)),
    encrypted_content: fromResponses(
      translated('its signature, where Anthropic’s is in it; otherwise the item is left out'),
      leftOut(OWN_REASONING),
    ),
  },
} as const satisfies Section;

const RUN_THERE = fromResponses(refused('this model does not support items of tools that run at OpenAI'));
const TRACE = fromResponses(
  leftOut('a trace of a tool that ran at OpenAI: the answer that follows reflects its result'),
);
const CALL = fromResponses(translated('a call of a function'));
const RESULT = fromResponses(translated('the answer to a call'));
const SEALED = {
  openai: passed('where it is OpenAI’s; one of another provider is left out'),
  anthropic: translated('a block `thinking`, where it is Anthropic’s; otherwise left out'),
  account: leftOut(OWN_REASONING),
};

const item = {
  title: 'Items of `input`',
  kinds: { field: 'type', absent: 'message', noun: 'item' },
  rows: {
    message: within(fromResponses(translated('a message; items of one turn become one')), message),
    function_call: within(fromResponses(translated('a call')), functionCall),
    function_call_output: within(fromResponses(translated('the answer to a call')), functionOutput),
    reasoning: within(SEALED, reasoning),
    item_reference: fromResponses(refused('is not stored here: send the item itself')),
    custom_tool_call: within(CALL, customCall),
    custom_tool_call_output: within(RESULT, functionOutput),
    local_shell_call: CALL,
    local_shell_call_output: RESULT,
    shell_call: CALL,
    shell_call_output: RESULT,
    apply_patch_call: CALL,
    apply_patch_call_output: RESULT,
    computer_call: RUN_THERE,
    computer_call_output: RUN_THERE,
    file_search_call: TRACE,
    web_search_call: TRACE,
    image_generation_call: RUN_THERE,
    code_interpreter_call: TRACE,
    tool_search_call: CALL,
    tool_search_output: fromResponses(translated('the answer to a call; its tools are tools of the request')),
    mcp_list_tools: TRACE,
    mcp_approval_request: RUN_THERE,
    mcp_approval_response: RUN_THERE,
    mcp_call: RUN_THERE,
    program: RUN_THERE,
    program_output: RUN_THERE,
    additional_tools: fromResponses(translated('its tools are tools of the request')),
    agent_message: fromResponses(translated('a user message that names its author')),
    configuration_update: fromResponses(refused('this model takes its settings only in the request')),
    compaction: fromResponses(refused('this model does not support compacted conversations: send the items')),
    compaction_trigger: fromResponses(refused('this model does not support compacted conversations: send the items')),
  },
} as const satisfies Section;

export const RESPONSES_ITEMS = {
  item,
  message,
  functionCall,
  customCall,
  functionOutput,
  reasoning,
  part,
  textPart,
  refusalPart,
  imagePart,
  filePart,
} as const;
