// The blocks of a Messages body: content of the user, the model, a tool or the instructions.
import { unpriced } from '../../bounds/rules.ts';
import { leftOut, passed, refused, translated, type Cell, type Unless } from './cells.ts';
import { within, type Row, type Section, field, unprinted } from './rows.ts';

/** Anthropic's own protocol, and the two targets for which it becomes OpenAI's. */
export const fromMessages = (openai: Cell, account: Cell = openai): Row =>
  field({ openai, anthropic: passed(), account }, unpriced, unprinted);

const KIND = fromMessages(translated('the kind of the other protocol'));
const CACHES = leftOut('the provider caches by itself: it affects only the price');
const RUN_THERE = 'this model does not support blocks of tools that run at Anthropic';
const CITATIONS_OFF: Unless = {
  test: (value) => typeof value === 'object' && value !== null && (value as { enabled?: unknown }).enabled !== true,
  says: 'off',
};
const citations = fromMessages(refused('this model does not support citations', CITATIONS_OFF));
const stored = fromMessages(refused('stored files are not available for this model: send the data'));

export const cacheControl = fromMessages(CACHES);

export const imageSource = {
  title: 'Source of an image',
  kinds: { field: 'type', noun: 'source' },
  rows: { base64: fromMessages(translated('data URL')), url: fromMessages(translated('URL')), file: stored },
} as const satisfies Section;

