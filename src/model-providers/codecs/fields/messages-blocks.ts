// The blocks of a Messages body: content of the user, the model, a tool or the instructions.
import { z } from 'zod';
import { fileData, imageData } from '../../bounds/media-rules.ts';
import { any, byField, list, object, only, plain, reference, type Rule, textOr, unpriced } from '../../bounds/rules.ts';
import { isObject } from '../read-fields.ts';
import { ACCOUNT_EFFORT, type Cell, type Cells, leftOut, passed, refused, translated, type Unless } from './cells.ts';
import {
  alike,
  by,
  creditOf,
  field,
  flatten,
  kindsOf,
  one,
  optional,
  printOf,
  section,
  textOrMany,
  unprinted,
  within,
} from './rows.ts';

/** Anthropic's own protocol, and the two targets for which it becomes OpenAI's. */
export const fromMessages = (openai: Cell, account: Cell = openai): Cells => ({ openai, anthropic: passed(), account });

const KIND = field(fromMessages(translated('the kind of the other protocol')), plain, unprinted);
const CACHES = leftOut('the provider caches by itself: it affects only the price');
const RUN_THERE = 'this model does not support blocks of tools that run at Anthropic';
const OTHER_TOOLS = refused('this model takes the tools of the whole conversation only in `tools`');
const CITATIONS_OFF: Unless = {
  test: (value) => typeof value === 'object' && value !== null && (value as { enabled?: unknown }).enabled !== true,
  says: 'off',
};
const CALLED_DIRECTLY: Unless = { test: (value) => isObject(value) && value['type'] === 'direct', says: '`direct`' };
const citations = field(fromMessages(refused('this model does not support citations', CITATIONS_OFF)), any, unprinted);
const stored = fromMessages(refused('stored files are not available for this model: send the data'));
const text = fromMessages(translated('text'));
const toolset = field(fromMessages(refused('this model does not support toolsets')), plain, unprinted);

const priceOfCaching: Rule = (value, at, found) => {
  object({ type: plain, ttl: only('5m', '1h'), scope: plain })(value, at, found);
  if (isObject(value) && value['ttl'] === '1h') found.cache = 'hour';
  else if (found.cache === 'none') found.cache = 'short';
};
export const cacheControl = field(
  fromMessages(CACHES),
  priceOfCaching,
  z.looseObject({ type: z.literal('ephemeral') }).nullish(),
);
const cached = { type: plain, cache_control: priceOfCaching };
const data = (rule: Rule): Rule => object({ type: plain, media_type: plain, data: rule });

const imageSource = kindsOf('Source of an image', by('type', 'source'), {
  base64: field(fromMessages(translated('data URL')), data(imageData), unprinted),
  url: field(fromMessages(translated('URL')), reference, unprinted),
  file: field(stored, reference, unprinted),
});

const textBlock = section('Block `text`', {
  type: KIND,
  text: field(text, plain, z.string()),
  citations: field(fromMessages(leftOut('the text is complete without its sources')), any, unprinted),
  cache_control: cacheControl,
});

/** Images and documents are printed as one. */
const printedSource = z.looseObject({
  type: z.enum(['base64', 'url', 'text', 'content', 'file']),
  media_type: z.string().optional(),
  data: z.string().optional(),
  url: z.string().optional(),
  file_id: z.string().optional(),
});

const imageBlock = section('Block `image`', {
  type: KIND,
  source: within(fromMessages(translated('image_url, input_image')), imageSource, one, () => printedSource),
  transformations: field(fromMessages(leftOut('each provider scales images in its own way')), unpriced, unprinted),
  cache_control: cacheControl,
});
const printedMedia = printOf(imageBlock);

const documentSource = kindsOf('Source of a document', by('type', 'source'), {
  base64: field(fromMessages(translated('file; text as text')), data(fileData), unprinted),
  text: field(text, data(plain), unprinted),
  content: field(
    fromMessages(translated('its text and images')),
    object({
      type: plain,
      content: textOr(list(byField('type', { text: creditOf(textBlock), image: creditOf(imageBlock) }))),
    }),
    unprinted,
  ),
  url: field(fromMessages(refused('this model takes documents as data, not as a URL')), reference, unprinted),
  file: field(stored, reference, unprinted),
});

const documentBlock = section('Block `document`', {
  type: KIND,
  source: within(fromMessages(translated('file, input_file or text')), documentSource, one, () => printedSource),
  title: field(fromMessages(translated('the name of the file; before a text')), plain, unprinted),
  context: field(fromMessages(translated('a text before it')), plain, unprinted),
  citations,
  cache_control: cacheControl,
});

const searchResultBlock = section('Block `search_result`', {
  type: KIND,
  source: field(text, plain, unprinted),
  title: field(text, plain, unprinted),
  content: field(text, list(creditOf(textBlock)), unprinted),
  citations,
  cache_control: cacheControl,
});

const thinkingBlock = section('Block `thinking`', {
  type: KIND,
  thinking: field(fromMessages(leftOut('part of the block')), plain, z.string()),
  signature: field(fromMessages(leftOut('part of the block')), plain, z.string()),
});

const toolUseBlock = section('Block `tool_use`', {
  type: KIND,
  id: field(fromMessages(translated('id of the call')), plain, z.string()),
  name: field(fromMessages(translated('name')), plain, z.string()),
  input: field(fromMessages(translated('arguments')), any, z.unknown()),
  caller: field(
    fromMessages(refused('this model does not support calls made by code', CALLED_DIRECTLY)),
    any,
    unprinted,
  ),
  toolset_name: toolset,
  cache_control: { ...cacheControl, schema: unprinted },
});

