import { describe, expect, test } from 'vitest';
import { renderRefusal } from '../refusal.ts';
import { judgeMessages, MESSAGES_RULES, type MessagesRuleName } from './judge-messages.ts';
import { sealText, signThinking } from './sealed-content.ts';

type Fields = Record<string, unknown>;

interface Case {
  readonly body?: Fields;
  readonly headers?: Record<string, string>;
  readonly counting?: true;
  readonly says: string;
}

const VERSION = { 'anthropic-version': '2023-06-01' };
const TOOL = { name: 'look', input_schema: { type: 'object' } };
const BASE = { model: 'claude-sonnet-5', max_tokens: 4096, messages: [{ role: 'user', content: 'Hi' }] };
const OLD = { ...BASE, model: 'claude-sonnet-4-5' };

const user = (...content: Fields[]): Fields => ({ role: 'user', content });
const assistant = (...content: Fields[]): Fields => ({ role: 'assistant', content });
const call = (id = 'toolu_1', more: Fields = {}): Fields => ({
  type: 'tool_use',
  id,
  name: 'look',
  input: {},
  ...more,
});
const result = (id = 'toolu_1'): Fields => ({ type: 'tool_result', tool_use_id: id, content: 'seen' });
const picture = (data: string, type = 'image/png'): Fields => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
});
const say = (...messages: Fields[]): Fields => ({ messages });
const point = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
const wide = Buffer.alloc(24);
wide.writeUInt32BE(0x89504e47, 0);
wide.writeUInt32BE(9000, 16);

