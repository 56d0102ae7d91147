import { describe, expect, test } from 'vitest';
import { type Refusal, renderRefusal } from '../refusal.ts';
import { ACCOUNT_RULES } from './account-rules.ts';
import { CHAT_RULES } from './chat-rules.ts';
import { EMBEDDINGS_RULES } from './embeddings-rules.ts';
import { judgeAccount, judgeChat, judgeEmbeddings, judgeResponses } from './judge-openai.ts';
import { sealText } from './sealed-content.ts';
import { RESPONSES_RULES } from './responses-rules.ts';

type Fields = Record<string, unknown>;

interface Case {
  readonly body: Fields;
  readonly says: string;
  readonly param: string | null;
  readonly code?: string;
}

const HI = { role: 'user', content: 'Hi' };
const CHAT = { model: 'gpt-5-mini', messages: [HI] };
const PLAIN = { model: 'gpt-4.1', messages: [HI] };
const TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const CALLED = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
};
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'seen' };
const long = 'x'.repeat(65);

/** One request for every rule that breaks this rule and none before it. */
const CHAT_CASES = {
  'top-level fields are known': {
    body: { top_k: 4 },
    says: "Unknown parameter: 'top_k'.",
    param: 'top_k',
    code: 'unknown_parameter',
  },
  'the required fields are there': {
    body: { model: undefined },
    says: "Missing required parameter: 'model'.",
    param: 'model',
    code: 'missing_required_parameter',
  },
  'there is a message': {
    body: { messages: [] },
    says: "Invalid 'messages': empty array.",
    param: 'messages',
    code: 'empty_array',
  },
  'roles are known': {
    body: { messages: [{ role: 'model', content: 'x' }] },
    says: "Invalid value: 'model'. Supported values are:",
    param: 'messages[0].role',
    code: 'invalid_value',
  },
  'messages have known fields': {
    body: { messages: [HI, { role: 'assistant', content: 'x', reasoning_content: 'y' }, HI] },
    says: "Unknown parameter: 'messages[1].reasoning_content'.",
    param: 'messages[1].reasoning_content',
    code: 'unknown_parameter',
  },
  'messages have content': {
    body: { messages: [{ role: 'user', content: null }] },
    says: "Invalid value for 'content': expected a string, got null.",
    param: 'messages.[0].content',
  },
  'parts are of a known type': {
    body: { messages: [{ role: 'user', content: [{ type: 'image' }] }] },
    says: "Invalid value: 'image'.",
    param: 'messages[0].content[0].type',
    code: 'invalid_value',
  },
  'parts have known fields': {
    body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] }] },
    says: "Unknown parameter: 'messages[0].content[0].cache_control'.",
    param: 'messages[0].content[0].cache_control',
    code: 'unknown_parameter',
  },
  'pictures are of a known type': {
    body: {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AAAA' } }] }],
    },
    says: 'You uploaded an unsupported image.',
    param: 'messages[0].content[0].image_url.url',
    code: 'invalid_image_format',
  },
  'results answer the calls before them': {
    body: { messages: [HI, RESULT] },
    says: "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    param: 'messages.[1].role',
  },
  'calls have their results right after them': {
    body: { messages: [HI, CALLED, HI] },
    says: 'The following tool_call_ids did not have response messages: call_1',
    param: 'messages',
  },
  'ids of calls are short': {
    body: {
      messages: [
        HI,
        { ...CALLED, tool_calls: [{ ...CALLED.tool_calls[0], id: long }] },
        { ...RESULT, tool_call_id: long },
      ],
    },
    says: "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    param: 'messages[1].tool_calls[0].id',
    code: 'string_above_max_length',
  },
  'there is no empty list of tools': {
    body: { tools: [] },
    says: "Invalid 'tools': empty array.",
    param: 'tools',
    code: 'empty_array',
  },
  'tools are of a known type': {
    body: { tools: [{ type: 'namespace' }] },
    says: "Invalid value: 'namespace'. Supported values are: 'function', and 'custom'.",
    param: 'tools[0].type',
    code: 'invalid_value',
  },
  'tools have known fields': {
    body: { tools: [{ type: 'function', function: { name: 'look', input_schema: {} } }] },
    says: "Unknown parameter: 'tools[0].function.input_schema'.",
    param: 'tools[0].function.input_schema',
    code: 'unknown_parameter',
  },
  'tools have a name of the allowed letters': {
    body: { tools: [{ type: 'function', function: { name: 'a.b' } }] },
    says: "Invalid 'tools[0].function.name': string does not match pattern.",
    param: 'tools[0].function.name',
    code: 'invalid_value',
  },
  'what is said about tools goes with tools': {
    body: { parallel_tool_calls: true },
    says: "'parallel_tool_calls' is only allowed when 'tools' are specified.",
    param: 'parallel_tool_calls',
  },
  'tool_choice names a tool that is there': {
    body: { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'other' } } },
    says: "Tool choice 'other' not found in 'tools' parameter.",
    param: 'tool_choice',
  },
  'stream_options go with a stream': {
    body: { stream_options: { include_usage: true } },
    says: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    param: 'stream_options',
  },
  'metadata goes with store': {
    body: { metadata: { a: 'b' } },
    says: "The 'metadata' parameter is only allowed when 'store' is enabled.",
    param: 'metadata',
  },
  'JSON is asked for in words too': {
    body: { response_format: { type: 'json_object' } },
    says: "'messages' must contain the word 'json' in some form",
    param: 'messages',
  },
  'reasoning models count all that they write': {
    body: { max_tokens: 5 },
    says: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    param: 'max_tokens',
    code: 'unsupported_parameter',
  },
  'reasoning models take no stop sequences': {
    body: { stop: ['x'] },
    says: "Unsupported parameter: 'stop' is not supported with this model.",
    param: 'stop',
    code: 'unsupported_parameter',
  },
  'there are at most four stop sequences': {
    body: { ...PLAIN, stop: ['a', 'b', 'c', 'd', 'e'] },
    says: "Invalid 'stop': array too long.",
    param: 'stop',
    code: 'invalid_value',
  },
  'a model that reasons takes the usual temperature': {
    body: { temperature: 0.2 },
    says: "Unsupported value: 'temperature' does not support 0.2 with this model.",
    param: 'temperature',
    code: 'unsupported_value',
  },
  'a model that reasons takes no sampling': {
    body: { top_p: 0.5 },
    says: "Unsupported parameter: 'top_p' is not supported with this model.",
    param: 'top_p',
    code: 'unsupported_parameter',
  },
  'effort is for reasoning models': {
    body: { ...PLAIN, reasoning_effort: 'low' },
    says: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
    param: 'reasoning_effort',
    code: 'unsupported_parameter',
  },
  'effort is one that the model knows': {
    body: { reasoning_effort: 'max' },
    says: "'reasoning_effort' does not support 'max' with this model. Supported values are: 'minimal', 'low', 'medium', 'high'.",
    param: 'reasoning_effort',
    code: 'unsupported_value',
  },
  'function tools and reasoning meet on Responses only': {
    body: { model: 'gpt-6-sol', tools: [TOOL] },
    says: "Function tools with reasoning_effort are not supported for gpt-6-sol in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    param: 'reasoning_effort',
  },
} satisfies Record<keyof typeof CHAT_RULES, Case>;

