// The items of a Responses body. Anthropic's models and Models accounts need them translated. On platform credit, an
// item left behind by a provider tool is text like any other; one that only names something stored at the provider is a
// reference.
import { z } from 'zod';
import { fileData, imageUrl } from '../../bounds/media-rules.ts';
import { any, byField, list, never, object, plain, reference, type Rule, unpriced } from '../../bounds/rules.ts';
import { type Cells, leftOut, passed, refused, translated, type Unless } from './cells.ts';
import { fromResponses, KIND, tools } from './responses-tools.ts';
import {
  alike,
  by,
  creditOf,
  field,
  flatten,
  kindsOf,
  one,
  printOf,
  type Row,
  section,
  textOrMany,
  unprinted,
  within,
} from './rows.ts';

const ECHO = fromResponses(leftOut('it describes a finished item'));
// The helpers of the official client send back what they have parsed.
const PARSED = fromResponses(leftOut('the text that it was read from has the same content'));
const text = fromResponses(translated('text'));
const ONLY_PRICE = leftOut('it affects only the price');
const cacheMarks = {
  cache_control: field(fromResponses(translated('cache_control'), ONLY_PRICE), unpriced, unprinted),
  prompt_cache_breakpoint: field(
    fromResponses(translated('cache_control; with a `ttl`, of one hour'), ONLY_PRICE),
    any,
    unprinted,
  ),
};
const stored = field(
  fromResponses(refused('stored files are not available for this model: send the data')),
  reference,
  z.string().nullish(),
);
const DIRECT: Unless = {
  test: (value) => typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'direct',
  says: '`direct`',
};
const caller = field(fromResponses(refused('this model does not support calls made by code', DIRECT)), any, unprinted);
const name = field(fromResponses(translated('name')), plain, z.string().optional());

const textPart = section('Parts `input_text`, `output_text` and `text`', {
  type: KIND,
  text: field(text, plain, z.string()),
  annotations: field(ECHO, any, unprinted),
  logprobs: field(ECHO, any, unprinted),
  parsed: field(PARSED, any, unprinted),
  ...cacheMarks,
});

const imagePart = section('Part `input_image`', {
  type: KIND,
  image_url: field(fromResponses(translated('an image: data or URL')), imageUrl, z.string().nullish()),
  detail: field(
    fromResponses(leftOut('Anthropic scales images by itself'), translated('detail')),
    plain,
    z.string().optional(),
  ),
  file_id: stored,
  ...cacheMarks,
});

const filePart = section('Part `input_file`', {
  type: KIND,
  file_data: field(fromResponses(translated('a document, text or an image')), fileData, z.string().optional()),
  filename: field(fromResponses(translated('title'), translated('filename')), plain, z.string().optional()),
  file_url: field(
    fromResponses(translated('source of type `url`'), refused('this model takes documents as data, not as a URL')),
    reference,
    z.string().optional(),
  ),
  detail: field(fromResponses(leftOut('each provider scales pages in its own way')), plain, unprinted),
  file_id: stored,
  ...cacheMarks,
});

const refusalPart = section('Part `refusal`', { type: KIND, refusal: field(text, plain, z.string()) });

const words = { type: plain, text: plain };
const part = kindsOf('Parts of a message or of a result', by('type', 'part'), {
  input_text: { ...within(text, textPart), credit: object({ ...words, prompt_cache_breakpoint: any }) },
  output_text: {
    ...within(text, textPart),
    credit: object({ ...words, annotations: any, logprobs: any, parsed: any }),
  },
  text: { ...within(text, textPart, one, unprinted), credit: object(words) },
  refusal: within(text, refusalPart),
  input_image: within(fromResponses(translated('an image')), imagePart),
  input_file: within(fromResponses(translated('a document')), filePart),
  input_audio: field(
    fromResponses(refused('this model does not take audio')),
    never('audio costs more than the listed price'),
    unprinted,
  ),
});
/** Where parts may stand, those of reasoning may too. */
const partCredit = creditOf({ ...part, also: { summary_text: object(words), reasoning_text: object(words) } });
const content = { ...within(text, part), credit: textOrMany.credit(partCredit) };
const printedContent = textOrMany.schema(printOf(part));