const resultBlock = kindsOf('Content of a tool result', by('type', 'block'), {
  text: within(text, textBlock),
  image: within(fromMessages(translated('an image; on Chat Completions in the message after the results')), imageBlock),
  document: within(fromMessages(translated('as in a message')), documentBlock),
  search_result: within(text, searchResultBlock),
  tool_reference: field(
    fromMessages(translated('a text with the name of the tool, which is already available')),
    object({ ...cached, tool_name: plain }),
    unprinted,
  ),
  browser_state: { ...toolset, credit: unpriced },
});

const toolResultBlock = section('Block `tool_result`', {
  type: KIND,
  tool_use_id: field(fromMessages(translated('id of the call')), plain, z.string()),
  content: within(fromMessages(translated('content, output')), resultBlock, textOrMany, () =>
    z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
  ),
  is_error: field(fromMessages(translated('the text begins with “Error:”')), plain, z.boolean().optional()),
  toolset_name: toolset,
  cache_control: cacheControl,
});

const THINKING = leftOut('a provider accepts only its own reasoning');
const SIGNED = passed('if it has a signature; an unsigned block is not Anthropic’s and is left out');
const toolChange = alike(field(fromMessages(OTHER_TOOLS), unpriced, unprinted), 'tool_addition', 'tool_removal');

const block = kindsOf(
  'Blocks of a message',
  by('type', 'block', { others: 'A block of another kind, such as search_result.' }),
  {
    text: within(text, textBlock),
    image: within(fromMessages(translated('an image')), imageBlock, one, () => printedMedia),
    document: within(fromMessages(translated('a file or text')), documentBlock, one, () => printedMedia),
    search_result: within(text, searchResultBlock, one, unprinted),
    thinking: within({ openai: THINKING, anthropic: SIGNED, account: THINKING }, thinkingBlock),
    redacted_thinking: field(
      fromMessages(THINKING),
      object({ type: plain, data: plain }),
      z.looseObject({ data: z.string() }),
    ),
    tool_use: within(fromMessages(translated('a call')), toolUseBlock),
    tool_result: within(fromMessages(translated('the answer to a call')), toolResultBlock),
    fallback: field(
      fromMessages(leftOut('it names the model that wrote what follows, which is kept')),
      object({ type: plain, from: any, to: any, trigger: any }),
      unprinted,
    ),
    ...alike(
      field(fromMessages(refused(RUN_THERE)), unpriced, unprinted),
      'server_tool_use',
      'web_search_tool_result',
      'web_fetch_tool_result',
      'advisor_tool_result',
      'code_execution_tool_result',
      'bash_code_execution_tool_result',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'mcp_tool_use',
      'mcp_tool_result',
      'mcp_tool_listing',
      'container_upload',
    ),
    compaction: field(
      fromMessages(refused('this model does not support compacted conversations: send the messages')),
      unpriced,
      unprinted,
    ),
    ...toolChange,
  },
);
const inputBlock = printOf(block).meta({ id: 'MessageInputBlock' });

const systemBlock = kindsOf('Blocks of instructions', by('type', 'block of instructions'), {
  text: within(text, textBlock),
  ...toolChange,
});
/** What platform credit pays for here is text; the kind is left to Anthropic. */
export const system = {
  ...within(fromMessages(translated('messages of role `system`, instructions')), systemBlock, textOrMany, optional),
  credit: textOr(list(creditOf(textBlock))),
};

const turnMessage = section('Message of role `user` or `assistant`', {
  role: KIND,
  content: within(fromMessages(translated('content')), block, textOrMany, () => textOrMany.schema(inputBlock)),
});

const systemMessage = section('Message of role `system`', {
  role: KIND,
  content: within(
    fromMessages(translated('a message of role `system` or `developer`, in its place')),
    systemBlock,
    textOrMany,
  ),
  clear_at: field(
    fromMessages(translated('`next_user_message`: left out once a user message follows, as Anthropic does')),
    plain,
    unprinted,
  ),
  output_config: field(
    fromMessages(translated('the effort of the request; the last one applies'), ACCOUNT_EFFORT),
    object({ effort: plain }),
    unprinted,
  ),
});

const message = kindsOf('Messages', by('role', 'message'), {
  user: within(fromMessages(translated('a message; tool results come first, each separately')), turnMessage),
  assistant: within(fromMessages(translated('a message')), turnMessage),
  system: within(
    {
      ...fromMessages(translated('a message of role `system`, in its place')),
      anthropic: passed('Anthropic takes it in the middle with its beta `mid-conversation-system-…`'),
    },
    systemMessage,
  ),
});

/** Which blocks a message of which role takes is left to Anthropic. */
const anyMessage = flatten(message, z.enum(Object.keys(message.rows)));
export const messages = {
  ...within(fromMessages(translated('messages, input')), message),
  credit: list(creditOf(anyMessage)),
  schema: z.array(printOf(anyMessage)).min(1),
};

export const MESSAGES_BLOCKS = {
  message,
  turnMessage,
  systemMessage,
  block,
  systemBlock,
  textBlock,
  imageBlock,
  imageSource,
  documentBlock,
  documentSource,
  searchResultBlock,
  thinkingBlock,
  toolUseBlock,
  toolResultBlock,
  resultBlock,
} as const;