/** One request for every rule that breaks this rule and none before it. */
const CASES = {
  'the version header is there': {
    headers: { 'anthropic-version': '' },
    says: 'anthropic-version: header is required',
  },
  'beta switches have the name of one': {
    headers: { 'anthropic-beta': 'everything' },
    says: 'Unexpected value(s) `everything` for the `anthropic-beta` header.',
  },
  'top-level fields are known, and behind their switch': {
    body: { context_management: {} },
    says: 'context_management: Extra inputs are not permitted',
  },
  'the required fields are there': { body: { max_tokens: undefined }, says: 'max_tokens: Field required' },
  'max_tokens is a whole number': { body: { max_tokens: 1.5 }, says: 'max_tokens: Input should be a valid integer' },
  'content blocks are of a known type': {
    body: say(user({ type: 'image_url' })),
    says: "messages.0.content.0: Input tag 'image_url' found using 'type'",
  },
  'content blocks have known fields': {
    body: say(user({ type: 'text', text: 'Hi', id: 1 })),
    says: 'messages.0.content.0.text.id: Extra inputs are not permitted',
  },
  'messages have known fields': {
    body: say({ role: 'user', content: 'Hi', name: 'Ann' }),
    says: 'messages.0.name: Extra inputs are not permitted',
  },
  'metadata is about the user only': {
    body: { metadata: { user_id: 'u', trace: 't' } },
    says: 'metadata.trace: Extra inputs are not permitted',
  },
  'a task budget is behind its switch': {
    body: { output_config: { task_budget: {} } },
    says: 'output_config.task_budget: Extra inputs are not permitted',
  },
  'the scope of a cache point is behind its switch': {
    body: { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', scope: 'global' } }] },
    says: 'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
  },
  'there are at most four cache points': {
    body: { system: [point, point, point], ...say(user(point, point)) },
    says: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  },
  'edits of the context are known, and behind their switch': {
    headers: { 'anthropic-beta': 'context-management-2025-06-27' },
    body: { context_management: { edits: [{ type: 'compact_20260112' }] } },
    says: "context_management.edits.0: Input tag 'compact_20260112'",
  },
  'thinking is cleared only where there is thinking': {
    headers: { 'anthropic-beta': 'context-management-2025-06-27' },
    body: { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } },
    says: 'requires `thinking` to be enabled or adaptive',
  },
  'stop sequences hold more than white space': {
    body: { stop_sequences: [' '] },
    says: 'stop_sequences: each stop sequence must contain non-whitespace',
  },
  'there is a message': { body: say(), says: 'messages: at least one message is required' },
  'roles are user and assistant': {
    body: say({ role: 'tool', content: 'x' }),
    says: "messages.0.role: Input should be 'user' or 'assistant'",
  },
  'a system message is for models that take one': {
    body: {
      model: 'claude-opus-4-7',
      ...say({ role: 'user', content: 'Hi' }, { role: 'system', content: 'Be brief.' }),
    },
    says: 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter',
  },
  'a system message stands between a user turn and an answer': {
    body: {
      model: 'claude-opus-5',
      ...say(
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Go on' },
      ),
    },
    says: 'messages.1: a system message must be the last message or be followed by an assistant message',
  },
  'a system message is text': {
    body: {
      model: 'claude-opus-5',
      ...say({ role: 'user', content: 'Hi' }, { role: 'system', content: [picture('AAAA')] }),
    },
    says: 'messages.1.content.0: system messages support only text content',
  },
  'the user speaks first': {
    body: { ...OLD, ...say({ role: 'assistant', content: 'Hi' }, { role: 'user', content: 'Hi' }) },
    says: 'messages: first message must use the "user" role',
  },
  'messages have content': {
    body: say({ role: 'user', content: '' }),
    says: 'messages.0: all messages must have non-empty content',
  },
  'an empty text is no cache point': {
    body: say(user({ ...point, text: '' })),
    says: 'cache_control cannot be set for empty text blocks',
  },
  'text is not empty': {
    body: say(user({ type: 'text', text: '' })),
    says: 'messages: text content blocks must be non-empty',
  },
  'text is more than white space': {
    body: { system: [{ type: 'text', text: ' \n' }] },
    says: 'system: text content blocks must contain non-whitespace text',
  },
  'the last message is the user’s where a model takes no beginning of its answer': {
    body: say({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Well' }),
    says: 'This model does not support assistant message prefill.',
  },
  'the beginning of an answer ends in a word': {
    body: { ...OLD, ...say({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Well ' }) },
    says: 'messages: final assistant content cannot end with trailing whitespace',
  },
  'tools are of a known type': {
    body: { tools: [{ type: 'namespace', name: 'x' }] },
    says: "tools.0: Input tag 'namespace' found using 'type' does not match any of the expected tags",
  },
  'tools have known fields': {
    body: { tools: [{ ...TOOL, parameters: {} }] },
    says: 'tools.0.custom.parameters: Extra inputs are not permitted',
  },
  'tools have a name of the allowed letters': {
    body: { tools: [{ ...TOOL, name: 'a.b' }] },
    says: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  },
  'tool names are unique': { body: { tools: [TOOL, TOOL] }, says: 'tools: Tool names must be unique.' },
  'the input of a tool is an object': {
    body: { tools: [{ ...TOOL, input_schema: {} }] },
    says: 'tools.0.custom.input_schema.type: Field required',
  },
  'tool_choice goes with tools': {
    body: { tool_choice: { type: 'auto' } },
    says: 'tool_choice may only be specified while providing tools.',
  },
  'tool_choice names a tool that is there': {
    body: { tools: [TOOL], tool_choice: { type: 'tool', name: 'other' } },
    says: "Tool 'other' not found in provided tools",
  },
  'calls are the assistant’s and results the user’s': {
    body: say(user(call())),
    says: 'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  },
  'calls have an id of the allowed letters and an object as input': {
    body: say({ role: 'user', content: 'Hi' }, assistant(call('a|b')), user(result('a|b'))),
    says: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  },
  'ids of calls are unique': {
    body: say({ role: 'user', content: 'Hi' }, assistant(call(), call()), user(result())),
    says: 'messages: `tool_use` ids must be unique',
  },
  'results answer the calls of the turn before': {
    body: say(user(result())),
    says: 'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
  },
  'calls have their results at the start of the next turn': {
    body: say({ role: 'user', content: 'Hi' }, assistant(call()), user({ type: 'text', text: 'wait' }, result())),
    says: 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
  },
  'thinking is of a kind that there is': {
    body: { thinking: { type: 'hard' } },
    says: "thinking: Input tag 'hard' found using 'type'",
  },
  'thinking by budget is for earlier models': {
    body: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    says: '"thinking.type.enabled" is not supported for this model.',
  },
  'adaptive thinking is for current models': {
    body: { ...OLD, thinking: { type: 'adaptive' } },
    says: 'adaptive thinking is not supported on this model',
  },
  'thinking is for models that think': {
    body: { model: 'claude-3-haiku-20240307', thinking: { type: 'enabled', budget_tokens: 1024 } },
    says: 'thinking is not supported by this model',
  },
  'thinking is switched off only where it can be': {
    body: { model: 'claude-fable-5', thinking: { type: 'disabled' } },
    says: '"thinking.type.disabled" is not supported for this model.',
  },
  'a budget of thinking is at least 1024': {
    body: { ...OLD, thinking: { type: 'enabled', budget_tokens: 500 } },
    says: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  },
  'a budget of thinking is below max_tokens': {
    body: { ...OLD, thinking: { type: 'enabled', budget_tokens: 4096 } },
    says: '`max_tokens` must be greater than `thinking.budget_tokens`.',
  },
  'binding of thinking blocks is behind its switch': {
    body: { thinking: { type: 'adaptive', block_binding: 'x' } },
    says: 'thinking.adaptive.block_binding: Extra inputs are not permitted',
  },
  'thinking forces no tool': {
    body: { thinking: { type: 'adaptive' }, tools: [TOOL], tool_choice: { type: 'any' } },
    says: 'Thinking may not be enabled when tool_choice forces tool use.',
  },
  'thinking comes back with its signature': {
    body: say(
      { role: 'user', content: 'Hi' },
      assistant({ type: 'thinking', thinking: 'Hm.', signature: '' }, call()),
      user(result()),
    ),
    says: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  },
  'hidden thinking comes back as it was': {
    body: say(
      { role: 'user', content: 'Hi' },
      assistant({ type: 'redacted_thinking', data: 'abc' }, call()),
      user(result()),
    ),
    says: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
  },
  'a turn of tool calls begins with its thinking': {
    body: {
      ...OLD,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      ...say({ role: 'user', content: 'Hi' }, assistant(call()), user(result())),
    },
    says: 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  },
  'effort is of a kind that there is': {
    body: { output_config: { effort: 'minimal' } },
    says: "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
  },
  'effort is for models that take it': {
    body: { ...OLD, output_config: { effort: 'low' } },
    says: 'This model does not support the effort parameter.',
  },
  'current models take no sampling': {
    body: { temperature: 0.5 },
    says: '`temperature` is deprecated for this model.',
  },
  'temperature and top_p exclude each other': {
    body: { ...OLD, temperature: 0.5, top_p: 0.9 },
    says: '`temperature` and `top_p` cannot both be specified for this model.',
  },
  'temperature is between 0 and 1': { body: { ...OLD, temperature: 1.5 }, says: 'temperature: range: 0..1' },
  'thinking leaves sampling alone': {
    body: { ...OLD, thinking: { type: 'enabled', budget_tokens: 1024 }, temperature: 0.5 },
    says: '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.',
  },
  'pictures are of a known type': {
    body: say(user(picture('AAAA', 'image/tiff'))),
    says: "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  },
  'pictures are base64': {
    body: say(user(picture('not base64!'))),
    says: 'messages.0.content.0.image.source.base64.data: The image data is not valid base64',
  },
  'pictures are not too large': {
    body: say(user(picture('AAAA'.repeat(1_400_000)))),
    says: 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5600000 bytes > 5242880 bytes',
  },
  'pictures are not too wide or high': {
    body: say(user(picture(wide.toString('base64')))),
    says: 'At least one of the image dimensions exceed max allowed size: 8000 pixels',
  },
} satisfies Record<MessagesRuleName, Case>;

function saidTo({ body, headers, counting }: Omit<Case, 'says'>): unknown {
  const refusal = judgeMessages({
    headers: { ...VERSION, ...headers },
    body: { ...BASE, ...body },
    ...(counting ? { counting } : {}),
  });
  return refusal && renderRefusal('anthropic', refusal, 'req_1');
}

test.each(Object.entries<Case>(CASES))('Anthropic: %s', (_, { says, ...request }) => {
  expect(saidTo(request)).toEqual({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining(says) },
    request_id: 'req_1',
  });
});

test('every rule names a page of the provider’s documentation', () => {
  for (const { docs } of Object.values(MESSAGES_RULES))
    expect(docs).toMatch(/^https:\/\/platform\.claude\.com\/docs\/en\//);
});

describe('Anthropic takes', () => {
  const history = [
    { role: 'user', content: 'Hi' },
    assistant(
      { type: 'thinking', thinking: 'Hm.', signature: signThinking('Hm.') },
      { type: 'redacted_thinking', data: sealText('secret') },
      call(),
    ),
    user(result(), { type: 'text', text: 'and now?' }),
  ];
  const betas =
    'claude-code-20250219,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,context-management-2025-06-27,prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,effort-2025-11-24';

  test.each<[string, Omit<Case, 'says'>]>([
    ['a plain question', {}],
    [
      'what Claude Code sends',
      {
        headers: { 'anthropic-beta': betas },
        body: {
          stream: true,
          metadata: { user_id: 'u' },
          thinking: { type: 'adaptive' },
          output_config: { effort: 'high' },
          tools: [TOOL],
          context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
          system: [{ type: 'text', text: 'You are', cache_control: { type: 'ephemeral', scope: 'global' } }],
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'system', content: 'Today is Monday.' },
          ],
        },
      },
    ],
    [
      'thinking that it made itself, before its results',
      { body: { thinking: { type: 'adaptive' }, messages: history } },
    ],
    [
      'the same with a budget on an earlier model',
      { body: { ...OLD, thinking: { type: 'enabled', budget_tokens: 1024 }, messages: history } },
    ],
    [
      'a budget above the limit while thinking is interleaved',
      {
        headers: { 'anthropic-beta': 'interleaved-thinking-2025-05-14' },
        body: { ...OLD, tools: [TOOL], thinking: { type: 'enabled', budget_tokens: 8192 } },
      },
    ],
    [
      'neighbours of one role, and results spread over them',
      {
        body: {
          messages: [
            { role: 'user', content: 'Hi' },
            assistant(call('a')),
            assistant(call('b')),
            user(result('b')),
            user(result('a')),
          ],
        },
      },
    ],
    ['a count without a limit', { counting: true, body: { max_tokens: undefined } }],
  ])('%s', (_, request) => {
    const body = Object.fromEntries(
      Object.entries({ ...BASE, ...request.body }).filter(([, value]) => value !== undefined),
    );
    expect(
      judgeMessages({
        headers: { ...VERSION, ...request.headers },
        body,
        ...(request.counting ? { counting: true } : {}),
      }),
    ).toBeUndefined();
  });

  test('the usual temperature, which older clients always send', () => {
    expect(judgeMessages({ headers: VERSION, body: { ...BASE, temperature: 1 } })).toBeUndefined();
  });

  test('no limit when it only counts', () => {
    expect(saidTo({ counting: true })).toMatchObject({
      error: { message: 'max_tokens: Extra inputs are not permitted' },
    });
  });
});