/** What every item may have. */
const common = {
  type: plain,
  id: plain,
  status: plain,
  caller: any,
  async: plain,
  internal_chat_message_metadata_passthrough: any,
};
const finished = {
  id: field(ECHO, plain, z.string().nullish()),
  status: field(ECHO, plain, unprinted),
  internal_chat_message_metadata_passthrough: field(
    fromResponses(leftOut('a note by Codex about when the item was created')),
    any,
    unprinted,
  ),
};
const ofCommon = (fields: Readonly<Record<string, Rule>>): Rule => object({ ...common, ...fields });

const message = section(
  'Item `message`',
  {
    type: KIND,
    role: field(
      fromResponses(translated('`developer` is `system`'), translated('role')),
      plain,
      z.enum(['user', 'assistant', 'system', 'developer']).optional(),
    ),
    content: { ...content, ...fromResponses(translated('content')), schema: printedContent.nullish() },
    ...finished,
    phase: field(
      fromResponses(leftOut('a label by which OpenAI’s models distinguish commentary from the answer')),
      plain,
      unprinted,
    ),
  },
  common,
);

const call = {
  ...finished,
  async: field(ECHO, plain, unprinted),
  namespace: field(fromResponses(translated('part of the name')), plain, unprinted),
};

const functionCall = section('Item `function_call`', {
  type: KIND,
  call_id: field(fromResponses(translated('id')), plain, z.string().optional()),
  name,
  arguments: field(fromResponses(translated('input'), translated('arguments')), plain, z.string().optional()),
  ...call,
  parsed_arguments: field(PARSED, any, unprinted),
  encrypted_function_args: field(
    fromResponses(leftOut('it lists the arguments that OpenAI has encrypted')),
    list(plain),
    unprinted,
  ),
  caller,
});

const customCall = section('Item `custom_tool_call`', {
  type: KIND,
  call_id: field(fromResponses(translated('id')), plain, unprinted),
  name,
  input: field(fromResponses(translated('the one argument of a function')), plain, unprinted),
  ...call,
  caller,
});

const ofTheCall = field(fromResponses(leftOut('the id names the call, which names its tool')), plain, unprinted);
const functionOutput = section(
  'Items `function_call_output` and `custom_tool_call_output`',
  {
    type: KIND,
    call_id: field(fromResponses(translated('tool_use_id'), translated('tool_call_id')), plain, unprinted),
    output: { ...content, ...fromResponses(translated('content')), schema: printedContent.optional() },
    ...finished,
    name: ofTheCall,
    namespace: ofTheCall,
    caller,
  },
  common,
);

const OWN_REASONING = leftOut('a provider accepts only its own reasoning');

const reasoning = section(
  'Item `reasoning`',
  {
    type: KIND,
    ...finished,
    summary: field(
      fromResponses(translated('the text of a block `thinking`'), OWN_REASONING),
      list(partCredit),
      z.array(z.looseObject({ type: z.string(), text: z.string() })).optional(),
    ),
    content: field(fromResponses(OWN_REASONING), list(partCredit), unprinted),
    encrypted_content: field(
      fromResponses(
        translated('its signature, where Anthropic’s is in it; otherwise the item is left out'),
        OWN_REASONING,
      ),
      plain,
      z.string().nullish(),
    ),
  },
  common,
);

const RUN_THERE = field(
  fromResponses(refused('this model does not support items of tools that run at OpenAI')),
  unpriced,
  unprinted,
);
const TRACE = fromResponses(
  leftOut('a trace of a tool that ran at OpenAI: the answer that follows reflects its result'),
);
const CALL = fromResponses(translated('a call of a function'));
const RESULT = fromResponses(translated('the answer to a call'));