export const textBlock = {
  title: 'Block `text`',
  rows: {
    type: KIND,
    text: fromMessages(translated('text')),
    citations: fromMessages(leftOut('the text is complete without its sources')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

export const imageBlock = {
  title: 'Block `image`',
  rows: {
    type: KIND,
    source: within(fromMessages(translated('image_url, input_image')), imageSource),
    transformations: fromMessages(leftOut('each provider scales images in its own way')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

export const documentSource = {
  title: 'Source of a document',
  kinds: { field: 'type', noun: 'source' },
  rows: {
    base64: fromMessages(translated('file; text as text')),
    text: fromMessages(translated('text')),
    content: fromMessages(translated('its text and images')),
    url: fromMessages(refused('this model takes documents as data, not as a URL')),
    file: stored,
  },
} as const satisfies Section;

export const documentBlock = {
  title: 'Block `document`',
  rows: {
    type: KIND,
    source: within(fromMessages(translated('file, input_file or text')), documentSource),
    title: fromMessages(translated('the name of the file; before a text')),
    context: fromMessages(translated('a text before it')),
    citations,
    cache_control: cacheControl,
  },
} as const satisfies Section;

export const searchResultBlock = {
  title: 'Block `search_result`',
  rows: {
    type: KIND,
    source: fromMessages(translated('text')),
    title: fromMessages(translated('text')),
    content: fromMessages(translated('text')),
    citations,
    cache_control: cacheControl,
  },
} as const satisfies Section;

export const thinkingBlock = {
  title: 'Block `thinking`',
  rows: {
    type: KIND,
    thinking: fromMessages(leftOut('part of the block')),
    signature: fromMessages(leftOut('part of the block')),
  },
} as const satisfies Section;

export const toolUseBlock = {
  title: 'Block `tool_use`',
  rows: {
    type: KIND,
    id: fromMessages(translated('id of the call')),
    name: fromMessages(translated('name')),
    input: fromMessages(translated('arguments')),
    caller: fromMessages(
      refused('this model does not support calls made by code', {
        test: (value) => typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'direct',
        says: '`direct`',
      }),
    ),
    toolset_name: fromMessages(refused('this model does not support toolsets')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

export const resultBlock = {
  title: 'Content of a tool result',
  kinds: { field: 'type', noun: 'block' },
  rows: {
    text: within(fromMessages(translated('text')), textBlock),
    image: within(
      fromMessages(translated('an image; on Chat Completions in the message after the results')),
      imageBlock,
    ),
    document: within(fromMessages(translated('as in a message')), documentBlock),
    search_result: within(fromMessages(translated('text')), searchResultBlock),
    tool_reference: fromMessages(translated('a text with the name of the tool, which is already available')),
    browser_state: fromMessages(refused('this model does not support toolsets')),
  },
} as const satisfies Section;

export const toolResultBlock = {
  title: 'Block `tool_result`',
  rows: {
    type: KIND,
    tool_use_id: fromMessages(translated('id of the call')),
    content: within(fromMessages(translated('content, output')), resultBlock),
    is_error: fromMessages(translated('the text begins with “Error:”')),
    toolset_name: fromMessages(refused('this model does not support toolsets')),
    cache_control: cacheControl,
  },
} as const satisfies Section;

const THINKING = leftOut('a provider accepts only its own reasoning');
const SIGNED = passed('if it has a signature; an unsigned block is not Anthropic’s and is left out');

export const block = {
  title: 'Blocks of a message',
  kinds: { field: 'type', noun: 'block' },
  rows: {
    text: within(fromMessages(translated('text')), textBlock),
    image: within(fromMessages(translated('an image')), imageBlock),
    document: within(fromMessages(translated('a file or text')), documentBlock),
    search_result: within(fromMessages(translated('text')), searchResultBlock),
    thinking: within({ openai: THINKING, anthropic: SIGNED, account: THINKING }, thinkingBlock),
    redacted_thinking: fromMessages(THINKING),
    tool_use: within(fromMessages(translated('a call')), toolUseBlock),
    tool_result: within(fromMessages(translated('the answer to a call')), toolResultBlock),
    fallback: fromMessages(leftOut('it names the model that wrote what follows, which is kept')),
    server_tool_use: fromMessages(refused(RUN_THERE)),
    web_search_tool_result: fromMessages(refused(RUN_THERE)),
    web_fetch_tool_result: fromMessages(refused(RUN_THERE)),
    advisor_tool_result: fromMessages(refused(RUN_THERE)),
    code_execution_tool_result: fromMessages(refused(RUN_THERE)),
    bash_code_execution_tool_result: fromMessages(refused(RUN_THERE)),
    text_editor_code_execution_tool_result: fromMessages(refused(RUN_THERE)),
    tool_search_tool_result: fromMessages(refused(RUN_THERE)),
    mcp_tool_use: fromMessages(refused(RUN_THERE)),
    mcp_tool_result: fromMessages(refused(RUN_THERE)),
    mcp_tool_listing: fromMessages(refused(RUN_THERE)),
    container_upload: fromMessages(refused(RUN_THERE)),
    compaction: fromMessages(refused('this model does not support compacted conversations: send the messages')),
    tool_addition: fromMessages(refused('this model takes the tools of the whole conversation only in `tools`')),
    tool_removal: fromMessages(refused('this model takes the tools of the whole conversation only in `tools`')),
  },
} as const satisfies Section;

export const systemBlock = {
  title: 'Blocks of instructions',
  kinds: { field: 'type', noun: 'block of instructions' },
  rows: {
    text: within(fromMessages(translated('text')), textBlock),
    tool_addition: block.rows.tool_addition,
    tool_removal: block.rows.tool_removal,
  },
} as const satisfies Section;

export const systemMessage = {
  title: 'Message of role `system`',
  rows: {
    role: KIND,
    content: within(fromMessages(translated('a message of role `system` or `developer`, in its place')), systemBlock),
    clear_at: fromMessages(translated('`next_user_message`: left out once a user message follows, as Anthropic does')),
    output_config: fromMessages(
      translated('the effort of the request; the last one applies'),
      leftOut('effort is not sent to a Models account: many refuse the field'),
    ),
  },
} as const satisfies Section;

export const turnMessage = {
  title: 'Message of role `user` or `assistant`',
  rows: { role: KIND, content: within(fromMessages(translated('content')), block) },
} as const satisfies Section;

export const message = {
  title: 'Messages',
  kinds: { field: 'role', noun: 'message' },
  rows: {
    user: within(fromMessages(translated('a message; tool results come first, each separately')), turnMessage),
    assistant: within(fromMessages(translated('a message')), turnMessage),
    system: within(
      {
        ...fromMessages(translated('a message of role `system`, in its place')),
        anthropic: passed('Anthropic takes it in the middle with its beta `mid-conversation-system-…`'),
      },
      systemMessage,
    ),
  },
} as const satisfies Section;
