// The messages of a Chat Completions body. Only Anthropic's models need them translated: OpenAI and Models accounts use
// the protocol. Fields that are not OpenAI's are listed if clients are known to send them: to mark what is to be
// cached, and to send back parts of an answer.
import { leftOut, passed, refused, translated, within, type Cell, type Row, type Section } from './cells.ts';

export const fromChat = (anthropic: Cell): Row => ({ openai: passed(), anthropic, account: passed() });

const KIND = fromChat(translated('the kind of the other protocol'));
export const cacheControl = fromChat(translated('cache_control'));
const breakpoint = fromChat(translated('cache_control; with a `ttl`, of one hour'));
const text = fromChat(translated('text'));
const ECHO = leftOut('it describes a finished answer');
const LABEL = leftOut('a label for the author; the content stays');

const textPart = {
  title: 'Part `text`',
  rows: { type: KIND, text, cache_control: cacheControl, prompt_cache_breakpoint: breakpoint },
} as const satisfies Section;

const imageUrl = {
  title: '`image_url`',
  rows: {
    url: fromChat(translated('source: data or URL')),
    detail: fromChat(leftOut('Anthropic scales images by itself')),
  },
} as const satisfies Section;

const imagePart = {
  title: 'Part `image_url`',
  rows: {
    type: KIND,
    image_url: within(fromChat(translated('a block `image`')), imageUrl),
    cache_control: cacheControl,
    prompt_cache_breakpoint: breakpoint,
  },
} as const satisfies Section;

const file = {
  title: '`file`',
  rows: {
    file_data: fromChat(translated('source: PDF, text or an image')),
    filename: fromChat(translated('title')),
    file_id: fromChat(refused('stored files are not available for this model: send file_data')),
  },
} as const satisfies Section;

const filePart = {
  title: 'Part `file`',
  rows: {
    type: KIND,
    file: within(fromChat(translated('a block `document` or `image`')), file),
    cache_control: cacheControl,
    prompt_cache_breakpoint: breakpoint,
  },
} as const satisfies Section;

const UNSIGNED = leftOut('Anthropic accepts reasoning only with its signature: `reasoning_details` carries both');
const reasoningDetails = {
  openai: leftOut('OpenAI does not accept reasoning here'),
  anthropic: translated('blocks `thinking` and `redacted_thinking`, where it is Anthropic’s'),
  account: passed(),
} as const;
const reasoningText = {
  openai: leftOut('OpenAI does not accept reasoning here'),
  anthropic: UNSIGNED,
  account: passed(),
} as const;

/** OpenAI's Agents SDK sends the rest of an answer back inside the part that contains its text. */
const restOfAnswer = {
  role: fromChat(leftOut('the message has it')),
  annotations: fromChat(ECHO),
  reasoning_details: reasoningDetails,
  reasoning_content: reasoningText,
  reasoning: reasoningText,
} as const;

const answerTextPart = {
  title: 'Part `text` of an answer',
  rows: { ...textPart.rows, ...restOfAnswer, refusal: fromChat(leftOut('a separate part has it')) },
} as const satisfies Section;

const refusalPart = {
  title: 'Part `refusal`',
  rows: { type: KIND, refusal: text, ...restOfAnswer },
} as const satisfies Section;

const part = {
  title: 'Parts of a message',
  kinds: { field: 'type', noun: 'part' },
  rows: {
    text: within(text, textPart),
    image_url: within(fromChat(translated('a block `image`')), imagePart),
    file: within(fromChat(translated('a block `document` or `image`')), filePart),
    input_audio: fromChat(refused('this model does not take audio')),
  },
} as const satisfies Section;

const textOnly = {
  title: 'Parts of instructions',
  kinds: { field: 'type', noun: 'part of instructions' },
  rows: { text: within(text, textPart) },
} as const satisfies Section;

const assistantPart = {
  title: 'Parts of an answer',
  kinds: { field: 'type', noun: 'part of an answer' },
  rows: { text: within(text, answerTextPart), refusal: within(text, refusalPart) },
} as const satisfies Section;

const functionCall = {
  title: '`function` of a call',
  rows: {
    name: fromChat(translated('name')),
    arguments: fromChat(translated('input')),
    parsed_arguments: fromChat(leftOut('`arguments` has the same content')),
  },
} as const satisfies Section;

const customCall = {
  title: '`custom` of a call',
  rows: { name: fromChat(translated('name')), input: fromChat(translated('the one argument of the tool')) },
} as const satisfies Section;

const call = {
  title: 'Calls of an answer',
  kinds: { field: 'type', absent: 'function', noun: 'call' },
  rows: {
    function: within(fromChat(translated('a block `tool_use`')), {
      title: 'Call of type `function`',
      rows: {
        id: fromChat(translated('id')),
        type: KIND,
        function: within(fromChat(translated('name and input')), functionCall),
        index: fromChat(ECHO),
        cache_control: cacheControl,
      },
    } as const satisfies Section),
    custom: within(fromChat(translated('a block `tool_use`')), {
      title: 'Call of type `custom`',
      rows: {
        id: fromChat(translated('id')),
        type: KIND,
        custom: within(fromChat(translated('name and input')), customCall),
        index: fromChat(ECHO),
        cache_control: cacheControl,
      },
    } as const satisfies Section),
  },
} as const satisfies Section;

const system = {
  title: 'Message of role `system` or `developer`',
  rows: {
    role: KIND,
    content: within(fromChat(translated('system; one in the middle moves to the start')), textOnly),
    name: fromChat(LABEL),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const user = {
  title: 'Message of role `user`',
  rows: {
    role: KIND,
    content: within(fromChat(translated('content')), part),
    name: fromChat(translated('a text before the content')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const assistant = {
  title: 'Message of role `assistant`',
  rows: {
    role: KIND,
    content: within(fromChat(translated('content')), assistantPart),
    refusal: text,
    tool_calls: within(fromChat(translated('blocks `tool_use`')), call),
    name: fromChat(LABEL),
    cache_control: cacheControl,
    reasoning_details: reasoningDetails,
    reasoning_content: reasoningText,
    reasoning: reasoningText,
    annotations: fromChat(ECHO),
    parsed: fromChat(leftOut('`content` has the same text')),
    id: fromChat(ECHO),
    audio: fromChat(refused('is not available for this model')),
    function_call: fromChat(refused('is not supported for this model: use tool_calls')),
  },
} as const satisfies Section;

const tool = {
  title: 'Message of role `tool`',
  rows: {
    role: KIND,
    tool_call_id: fromChat(translated('tool_use_id')),
    content: within(fromChat(translated('content')), part),
    name: fromChat(leftOut('the id names the call, which names its tool')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const message = {
  title: 'Messages',
  kinds: { field: 'role', noun: 'message' },
  rows: {
    system: within(fromChat(translated('system')), system),
    developer: within(fromChat(translated('system')), system),
    user: within(fromChat(translated('a message; adjacent ones of the same role are merged')), user),
    assistant: within(fromChat(translated('a message')), assistant),
    tool: within(fromChat(translated('a block `tool_result` of the user')), tool),
    function: fromChat(refused('function is not supported for this model: use tool')),
  },
} as const satisfies Section;

export const CHAT_MESSAGES = {
  message,
  system,
  user,
  assistant,
  tool,
  part,
  textPart,
  imagePart,
  imageUrl,
  filePart,
  file,
  assistantPart,
  textOnly,
  answerTextPart,
  refusalPart,
  call,
  functionCallItem: call.rows.function.holds,
  functionCall,
  customCallItem: call.rows.custom.holds,
  customCall,
} as const;
