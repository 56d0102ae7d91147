// The messages of a Chat Completions body. Only Anthropic's models need them translated: OpenAI and Models accounts use
// the protocol. Fields that are not OpenAI's are listed if clients are known to send them: to mark what is to be
// cached, and to send back parts of an answer.
import { z } from 'zod';
import { fileData, imageUrlObject } from '../../bounds/media-rules.ts';
import { any, never, object, plain, reference, type Rule, unpriced } from '../../bounds/rules.ts';
import { type Cell, type Cells, leftOut, passed, refused, translated } from './cells.ts';
import {
  by,
  field,
  flatten,
  kindsOf,
  many,
  nullish,
  printOf,
  type Row,
  section,
  textOrMany,
  unprinted,
  within,
} from './rows.ts';

export const fromChat = (anthropic: Cell): Cells => ({ openai: passed(), anthropic, account: passed() });

const text = fromChat(translated('text'));
const ECHO = leftOut('it describes a finished answer');
const LABEL = leftOut('a label for the author; the content stays');
export const KIND = field(fromChat(translated('the kind of the other protocol')), plain, unprinted);
export const cacheControl = field(fromChat(translated('cache_control')), unpriced, unprinted);
const breakpoint = field(fromChat(translated('cache_control; with a `ttl`, of one hour')), any, unprinted);
const index = field(fromChat(ECHO), plain, unprinted);
const named = field(fromChat(translated('name')), plain, z.string());
const label = field(fromChat(LABEL), plain, z.string().optional());

const textPart = section('Part `text`', {
  type: KIND,
  text: field(text, plain, z.string()),
  cache_control: cacheControl,
  prompt_cache_breakpoint: breakpoint,
});

const imageUrl = section('`image_url`', {
  url: field(fromChat(translated('source: data or URL')), plain, z.string().describe('A URL or a data: URL.')),
  detail: field(
    fromChat(leftOut('Anthropic scales images by itself')),
    plain,
    z.enum(['auto', 'low', 'high']).optional(),
  ),
});

const imagePart = section('Part `image_url`', {
  type: KIND,
  image_url: { ...within(fromChat(translated('a block `image`')), imageUrl), credit: imageUrlObject },
  cache_control: cacheControl,
  prompt_cache_breakpoint: breakpoint,
});

const file = section('`file`', {
  file_data: field(fromChat(translated('source: PDF, text or an image')), fileData, z.string().optional()),
  filename: field(fromChat(translated('title')), plain, z.string().optional()),
  file_id: field(
    fromChat(refused('stored files are not available for this model: send file_data')),
    reference,
    z.string().optional(),
  ),
});

const filePart = section('Part `file`', {
  type: KIND,
  file: within(fromChat(translated('a block `document` or `image`')), file),
  cache_control: cacheControl,
  prompt_cache_breakpoint: breakpoint,
});

const UNSIGNED = leftOut('Anthropic accepts reasoning only with its signature: `reasoning_details` carries both');
const reasoning = (anthropic: Cell, credit: Rule): Row =>
  field({ openai: leftOut('OpenAI does not accept reasoning here'), anthropic, account: passed() }, credit, unprinted);
const reasoningDetails = (credit: Rule): Row =>
  reasoning(translated('blocks `thinking` and `redacted_thinking`, where it is Anthropic’s'), credit);
const reasoningText = reasoning(UNSIGNED, plain);

const OF_MESSAGE = leftOut('the message has it');
/** OpenAI's Agents SDK sends the rest of an answer back inside the part that contains its text. */
const restOfAnswer = {
  role: field(fromChat(OF_MESSAGE), plain, unprinted),
  tool_calls: field(fromChat(OF_MESSAGE), any, unprinted),
  function_call: field(fromChat(OF_MESSAGE), any, unprinted),
  audio: field(fromChat(ECHO), reference, unprinted),
  annotations: field(fromChat(ECHO), any, unprinted),
  reasoning_details: reasoningDetails(any),
  reasoning_content: reasoningText,
  reasoning: reasoningText,
};

const answerTextPart = section('Part `text` of an answer', {
  ...textPart.rows,
  ...restOfAnswer,
  refusal: field(fromChat(leftOut('a separate part has it')), plain, unprinted),
});

const refusal = { type: KIND, refusal: field(text, plain, z.string()) };
const refusalPart = section('Part `refusal`', { ...refusal, ...restOfAnswer });

const part = kindsOf('Parts of a message', by('type', 'part'), {
  text: within(text, textPart),
  image_url: within(fromChat(translated('a block `image`')), imagePart),
  file: within(fromChat(translated('a block `document` or `image`')), filePart),
  input_audio: field(
    fromChat(refused('this model does not take audio')),
    never('audio costs more than the listed price'),
    z.looseObject({ input_audio: z.looseObject({ data: z.string(), format: z.string() }) }),
  ),
});