/** An item of a typed tool, which has a `call_id`. */
const typed = (cells: Cells, fields: Readonly<Record<string, Rule>>): Row =>
  field(cells, ofCommon({ call_id: plain, ...fields }), unprinted);

const item = kindsOf('Items of `input`', by('type', 'item', { absent: 'message' }), {
  message: within(fromResponses(translated('a message; items of one turn become one')), message),
  function_call: within(fromResponses(translated('a call')), functionCall),
  function_call_output: within(RESULT, functionOutput),
  reasoning: within(
    {
      openai: passed('where it is OpenAI’s; one of another provider is left out'),
      anthropic: translated('a block `thinking`, where it is Anthropic’s; otherwise left out'),
      account: OWN_REASONING,
    },
    reasoning,
  ),
  item_reference: field(fromResponses(refused('is not stored here: send the item itself')), reference, unprinted),
  custom_tool_call: within(CALL, customCall),
  custom_tool_call_output: within(RESULT, functionOutput),
  local_shell_call: typed(CALL, { action: any }),
  local_shell_call_output: typed(RESULT, { output: plain }),
  shell_call: typed(CALL, { action: any, created_by: plain }),
  shell_call_output: typed(RESULT, { output: any, max_output_length: plain, created_by: plain }),
  apply_patch_call: typed(CALL, { operation: any }),
  apply_patch_call_output: typed(RESULT, { output: plain }),
  ...alike(RUN_THERE, 'computer_call', 'computer_call_output'),
  file_search_call: field(TRACE, unpriced, unprinted),
  web_search_call: field(TRACE, ofCommon({ action: any }), unprinted),
  image_generation_call: RUN_THERE,
  code_interpreter_call: field(TRACE, unpriced, unprinted),
  tool_search_call: typed(CALL, { execution: plain, arguments: any, created_by: plain }),
  tool_search_output: typed(fromResponses(translated('the answer to a call; its tools are tools of the request')), {
    execution: plain,
    tools: tools.credit,
    created_by: plain,
  }),
  mcp_list_tools: field(TRACE, unpriced, unprinted),
  ...alike(RUN_THERE, 'mcp_approval_request', 'mcp_approval_response', 'mcp_call', 'program', 'program_output'),
  additional_tools: field(
    fromResponses(translated('its tools are tools of the request')),
    ofCommon({ role: plain, tools: tools.credit }),
    unprinted,
  ),
  agent_message: field(
    fromResponses(translated('a user message that names its author')),
    ofCommon({
      author: plain,
      recipient: plain,
      content: list(
        byField('type', {
          input_text: object(words),
          encrypted_content: object({ type: plain, encrypted_content: plain }),
        }),
      ),
    }),
    unprinted,
  ),
  configuration_update: field(
    fromResponses(refused('this model takes its settings only in the request')),
    unpriced,
    unprinted,
  ),
  compaction: field(
    {
      ...fromResponses(translated('a message with the summary, where it was made here; one of OpenAI’s is refused')),
      openai: passed('where it is OpenAI’s; one that was made here becomes a message'),
    },
    ofCommon({ encrypted_content: plain, created_by: plain }),
    unprinted,
  ),
  // Of OpenAI's summary as much is written as the request's limit allows.
  compaction_trigger: field(
    fromResponses(translated('a request for a summary, which is returned as an item `compaction`')),
    ofCommon({}),
    unprinted,
  ),
});

const KINDS =
  'message by default; also function_call, function_call_output, custom_tool_call, custom_tool_call_output, reasoning, item_reference.';
export const responseInputItem = printOf(flatten(item, z.string().optional().describe(KINDS))).meta({
  id: 'ResponseInputItem',
});
export const input = within(fromResponses(translated('messages')), item, textOrMany, () =>
  textOrMany.schema(responseInputItem),
);

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