const CALL_ITEM = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
const OUTPUT_ITEM = { type: 'function_call_output', call_id: 'call_1', output: 'seen' };
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealText('Hm.') };

const RESPONSES_CASES = {
  'top-level fields are known': {
    body: { messages: [] },
    says: "Unknown parameter: 'messages'.",
    param: 'messages',
    code: 'unknown_parameter',
  },
  'the required fields are there': {
    body: { input: undefined },
    says: "Missing required parameter: 'input'.",
    param: 'input',
    code: 'missing_required_parameter',
  },
  'an earlier response is one that was kept': {
    body: { previous_response_id: 'resp_1' },
    says: "Previous response with id 'resp_1' not found.",
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  },
  'items are of a known type': {
    body: { input: [{ type: 'tool_use' }] },
    says: "Invalid value: 'tool_use'.",
    param: 'input[0].type',
    code: 'invalid_value',
  },
  'ids of items are of their type': {
    body: { input: [{ type: 'message', id: 'a1', role: 'user', content: 'Hi' }] },
    says: "Invalid 'input[0].id': 'a1'. Expected an ID that begins with 'msg'.",
    param: 'input[0].id',
    code: 'invalid_value',
  },
  'an item that is only named is one that was kept': {
    body: { input: [{ type: 'item_reference', id: 'msg_1' }] },
    says: "Item with id 'msg_1' not found.",
    param: 'input',
  },
  'a conversation is compacted at its end': {
    body: { input: [{ type: 'compaction_trigger' }, HI] },
    says: "'compaction_trigger' must be the last input item.",
    param: 'input[0]',
  },
  'sealed reasoning and compactions are the provider’s own': {
    body: { input: [HI, { ...REASONING, encrypted_content: 'abc' }, { role: 'assistant', content: 'x' }, HI] },
    says: 'The encrypted content for item rs_1 could not be verified.',
    param: null,
    code: 'invalid_encrypted_content',
  },
  'reasoning stands before what came of it': {
    body: { input: [HI, REASONING, HI] },
    says: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    param: 'input',
  },
  'messages have a role and content': {
    body: { input: [{ role: 'tool', content: 'x' }] },
    says: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    param: 'input[0].role',
    code: 'invalid_value',
  },
  'parts are of the kind of who speaks': {
    body: { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
    says: "Invalid value: 'input_text'. Supported values are: 'output_text', and 'refusal'.",
    param: 'input[0].content[0]',
    code: 'invalid_value',
  },
  'pictures are of a known type': {
    body: { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:text/plain;base64,AAAA' }] }] },
    says: 'You uploaded an unsupported image.',
    param: 'input[0].content[0].image_url',
    code: 'invalid_image_format',
  },
  'results answer calls before them': {
    body: { input: [HI, OUTPUT_ITEM] },
    says: 'No tool call found for function call output with call_id call_1.',
    param: 'input',
  },
  'calls have results': {
    body: { input: [HI, { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'x' }] },
    says: 'No tool output found for custom tool call call_2.',
    param: 'input',
  },
  'ids of calls are short': {
    body: { input: [HI, { ...CALL_ITEM, call_id: long }, { ...OUTPUT_ITEM, call_id: long }] },
    says: "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64",
    param: 'input[1].call_id',
    code: 'string_above_max_length',
  },
  'arguments and results are there': {
    body: { input: [HI, { ...CALL_ITEM, arguments: undefined }, OUTPUT_ITEM] },
    says: "Missing required parameter: 'input[1].arguments'.",
    param: 'input[1].arguments',
    code: 'missing_required_parameter',
  },
  'tools are of a known type': {
    body: { tools: [{ type: 'bash_20250124' }] },
    says: "Invalid value: 'bash_20250124'.",
    param: 'tools[0].type',
    code: 'invalid_value',
  },
  'tools have a name of the allowed letters': {
    body: { tools: [{ type: 'function', function: { name: 'look' } }] },
    says: "Missing required parameter: 'tools[0].name'.",
    param: 'tools[0].name',
    code: 'missing_required_parameter',
  },
  'a namespace holds functions and custom tools': {
    body: { tools: [{ type: 'namespace', name: 'apps', description: '', tools: [{ type: 'web_search' }] }] },
    says: "Invalid value: 'web_search'. Supported values are: 'function', and 'custom'.",
    param: 'tools[0].tools[0].type',
    code: 'invalid_value',
  },
  'tool_choice names a tool that is there': {
    body: { tools: [{ type: 'function', name: 'look' }], tool_choice: { type: 'function', name: 'other' } },
    says: "Tool choice 'other' not found in 'tools' parameter.",
    param: 'tool_choice',
  },
  'an answer has room for 16 tokens': {
    body: { max_output_tokens: 3 },
    says: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 3 instead.",
    param: 'max_output_tokens',
    code: 'integer_below_min_value',
  },
  'a model that reasons takes no sampling': {
    body: { temperature: 0.2 },
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    param: 'temperature',
    code: 'unsupported_parameter',
  },
  'effort is for reasoning models': {
    body: { model: 'gpt-4.1', reasoning: { effort: 'low' } },
    says: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    param: 'reasoning.effort',
    code: 'unsupported_parameter',
  },
  'effort is one that the model knows': {
    body: { reasoning: { effort: 'xhigh' } },
    says: "'reasoning.effort' does not support 'xhigh' with this model.",
    param: 'reasoning.effort',
    code: 'unsupported_value',
  },
  'reasoning is sealed only where there is reasoning': {
    body: { model: 'gpt-4.1', include: ['reasoning.encrypted_content'] },
    says: 'Encrypted content is not supported with this model.',
    param: 'include',
  },
} satisfies Record<keyof typeof RESPONSES_RULES, Case>;

const EMBEDDINGS_CASES = {
  'top-level fields are known': {
    body: { texts: [] },
    says: "Unknown parameter: 'texts'.",
    param: 'texts',
    code: 'unknown_parameter',
  },
  'the required fields are there': {
    body: { input: undefined },
    says: "Missing required parameter: 'input'.",
    param: 'input',
    code: 'missing_required_parameter',
  },
  'no input is empty': { body: { input: ['a', ''] }, says: "'input' cannot be an empty string.", param: 'input' },
  'there are at most 2048 inputs': {
    body: { input: Array.from({ length: 2049 }, () => 'a') },
    says: "Invalid 'input': array too long.",
    param: 'input',
    code: 'invalid_value',
  },
} satisfies Record<keyof typeof EMBEDDINGS_RULES, Case>;

const ACCOUNT_CASES = {
  'top-level fields are known': {
    body: { prompt_cache_key: 'k' },
    says: "Unknown parameter: 'prompt_cache_key'.",
    param: 'prompt_cache_key',
    code: 'unknown_parameter',
  },
  'the required fields are there': {
    body: { model: undefined },
    says: "Missing required parameter: 'model'.",
    param: 'model',
    code: 'missing_required_parameter',
  },
  'roles are known': {
    body: { messages: [{ role: 'developer', content: 'x' }] },
    says: "Invalid value: 'developer'.",
    param: 'messages[0].role',
    code: 'invalid_value',
  },
  'parts are of a known type': {
    body: { messages: [{ role: 'user', content: [{ type: 'document' }] }] },
    says: "Invalid value: 'document'.",
    param: 'messages[0].content[0].type',
    code: 'invalid_value',
  },
  'tools are functions': {
    body: { tools: [{ type: 'custom' }] },
    says: "Invalid value: 'custom'. Supported values are: 'function'.",
    param: 'tools[0].type',
    code: 'invalid_value',
  },
  'results answer the calls before them': {
    body: { messages: [HI, RESULT] },
    says: "messages with role 'tool' must be a response",
    param: 'messages.[1].role',
  },
} satisfies Record<keyof typeof ACCOUNT_RULES, Case>;

describe.each<[string, Record<string, Case>, Fields, (body: Fields) => Refusal | undefined]>([
  ['Chat Completions', CHAT_CASES, CHAT, (body) => judgeChat(body)],
  ['Responses', RESPONSES_CASES, { model: 'gpt-5-mini', input: 'Hi' }, (body) => judgeResponses(body)],
  ['Embeddings', EMBEDDINGS_CASES, { model: 'text-embedding-3-small', input: 'Hi' }, (body) => judgeEmbeddings(body)],
  [
    'an OpenAI-compatible server',
    ACCOUNT_CASES,
    { model: 'llama-3.3-70b', messages: [HI] },
    (body) => judgeAccount(body),
  ],
])('%s', (_, cases, base, judge) => {
  test('a plain question is taken', () => expect(judge(base)).toBeUndefined());

  test.each(Object.entries(cases))('%s', (_rule, { body, says, param, code = null }) => {
    const refusal = judge({ ...base, ...body });
    expect(refusal && renderRefusal('openai', refusal, 'req_1')).toEqual({
      error: { message: expect.stringContaining(says), type: 'invalid_request_error', param, code },
    });
  });
});

test('every rule names a page of documentation', () => {
  for (const { docs } of [CHAT_RULES, RESPONSES_RULES, EMBEDDINGS_RULES].flatMap((rules) => Object.values(rules)))
    expect(docs).toMatch(/^https:\/\/developers\.openai\.com\/api\//);
  for (const { docs } of Object.values(ACCOUNT_RULES)) expect(docs).toMatch(/^https:\/\//);
});

describe('OpenAI takes', () => {
  test('tools where the model does not reason, and at any effort on earlier models', () => {
    expect(judgeChat({ ...CHAT, model: 'gpt-6-sol', tools: [TOOL], reasoning_effort: 'none' })).toBeUndefined();
    expect(judgeChat({ ...CHAT, tools: [TOOL], reasoning_effort: 'high' })).toBeUndefined();
    expect(judgeChat({ ...CHAT, model: 'gpt-5.4', tools: [TOOL], temperature: 0.5 })).toBeUndefined();
    expect(judgeChat({ ...CHAT, model: 'gpt-6-astra', tools: [TOOL] })).toMatchObject({ field: 'reasoning_effort' });
  });

  test('the rest of an answer inside of its text, as the Agents SDK sends it, and the name of a tool beside its call', () => {
    const answer = {
      role: 'assistant',
      content: [{ type: 'text', text: 'A note.', role: 'assistant', refusal: null, annotations: [] }],
    };
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    expect(
      judgeChat({
        ...CHAT,
        messages: [HI, call, { role: 'tool', tool_call_id: 'c1', name: 'f', content: 'r' }, answer, HI],
      }),
    ).toBeUndefined();
  });

  test('several calls, answered in any order', () => {
    const calls = { ...CALLED, tool_calls: [{ ...CALLED.tool_calls[0] }, { ...CALLED.tool_calls[0], id: 'call_2' }] };
    expect(
      judgeChat({ ...CHAT, messages: [HI, calls, { ...RESULT, tool_call_id: 'call_2' }, RESULT] }),
    ).toBeUndefined();
    expect(judgeChat({ ...CHAT, messages: [HI, calls, RESULT] })).toMatchObject({
      message: expect.stringContaining('call_2'),
    });
  });

  test('what Codex sends', () => {
    const body = {
      model: 'gpt-6-sol',
      instructions: 'You are',
      stream: true,
      store: false,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'k',
      reasoning: { effort: 'medium', summary: 'auto' },
      text: { verbosity: 'low' },
      tools: [
        { type: 'function', name: 'exec_command', strict: false, parameters: { type: 'object' } },
        { type: 'custom', name: 'apply_patch', format: { type: 'text' } },
        { type: 'web_search' },
        {
          type: 'namespace',
          name: 'mcp__apps',
          description: '',
          tools: [{ type: 'function', name: 'list', parameters: {} }],
        },
      ],
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'x' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        REASONING,
        CALL_ITEM,
        OUTPUT_ITEM,
        { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' },
      ],
    };
    expect(judgeResponses(body)).toBeUndefined();
    const { tools, input, ...rest } = body;
    expect(
      judgeResponses({
        ...rest,
        client_metadata: { thread_id: 't' },
        input: [{ type: 'additional_tools', id: 'at_1', role: 'developer', tools }, ...input],
      }),
    ).toBeUndefined();
  });

  test('references to what it kept', () => {
    const kept = { response: (id: string) => id === 'resp_1', item: (id: string) => id === 'msg_1' };
    expect(
      judgeResponses({ model: 'gpt-5-mini', previous_response_id: 'resp_1', input: [OUTPUT_ITEM] }, kept),
    ).toBeUndefined();
    expect(
      judgeResponses({ model: 'gpt-5-mini', input: [{ type: 'item_reference', id: 'msg_1' }] }, kept),
    ).toBeUndefined();
    expect(
      judgeResponses({ model: 'gpt-5-mini', input: [{ type: 'item_reference', id: 'msg_2' }] }, kept),
    ).toMatchObject({ code: 'unknown_item' });
  });

  test('a request with the one rule left out that it breaks', () => {
    expect(judgeChat({ ...CHAT, max_tokens: 5 }, ['reasoning models count all that they write'])).toBeUndefined();
  });
});