const textOnly = kindsOf('Parts of instructions', by('type', 'part of instructions'), { text: within(text, textPart) });

const assistantPart = kindsOf('Parts of an answer', by('type', 'part of an answer'), {
  text: within(text, answerTextPart),
  refusal: within(text, refusalPart),
});

/** Which parts a message of which role takes is left to OpenAI. */
const content = within(
  text,
  { ...part, rows: { ...part.rows, refusal: within(text, section('Part `refusal`', refusal)) } },
  textOrMany,
  nullish,
);

const call = kindsOf('Calls of an answer', by('type', 'call', { absent: 'function' }), {
  function: within(
    fromChat(translated('a block `tool_use`')),
    section('Call of type `function`', {
      id: field(fromChat(translated('id')), plain, z.string()),
      type: KIND,
      function: within(
        fromChat(translated('name and input')),
        section('`function` of a call', {
          name: named,
          arguments: field(fromChat(translated('input')), plain, z.string().describe('JSON, as the model wrote it.')),
          // The helpers of the official client send back what they have parsed.
          parsed_arguments: field(fromChat(leftOut('`arguments` has the same content')), any, unprinted),
        }),
      ),
      index,
      cache_control: cacheControl,
    }),
  ),
  custom: within(
    fromChat(translated('a block `tool_use`')),
    section('Call of type `custom`', {
      id: field(fromChat(translated('id')), plain, z.string()),
      type: KIND,
      custom: within(
        fromChat(translated('name and input')),
        section('`custom` of a call', {
          name: named,
          input: field(fromChat(translated('the one argument of the tool')), plain, z.string()),
        }),
      ),
      index,
      cache_control: cacheControl,
    }),
  ),
});
export const chatToolCall = printOf(call).meta({ id: 'ChatToolCall' });

const system = section('Message of role `system` or `developer`', {
  role: KIND,
  content: { ...content, ...fromChat(translated('system; one in the middle moves to the start')), holds: textOnly },
  name: label,
  cache_control: cacheControl,
});

const user = section('Message of role `user`', {
  role: KIND,
  content: { ...content, ...fromChat(translated('content')), holds: part },
  name: { ...label, ...fromChat(translated('a text before the content')) },
  cache_control: cacheControl,
});

const assistant = section('Message of role `assistant`', {
  role: KIND,
  content: within(fromChat(translated('content')), assistantPart, textOrMany, unprinted),
  refusal: field(text, plain, unprinted),
  tool_calls: within(fromChat(translated('blocks `tool_use`')), call, many, () =>
    z.array(chatToolCall).optional().describe('For an assistant message: the calls it made.'),
  ),
  name: label,
  cache_control: cacheControl,
  reasoning_details: reasoningDetails(unpriced),
  reasoning_content: reasoningText,
  reasoning: reasoningText,
  annotations: field(fromChat(ECHO), any, unprinted),
  parsed: field(fromChat(leftOut('`content` has the same text')), any, unprinted),
  id: field(fromChat(ECHO), unpriced, unprinted),
  audio: field(fromChat(refused('is not available for this model')), reference, unprinted),
  function_call: field(
    fromChat(refused('is not supported for this model: use tool_calls')),
    object({ name: plain, arguments: plain }),
    unprinted,
  ),
});

const tool = section('Message of role `tool`', {
  role: KIND,
  tool_call_id: field(
    fromChat(translated('tool_use_id')),
    plain,
    z.string().optional().describe('For a tool message: the call that it answers.'),
  ),
  content: { ...content, ...fromChat(translated('content')), holds: part },
  name: { ...label, ...fromChat(leftOut('the id names the call, which names its tool')) },
  cache_control: cacheControl,
});

const message = kindsOf('Messages', by('role', 'message'), {
  system: within(fromChat(translated('system')), system),
  developer: within(fromChat(translated('system')), system),
  user: within(fromChat(translated('a message; adjacent ones of the same role are merged')), user),
  assistant: within(fromChat(translated('a message')), assistant),
  tool: within(fromChat(translated('a block `tool_result` of the user')), tool),
  function: field(
    fromChat(refused('function is not supported for this model: use tool')),
    object({ role: plain, content: content.credit, name: plain }),
    unprinted,
  ),
});
export const messages = within(fromChat(translated('messages and system')), message, many, () =>
  z.array(printOf(flatten(message, z.enum(Object.keys(message.rows)))).meta({ id: 'ChatMessage' })).min(1),
);

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
  functionCall: call.rows.function.holds.rows.function.holds,
  customCallItem: call.rows.custom.holds,
  customCall: call.rows.custom.holds.rows.custom.holds,
} as const;
