// A sample for every row of the field table, and the smallest body around it. A row without one does not compile.
import type { Target } from '../../../src/model-providers/codecs/fields/cells.ts';
import type { FIELD_TABLE } from '../../../src/model-providers/codecs/fields/field-table.ts';
import type { Section } from '../../../src/model-providers/codecs/fields/rows.ts';
import type { Loose } from '../../../src/model-providers/codecs/read-fields.ts';

/** Stands in samples that a provider is to read: it must be found in what was sent. */
export const MARK = 'zebra';

export interface Sample {
  readonly value: unknown;
  /** What the cell's exception lets through. */
  readonly fine?: unknown;
  /** Fields of the body that must stand beside it. */
  readonly beside?: Loose;
  /** Models that take it, where those of the walk do not. */
  readonly models?: { readonly openai?: string; readonly anthropic?: string };
}

/** The field that names the kind of thing: the kinds have rows of their own. */
export const KIND = Symbol('kind');

interface Place<Rows> {
  /** Where the thing stands in the body. */
  readonly at: string;
  /** The body with these fields in the thing, or with this thing; without one, the body without it. */
  readonly put: (thing?: Loose, target?: Target) => Loose;
  readonly samples: { readonly [Name in keyof Rows]: Sample | typeof KIND };
}

type Places<Sections extends Readonly<Record<string, Section>>> = {
  readonly [Name in keyof Sections]: Place<Sections[Name]['rows']>;
};

const of = (value: unknown, more: Omit<Sample, 'value'> = {}): Sample => ({ value, ...more });
const mark = of(MARK);
const EFFORT = { models: { openai: 'openai/gpt-5', anthropic: 'anthropic/claude-sonnet-5' } };
const CACHE = of({ type: 'ephemeral', ttl: '1h' });
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const list = (thing: Loose | undefined): Loose[] => (thing === undefined ? [] : [thing]);

type Sections<Surface extends keyof typeof FIELD_TABLE> = (typeof FIELD_TABLE)[Surface];

// Messages

const asked = (content: unknown[]): Loose => ({
  model: 'm',
  max_tokens: 20_000,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, ...content] }],
});
const answered = (content: unknown[], after: unknown[] = []): Loose => ({
  model: 'm',
  max_tokens: 20_000,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'text', text: 'ok' }, ...content] },
    { role: 'user', content: [...after, { type: 'text', text: 'go on' }] },
  ],
});
const CALL = { type: 'tool_use', id: 't1', name: 'f', input: {} };
const returned = (content: unknown): Loose => answered([CALL], [{ type: 'tool_result', tool_use_id: 't1', content }]);
const B64 = { type: 'base64', media_type: 'image/png', data: PNG };
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' };
const source = (type: string): Sample => of({ type });
const bare = (type: string): Sample => of({ type });
const instructed = (fields: Loose = {}): Loose => ({
  model: 'm',
  max_tokens: 20_000,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'be kind', ...fields },
    { role: 'user', content: 'go on' },
  ],
});
const settings = (fields: Loose = {}): Loose => ({
  model: 'm',
  max_tokens: 20_000,
  messages: [{ role: 'user', content: 'hi' }],
  ...fields,
});
const TOOL = { name: 'f', input_schema: { type: 'object' } };

export const MESSAGES_SAMPLES: Places<Sections<'messages'>> = {
  request: {
    at: '',
    put: (fields) => settings(fields),
    samples: {
      model: KIND,
      messages: of([{ role: 'user', content: MARK }]),
      system: mark,
      max_tokens: of(77),
      stream: of(true),
      stop_sequences: of([MARK]),
      temperature: of(0.5),
      top_p: of(0.5),
      top_k: of(5),
      tools: of([{ name: MARK, input_schema: { type: 'object' } }]),
      tool_choice: of({ type: 'any' }, { beside: { tools: [TOOL] } }),
      thinking: of({ type: 'enabled', budget_tokens: 9_000 }, EFFORT),
      output_config: of({ format: { type: 'json_schema', schema: { type: 'object', title: MARK } } }),
      output_format: of({ type: 'json_schema', schema: { type: 'object', title: MARK } }),
      metadata: of({ user_id: MARK }),
      context_management: of({ edits: [{ type: 'clear_tool_uses_20250919' }] }),
      cache_control: CACHE,
      service_tier: of('standard_only'),
      speed: of('fast'),
      inference_geo: of('us', { fine: 'global' }),
      diagnostics: of({ previous_message_id: 'msg_1' }),
      betas: of(['x']),
      user_profile_id: of('u'),
      workspace_id: of('w'),
      fallback_credit_token: of('t'),
      fallbacks: of([{ model: 'x' }], { fine: [] }),
      container: of('c'),
      mcp_servers: of([{ type: 'url' }], { fine: [] }),
      compaction: of({ type: 'summarize' }),
      thread: of({ type: 'create' }),
    },
  },
  message: {
    at: 'messages.1',
    put: (thing) => settings({ messages: [{ role: 'user', content: 'hi' }, ...list(thing)] }),
    samples: {
      user: of({ role: 'user', content: MARK }),
      assistant: of({ role: 'assistant', content: MARK }),
      system: of({ role: 'system', content: MARK }),
    },
  },
  turnMessage: {
    at: 'messages.0',
    put: (fields) => settings({ messages: [{ role: 'user', content: 'hi', ...fields }] }),
    samples: { role: KIND, content: mark },
  },
  systemMessage: {
    at: 'messages.1',
    put: instructed,
    samples: {
      role: KIND,
      content: mark,
      clear_at: of('next_user_message'),
      output_config: of({ effort: 'high' }, EFFORT),
    },
  },
  block: {
    at: 'messages.1.content.1',
    put: (thing) => {
      if (
        thing === undefined ||
        !['image', 'document', 'search_result', 'tool_result', 'tool_use'].includes(String(thing['type']))
      )
        return answered(list(thing));
      return thing['type'] === 'tool_use'
        ? answered([thing], [{ type: 'tool_result', tool_use_id: 't1' }])
        : answered([], [thing]);
    },
    samples: {
      text: of({ type: 'text', text: MARK }),
      image: of({ type: 'image', source: { ...B64, data: MARK } }),
      document: of({ type: 'document', source: { ...PDF, data: MARK } }),
      search_result: of({ type: 'search_result', source: 's', title: MARK, content: [] }),
      thinking: of({ type: 'thinking', thinking: 'hm', signature: 's' }),
      redacted_thinking: of({ type: 'redacted_thinking', data: 'x' }),
      tool_use: of({ ...CALL, name: MARK }),
      tool_result: of({ type: 'tool_result', tool_use_id: 't1', content: MARK }),
      fallback: of({ type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }),
      server_tool_use: bare('server_tool_use'),
      web_search_tool_result: bare('web_search_tool_result'),
      web_fetch_tool_result: bare('web_fetch_tool_result'),
      advisor_tool_result: bare('advisor_tool_result'),
      code_execution_tool_result: bare('code_execution_tool_result'),
      bash_code_execution_tool_result: bare('bash_code_execution_tool_result'),
      text_editor_code_execution_tool_result: bare('text_editor_code_execution_tool_result'),
      tool_search_tool_result: bare('tool_search_tool_result'),
      mcp_tool_use: bare('mcp_tool_use'),
      mcp_tool_result: bare('mcp_tool_result'),
      mcp_tool_listing: bare('mcp_tool_listing'),
      container_upload: bare('container_upload'),
      compaction: bare('compaction'),
      tool_addition: bare('tool_addition'),
      tool_removal: bare('tool_removal'),
    },
  },
  systemBlock: {
    at: 'system.0',
    put: (thing) => settings({ system: list(thing) }),
    samples: {
      text: of({ type: 'text', text: MARK }),
      tool_addition: bare('tool_addition'),
      tool_removal: bare('tool_removal'),
    },
  },
  textBlock: {
    at: 'messages.0.content.1',
    put: (fields) => asked([{ type: 'text', text: 'x', ...fields }]),
    samples: { type: KIND, text: mark, citations: of([{ type: 'char_location' }]), cache_control: CACHE },
  },
  imageBlock: {
    at: 'messages.0.content.1',
    put: (fields) => asked([{ type: 'image', source: B64, ...fields }]),
    samples: {
      type: KIND,
      source: of({ type: 'url', url: `https://x.test/${MARK}.png` }),
      transformations: of({ oversize: 'none' }),
      cache_control: CACHE,
    },
  },
  imageSource: {
    at: 'messages.0.content.1.source',
    put: (thing) => asked(thing ? [{ type: 'image', source: thing }] : []),
    samples: {
      base64: of({ type: 'base64', media_type: 'image/png', data: MARK }),
      url: of({ type: 'url', url: `https://x.test/${MARK}.png` }),
      file: source('file'),
    },
  },
  documentBlock: {
    at: 'messages.0.content.1',
    put: (fields) => asked([{ type: 'document', source: PDF, ...fields }]),
    samples: {
      type: KIND,
      source: of({ type: 'text', media_type: 'text/plain', data: MARK }),
      title: mark,
      context: mark,
      citations: of({ enabled: true }, { fine: { enabled: false } }),
      cache_control: CACHE,
    },
  },
  documentSource: {
    at: 'messages.0.content.1.source',
    put: (thing) => asked(thing ? [{ type: 'document', source: thing }] : []),
    samples: {
      base64: of({ type: 'base64', media_type: 'application/pdf', data: MARK }),
      text: of({ type: 'text', media_type: 'text/plain', data: MARK }),
      content: of({ type: 'content', content: [{ type: 'text', text: MARK }] }),
      url: of({ type: 'url', url: 'https://x.test/a.pdf' }),
      file: source('file'),
    },
  },
  searchResultBlock: {
    at: 'messages.0.content.1',
    put: (fields) => asked([{ type: 'search_result', source: 's', title: 't', content: [], ...fields }]),
    samples: {
      type: KIND,
      source: mark,
      title: mark,
      content: of([{ type: 'text', text: MARK }]),
      citations: of({ enabled: true }, { fine: { enabled: false } }),
      cache_control: CACHE,
    },
  },
  thinkingBlock: {
    at: 'messages.1.content.1',
    put: (fields) => answered([{ type: 'thinking', thinking: 'hm', signature: 's', ...fields }]),
    samples: { type: KIND, thinking: mark, signature: mark },
  },
  toolUseBlock: {
    at: 'messages.1.content.1',
    put: (fields) => answered([{ ...CALL, ...fields }], [{ type: 'tool_result', tool_use_id: fields?.['id'] ?? 't1' }]),
    samples: {
      type: KIND,
      id: mark,
      name: mark,
      input: of({ a: MARK }),
      caller: of({ type: 'code_execution_20250825' }, { fine: { type: 'direct' } }),
      toolset_name: mark,
      cache_control: CACHE,
    },
  },
  toolResultBlock: {
    at: 'messages.2.content.0',
    put: (fields) =>
      answered(
        [{ ...CALL, id: fields?.['tool_use_id'] ?? 't1' }],
        [{ type: 'tool_result', tool_use_id: 't1', content: 'r', ...fields }],
      ),
    samples: {
      type: KIND,
      tool_use_id: mark,
      content: mark,
      is_error: of(true),
      toolset_name: mark,
      cache_control: CACHE,
    },
  },
  resultBlock: {
    at: 'messages.2.content.0.content.0',
    put: (thing) => returned(list(thing)),
    samples: {
      text: of({ type: 'text', text: MARK }),
      image: of({ type: 'image', source: { ...B64, data: MARK } }),
      document: of({ type: 'document', source: { ...PDF, data: MARK } }),
      search_result: of({ type: 'search_result', source: 's', title: MARK, content: [] }),
      tool_reference: of({ type: 'tool_reference', tool_name: MARK }),
      browser_state: bare('browser_state'),
    },
  },
  tool: {
    at: 'tools.0',
    put: (thing) => settings({ tools: list(thing) }),
    samples: {
      custom: of({ type: 'custom', name: MARK, input_schema: { type: 'object' } }),
      bash_20241022: bare('bash_20241022'),
      bash_20250124: bare('bash_20250124'),
      text_editor_20241022: bare('text_editor_20241022'),
      text_editor_20250124: bare('text_editor_20250124'),
      text_editor_20250429: bare('text_editor_20250429'),
      text_editor_20250728: bare('text_editor_20250728'),
      computer_20241022: bare('computer_20241022'),
      computer_20250124: bare('computer_20250124'),
      computer_20251124: bare('computer_20251124'),
      memory_20250818: bare('memory_20250818'),
      browser_toolset_20260801: bare('browser_toolset_20260801'),
      computer_toolset_20260801: bare('computer_toolset_20260801'),
      code_execution_20250522: bare('code_execution_20250522'),
      code_execution_20250825: bare('code_execution_20250825'),
      code_execution_20260120: bare('code_execution_20260120'),
      code_execution_20260521: bare('code_execution_20260521'),
      web_search_20250305: bare('web_search_20250305'),
      web_search_20260209: bare('web_search_20260209'),
      web_search_20260318: bare('web_search_20260318'),
      web_fetch_20250910: bare('web_fetch_20250910'),
      web_fetch_20260209: bare('web_fetch_20260209'),
      web_fetch_20260309: bare('web_fetch_20260309'),
      web_fetch_20260318: bare('web_fetch_20260318'),
      advisor_20260301: bare('advisor_20260301'),
      tool_search_tool_bm25: bare('tool_search_tool_bm25'),
      tool_search_tool_bm25_20251119: bare('tool_search_tool_bm25_20251119'),
      tool_search_tool_regex: bare('tool_search_tool_regex'),
      tool_search_tool_regex_20251119: bare('tool_search_tool_regex_20251119'),
      mcp_toolset: bare('mcp_toolset'),
    },
  },
  customTool: {
    at: 'tools.0',
    put: (fields) => settings({ tools: [{ ...TOOL, ...fields }] }),
    samples: {
      type: KIND,
      name: mark,
      description: mark,
      input_schema: of({ type: 'object', title: MARK }),
      strict: of(true),
      input_examples: of([{ a: 1 }]),
      defer_loading: of(true),
      eager_input_streaming: of(true),
      allowed_callers: of(['code_execution_20250825'], { fine: ['direct'] }),
      cache_control: CACHE,
    },
  },
  toolChoice: {
    at: 'tool_choice',
    put: (fields) =>
      settings({
        tools: [TOOL, { ...TOOL, name: MARK }],
        tool_choice: { type: fields?.['name'] === undefined ? 'auto' : 'tool', ...fields },
      }),
    samples: { type: of('any'), name: mark, disable_parallel_tool_use: of(true) },
  },
  thinking: {
    at: 'thinking',
    put: (fields) => settings({ thinking: { type: 'enabled', budget_tokens: 1_024, ...fields } }),
    samples: {
      type: of('disabled', EFFORT),
      budget_tokens: of(12_000, EFFORT),
      display: of('summarized'),
      block_binding: of({ mismatch: 'drop' }),
    },
  },
  outputConfig: {
    at: 'output_config',
    put: (fields) => settings({ output_config: { ...fields } }),
    samples: {
      effort: of('high', EFFORT),
      format: of({ type: 'json_schema', schema: { type: 'object', title: MARK } }),
      task_budget: of({ type: 'tokens', total: 9 }),
    },
  },
  contextManagement: {
    at: 'context_management',
    put: (fields) => settings({ context_management: { ...fields } }),
    samples: { edits: of([{ type: 'clear_thinking_20251015' }]) },
  },
  edit: {
    at: 'context_management.edits.0',
    put: (thing) => settings({ context_management: { edits: list(thing) } }),
    samples: {
      clear_tool_uses_20250919: bare('clear_tool_uses_20250919'),
      clear_thinking_20251015: bare('clear_thinking_20251015'),
      compact_20260112: bare('compact_20260112'),
    },
  },
  metadata: { at: 'metadata', put: (fields) => settings({ metadata: { ...fields } }), samples: { user_id: mark } },
};

// Chat Completions

const chat = (fields: Loose = {}): Loose => ({
  model: 'm',
  max_tokens: 20_000,
  messages: [{ role: 'user', content: 'hi' }],
  ...fields,
});
const chatted = (...messages: Loose[]): Loose => chat({ messages: [{ role: 'user', content: 'hi' }, ...messages] });
const chatPart = (content: unknown[]): Loose =>
  chat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, ...content] }] });
const chatAnswer = (fields: Loose): Loose =>
  chatted({ role: 'assistant', content: 'ok', ...fields }, { role: 'user', content: 'go on' });
const FUNCTION = { name: 'f', parameters: { type: 'object' } };
const CHAT_TOOL = { type: 'function', function: FUNCTION };
const CHAT_CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const CHAT_TEXT_CALL = { id: 'c1', type: 'custom', custom: { name: 'f', input: 'x' } };
const TEXT_TOOL = { name: 'f' };
const called = (call: Loose, answer = String(call['id'])): Loose =>
  chatted({ role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: answer, content: 'r' });
const BREAKPOINT = of({ mode: 'explicit' });
const DATA_URL = `data:image/png;base64,${PNG}`;
const DETAIL = { type: 'reasoning.text', text: MARK, signature: 's', format: 'anthropic-claude-v1', index: 0 };

export const CHAT_SAMPLES: Places<Sections<'chat'>> = {
  request: {
    at: '',
    put: chat,
    samples: {
      model: KIND,
      messages: of([{ role: 'user', content: MARK }]),
      max_completion_tokens: of(77),
      max_tokens: of(77),
      stream: of(true),
      stream_options: of({ include_usage: true }),
      tools: of([{ type: 'function', function: { name: MARK } }]),
      tool_choice: of('required', { beside: { tools: [CHAT_TOOL] } }),
      parallel_tool_calls: of(false, { beside: { tools: [CHAT_TOOL] } }),
      response_format: of({ type: 'json_object' }),
      reasoning_effort: of('high', EFFORT),
      temperature: of(0.5),
      top_p: of(0.5),
      stop: of([MARK]),
      user: mark,
      safety_identifier: mark,
      seed: of(7),
      frequency_penalty: of(1),
      presence_penalty: of(1),
      verbosity: of('low'),
      prediction: of({ type: 'content', content: 'x' }),
      service_tier: of('flex'),
      store: of(true),
      metadata: of({ a: 'b' }),
      prompt_cache_key: of('k'),
      prompt_cache_retention: of('24h'),
      prompt_cache_options: of({ ttl: '30m' }),
      n: of(2, { fine: 1 }),
      logprobs: of(true, { fine: false }),
      top_logprobs: of(3, { fine: 0 }),
      logit_bias: of({ 5: 1 }, { fine: {} }),
      modalities: of(['audio'], { fine: ['text'] }),
      audio: of({ voice: 'x' }),
      moderation: of({ model: 'x' }),
      web_search_options: of({}),
      functions: of([{ name: 'f' }], { fine: [] }),
      function_call: of('auto'),
    },
  },
  message: {
    at: 'messages.1',
    put: (thing) => chatted(...list(thing)),
    samples: {
      system: of({ role: 'system', content: MARK }),
      developer: of({ role: 'developer', content: MARK }),
      user: of({ role: 'user', content: MARK }),
      assistant: of({ role: 'assistant', content: MARK }),
      tool: of({ role: 'tool', tool_call_id: 'c1', content: MARK }),
      function: of({ role: 'function', name: 'f', content: 'x' }),
    },
  },
  system: {
    at: 'messages.1',
    put: (fields) => chatted({ role: 'system', content: 'be kind', ...fields }),
    samples: { role: KIND, content: mark, name: mark, cache_control: CACHE },
  },
  user: {
    at: 'messages.1',
    put: (fields) => chatted({ role: 'user', content: 'x', ...fields }),
    samples: { role: KIND, content: mark, name: mark, cache_control: CACHE },
  },
  assistant: {
    at: 'messages.1',
    put: (fields) => chatAnswer(fields ?? {}),
    samples: {
      role: KIND,
      content: mark,
      refusal: mark,
      tool_calls: of([{ ...CHAT_CALL, id: MARK }]),
      name: mark,
      cache_control: CACHE,
      reasoning_details: of([DETAIL]),
      reasoning_content: mark,
      reasoning: mark,
      annotations: of([]),
      parsed: of({}),
      id: mark,
      audio: of({ id: 'a' }),
      function_call: of({ name: 'f', arguments: '{}' }),
    },
  },
  tool: {
    at: 'messages.2',
    put: (fields) =>
      chatted(
        { role: 'assistant', tool_calls: [{ ...CHAT_CALL, id: fields?.['tool_call_id'] ?? 'c1' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'r', ...fields },
      ),
    samples: { role: KIND, tool_call_id: mark, content: mark, name: mark, cache_control: CACHE },
  },
  part: {
    at: 'messages.0.content.1',
    put: (thing) => chatPart(list(thing)),
    samples: {
      text: of({ type: 'text', text: MARK }),
      image_url: of({ type: 'image_url', image_url: { url: `https://x.test/${MARK}.png` } }),
      file: of({ type: 'file', file: { file_data: `data:application/pdf;base64,${MARK}` } }),
      input_audio: bare('input_audio'),
    },
  },
  textPart: {
    at: 'messages.0.content.1',
    put: (fields) => chatPart([{ type: 'text', text: 'x', ...fields }]),
    samples: { type: KIND, text: mark, cache_control: CACHE, prompt_cache_breakpoint: BREAKPOINT },
  },
  imagePart: {
    at: 'messages.0.content.1',
    put: (fields) => chatPart([{ type: 'image_url', image_url: { url: DATA_URL }, ...fields }]),
    samples: {
      type: KIND,
      image_url: of({ url: `https://x.test/${MARK}.png` }),
      cache_control: CACHE,
      prompt_cache_breakpoint: BREAKPOINT,
    },
  },
  imageUrl: {
    at: 'messages.0.content.1.image_url',
    put: (fields) => chatPart([{ type: 'image_url', image_url: { url: DATA_URL, ...fields } }]),
    samples: { url: of(`https://x.test/${MARK}.png`), detail: of('low') },
  },
  filePart: {
    at: 'messages.0.content.1',
    put: (fields) => chatPart([{ type: 'file', file: { file_data: 'JVBERi0x' }, ...fields }]),
    samples: { type: KIND, file: of({ file_data: MARK }), cache_control: CACHE, prompt_cache_breakpoint: BREAKPOINT },
  },
  file: {
    at: 'messages.0.content.1.file',
    put: (fields) => chatPart([{ type: 'file', file: { file_data: 'JVBERi0x', ...fields } }]),
    samples: { file_data: mark, filename: mark, file_id: mark },
  },
  assistantPart: {
    at: 'messages.1.content.0',
    put: (thing) => chatAnswer({ content: list(thing) }),
    samples: { text: of({ type: 'text', text: MARK }), refusal: of({ type: 'refusal', refusal: MARK }) },
  },
  textOnly: {
    at: 'messages.1.content.0',
    put: (thing) => chatted({ role: 'system', content: list(thing) }),
    samples: { text: of({ type: 'text', text: MARK }) },
  },
  answerTextPart: {
    at: 'messages.1.content.0',
    put: (fields) => chatAnswer({ content: [{ type: 'text', text: 'a', ...fields }] }),
    samples: {
      type: KIND,
      text: mark,
      cache_control: CACHE,
      prompt_cache_breakpoint: BREAKPOINT,
      role: of('assistant'),
      tool_calls: of([CHAT_CALL]),
      function_call: of({ name: 'f', arguments: '{}' }),
      audio: of({ id: 'a' }),
      annotations: of([]),
      reasoning_details: of([DETAIL]),
      reasoning_content: mark,
      reasoning: mark,
      refusal: mark,
    },
  },
  refusalPart: {
    at: 'messages.1.content.0',
    put: (fields) => chatAnswer({ content: [{ type: 'refusal', refusal: 'no', ...fields }] }),
    samples: {
      type: KIND,
      refusal: mark,
      role: of('assistant'),
      tool_calls: of([CHAT_CALL]),
      function_call: of({ name: 'f', arguments: '{}' }),
      audio: of({ id: 'a' }),
      annotations: of([]),
      reasoning_details: of([DETAIL]),
      reasoning_content: mark,
      reasoning: mark,
    },
  },
  call: {
    at: 'messages.1.tool_calls.0',
    put: (thing) => (thing ? called(thing, 'c1') : chatted({ role: 'tool', tool_call_id: 'c1', content: 'r' })),
    samples: {
      function: of({ ...CHAT_CALL, function: { name: MARK, arguments: '{}' } }),
      custom: of({ ...CHAT_TEXT_CALL, custom: { name: MARK, input: 'x' } }),
    },
  },
  functionCallItem: {
    at: 'messages.1.tool_calls.0',
    put: (fields) => called({ ...CHAT_CALL, ...fields }),
    samples: {
      id: mark,
      type: KIND,
      function: of({ name: MARK, arguments: '{}' }),
      index: of(3),
      cache_control: CACHE,
    },
  },
  functionCall: {
    at: 'messages.1.tool_calls.0.function',
    put: (fields) => called({ ...CHAT_CALL, function: { ...CHAT_CALL.function, ...fields } }),
    samples: { name: mark, arguments: of(JSON.stringify({ a: MARK })), parsed_arguments: of({ a: 1 }) },
  },
  customCallItem: {
    at: 'messages.1.tool_calls.0',
    put: (fields) => called({ ...CHAT_TEXT_CALL, ...fields }),
    samples: { id: mark, type: KIND, custom: of({ name: MARK, input: 'x' }), index: of(3), cache_control: CACHE },
  },
  customCall: {
    at: 'messages.1.tool_calls.0.custom',
    put: (fields) => called({ ...CHAT_TEXT_CALL, custom: { ...CHAT_TEXT_CALL.custom, ...fields } }),
    samples: { name: mark, input: mark },
  },
  tools: {
    at: 'tools.0',
    put: (thing) => chat({ tools: list(thing) }),
    samples: {
      function: of({ type: 'function', function: { name: MARK } }),
      custom: of({ type: 'custom', custom: { name: MARK } }),
    },
  },
  customTool: {
    at: 'tools.0',
    put: (fields) => chat({ tools: [{ type: 'custom', custom: TEXT_TOOL, ...fields }] }),
    samples: { type: KIND, custom: of({ name: MARK }), cache_control: CACHE },
  },
  customFields: {
    at: 'tools.0.custom',
    put: (fields) => chat({ tools: [{ type: 'custom', custom: { ...TEXT_TOOL, ...fields } }] }),
    samples: {
      name: mark,
      description: mark,
      format: of({ type: 'grammar', grammar: { syntax: 'lark', definition: MARK } }),
      cache_control: CACHE,
    },
  },
  functionTool: {
    at: 'tools.0',
    put: (fields) => chat({ tools: [{ ...CHAT_TOOL, ...fields }] }),
    samples: { type: KIND, function: of({ name: MARK }), cache_control: CACHE },
  },
  functionFields: {
    at: 'tools.0.function',
    put: (fields) => chat({ tools: [{ type: 'function', function: { ...FUNCTION, ...fields } }] }),
    samples: {
      name: mark,
      description: mark,
      parameters: of({ type: 'object', title: MARK }),
      strict: of(true),
      cache_control: CACHE,
    },
  },
  toolChoice: {
    at: 'tool_choice',
    put: (thing) =>
      chat({
        tools: [CHAT_TOOL, { type: 'function', function: { name: MARK } }, { type: 'custom', custom: { name: 'c' } }],
        ...(thing ? { tool_choice: thing } : {}),
      }),
    samples: {
      function: of({ type: 'function', function: { name: MARK } }),
      allowed_tools: of({
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: MARK } }] },
      }),
      custom: of({ type: 'custom', custom: { name: 'c' } }),
    },
  },
  responseFormat: {
    at: 'response_format',
    put: (thing) => chat(thing ? { response_format: thing } : {}),
    samples: {
      text: of({ type: 'text' }),
      json_object: of({ type: 'json_object' }),
      json_schema: of({ type: 'json_schema', json_schema: { name: 'n', schema: { title: MARK } } }),
    },
  },
  schemaFormat: {
    at: 'response_format',
    put: (fields) =>
      chat({ response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} }, ...fields } }),
    samples: { type: KIND, json_schema: of({ name: 'n', schema: { title: MARK } }) },
  },
  jsonSchema: {
    at: 'response_format.json_schema',
    put: (fields) =>
      chat({
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, ...fields } },
      }),
    samples: { name: of('m'), schema: of({ title: MARK }), strict: of(true), description: mark },
  },
  streamOptions: {
    at: 'stream_options',
    put: (fields) => chat({ stream: true, stream_options: { ...fields } }),
    samples: { include_usage: of(false), include_obfuscation: of(false) },
  },
};

// Responses

const said = (fields: Loose = {}): Loose => ({ model: 'm', max_output_tokens: 20_000, input: 'hi', ...fields });
const items = (...input: Loose[]): Loose => said({ input: [{ role: 'user', content: 'hi' }, ...input] });
const inputPart = (content: unknown[]): Loose =>
  said({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }, ...content] }] });
const FC = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
const FCO = { type: 'function_call_output', call_id: 'c1', output: 'r' };
const TEXT_CALL = { type: 'custom_tool_call', call_id: 'c1', name: 'f', input: 'x' };
const TEXT_OUTPUT = { type: 'custom_tool_call_output', call_id: 'c1', output: 'r' };
const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'anthropic-signature:s',
};
const OPENAIS_THOUGHT = { ...THOUGHT, encrypted_content: 'gAAA' };
const RTOOL = { type: 'function', name: 'f', parameters: { type: 'object' } };
const noted = { id: mark, status: of('completed'), internal_chat_message_metadata_passthrough: of({ turn_id: 't' }) };
/** Items that only their maker can read. */
const OPENAIS: Readonly<Record<string, Loose>> = {
  reasoning: OPENAIS_THOUGHT,
  compaction: { type: 'compaction', encrypted_content: 'gAAAA' },
};

export const RESPONSES_SAMPLES: Places<Sections<'responses'>> = {
  request: {
    at: '',
    put: said,
    samples: {
      model: KIND,
      input: mark,
      instructions: mark,
      max_output_tokens: of(77),
      stream: of(true),
      stream_options: of({ include_obfuscation: false }),
      tools: of([{ ...RTOOL, name: MARK }]),
      tool_choice: of('required', { beside: { tools: [RTOOL] } }),
      parallel_tool_calls: of(false, { beside: { tools: [RTOOL] } }),
      text: of({ format: { type: 'json_object' } }),
      reasoning: of({ effort: 'high' }, EFFORT),
      temperature: of(0.5),
      top_p: of(0.5),
      user: mark,
      safety_identifier: mark,
      metadata: of({ a: 'b' }),
      client_metadata: of({ a: 'b' }),
      include: of(['message.output_text.logprobs'], { fine: ['reasoning.encrypted_content'] }),
      context_management: of([{ type: 'compaction' }]),
      truncation: of('auto'),
      max_tool_calls: of(3),
      service_tier: of('flex'),
      prompt_cache_key: of('k'),
      prompt_cache_retention: of('24h'),
      prompt_cache_options: of({ ttl: '30m' }),
      image: of({ detail: 'low' }),
      store: of(true),
      previous_response_id: of('resp_1'),
      conversation: of('conv_1'),
      prompt: of({ id: 'p' }),
      background: of(true, { fine: false }),
      top_logprobs: of(3, { fine: 0 }),
      moderation: of({ model: 'x' }),
      access_programs: of({ cyber: 'standard' }),
    },
  },
  item: {
    at: 'input.1',
    put: (thing, target) => items(...list((target === 'openai' && OPENAIS[String(thing?.['type'])]) || thing)),
    samples: {
      message: of({ type: 'message', role: 'user', content: MARK }),
      function_call: of({ ...FC, name: MARK }),
      function_call_output: of({ ...FCO, output: MARK }),
      reasoning: of({ ...THOUGHT, encrypted_content: `anthropic-signature:${MARK}` }),
      item_reference: of({ type: 'item_reference', id: 'x' }),
      custom_tool_call: of({ ...TEXT_CALL, name: MARK }),
      custom_tool_call_output: of({ ...TEXT_OUTPUT, output: MARK }),
      local_shell_call: of({
        type: 'local_shell_call',
        call_id: 'c1',
        action: { type: 'exec', command: [MARK], env: {} },
      }),
      local_shell_call_output: of({ type: 'local_shell_call_output', id: 'c1', output: MARK }),
      shell_call: of({ type: 'shell_call', call_id: 'c1', action: { commands: [MARK] } }),
      shell_call_output: of({
        type: 'shell_call_output',
        call_id: 'c1',
        output: [{ stdout: MARK, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      }),
      apply_patch_call: of({ type: 'apply_patch_call', call_id: 'c1', operation: { type: 'delete_file', path: MARK } }),
      apply_patch_call_output: of({
        type: 'apply_patch_call_output',
        call_id: 'c1',
        status: 'completed',
        output: MARK,
      }),
      computer_call: bare('computer_call'),
      computer_call_output: bare('computer_call_output'),
      file_search_call: bare('file_search_call'),
      web_search_call: bare('web_search_call'),
      image_generation_call: bare('image_generation_call'),
      code_interpreter_call: bare('code_interpreter_call'),
      tool_search_call: of({
        type: 'tool_search_call',
        call_id: 'c1',
        execution: 'client',
        arguments: { query: MARK },
      }),
      tool_search_output: of({
        type: 'tool_search_output',
        call_id: 'c1',
        execution: 'client',
        tools: [{ ...RTOOL, name: MARK }],
      }),
      mcp_list_tools: bare('mcp_list_tools'),
      mcp_approval_request: bare('mcp_approval_request'),
      mcp_approval_response: bare('mcp_approval_response'),
      mcp_call: bare('mcp_call'),
      program: bare('program'),
      program_output: bare('program_output'),
      additional_tools: of({ type: 'additional_tools', tools: [{ ...RTOOL, name: MARK }] }),
      agent_message: of({ type: 'agent_message', author: 'a', content: [{ type: 'input_text', text: MARK }] }),
      configuration_update: bare('configuration_update'),
      compaction: of({ type: 'compaction', encrypted_content: `service-summary:${MARK}` }),
      compaction_trigger: bare('compaction_trigger'),
    },
  },
  message: {
    at: 'input.1',
    put: (fields) => items({ type: 'message', role: 'user', content: 'x', ...fields }),
    samples: { type: KIND, role: of('developer'), content: mark, ...noted, phase: of('commentary') },
  },
  functionCall: {
    at: 'input.1',
    put: (fields) => items({ ...FC, ...fields }, { ...FCO, call_id: fields?.['call_id'] ?? 'c1' }),
    samples: {
      type: KIND,
      call_id: mark,
      name: mark,
      arguments: of(JSON.stringify({ a: MARK })),
      ...noted,
      async: of(true),
      namespace: mark,
      parsed_arguments: of({}),
      encrypted_function_args: of(['a']),
      caller: of({ type: 'program' }, { fine: { type: 'direct' } }),
    },
  },
  customCall: {
    at: 'input.1',
    put: (fields) => items({ ...TEXT_CALL, ...fields }, { ...TEXT_OUTPUT, call_id: fields?.['call_id'] ?? 'c1' }),
    samples: {
      type: KIND,
      call_id: mark,
      name: mark,
      input: mark,
      ...noted,
      async: of(true),
      namespace: mark,
      caller: of({ type: 'program' }, { fine: { type: 'direct' } }),
    },
  },
  functionOutput: {
    at: 'input.2',
    put: (fields) => items({ ...FC, call_id: fields?.['call_id'] ?? 'c1' }, { ...FCO, ...fields }),
    samples: {
      type: KIND,
      call_id: mark,
      output: mark,
      ...noted,
      name: mark,
      namespace: mark,
      caller: of({ type: 'program' }, { fine: { type: 'direct' } }),
    },
  },
  reasoning: {
    at: 'input.1',
    put: (fields, target) =>
      items(
        { ...THOUGHT, ...fields, ...(target === 'openai' ? OPENAIS_THOUGHT : {}) },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'go on' },
      ),
    samples: {
      type: KIND,
      ...noted,
      summary: of([{ type: 'summary_text', text: MARK }]),
      content: of([{ type: 'reasoning_text', text: MARK }]),
      encrypted_content: of(`anthropic-signature:${MARK}`),
    },
  },
  part: {
    at: 'input.0.content.1',
    put: (thing) =>
      thing?.['type'] === 'refusal' ? items({ role: 'assistant', content: [thing] }) : inputPart(list(thing)),
    samples: {
      input_text: of({ type: 'input_text', text: MARK }),
      output_text: of({ type: 'output_text', text: MARK }),
      text: of({ type: 'text', text: MARK }),
      refusal: of({ type: 'refusal', refusal: MARK }),
      input_image: of({ type: 'input_image', image_url: `https://x.test/${MARK}.png` }),
      input_file: of({ type: 'input_file', file_data: MARK }),
      input_audio: bare('input_audio'),
    },
  },
  textPart: {
    at: 'input.0.content.1',
    put: (fields) => inputPart([{ type: 'input_text', text: 'x', ...fields }]),
    samples: {
      type: KIND,
      text: mark,
      annotations: of([]),
      logprobs: of([]),
      parsed: of({}),
      cache_control: CACHE,
      prompt_cache_breakpoint: BREAKPOINT,
    },
  },
  refusalPart: {
    at: 'input.1.content.0',
    put: (fields) => items({ role: 'assistant', content: [{ type: 'refusal', refusal: 'no', ...fields }] }),
    samples: { type: KIND, refusal: mark },
  },
  imagePart: {
    at: 'input.0.content.1',
    put: (fields) => inputPart([{ type: 'input_image', image_url: DATA_URL, ...fields }]),
    samples: {
      type: KIND,
      image_url: of(`https://x.test/${MARK}.png`),
      detail: of('low'),
      file_id: mark,
      cache_control: CACHE,
      prompt_cache_breakpoint: BREAKPOINT,
    },
  },
  filePart: {
    at: 'input.0.content.1',
    put: (fields) =>
      inputPart([{ type: 'input_file', ...(fields?.['file_url'] ? {} : { file_data: 'JVBERi0x' }), ...fields }]),
    samples: {
      type: KIND,
      file_data: mark,
      filename: mark,
      file_url: of(`https://x.test/${MARK}.pdf`),
      detail: of('low'),
      file_id: mark,
      cache_control: CACHE,
      prompt_cache_breakpoint: BREAKPOINT,
    },
  },
  tool: {
    at: 'tools.0',
    put: (thing) => said({ tools: list(thing) }),
    samples: {
      function: of({ ...RTOOL, name: MARK }),
      custom: of({ type: 'custom', name: MARK }),
      namespace: of({ type: 'namespace', name: 'n', tools: [{ ...RTOOL, name: MARK }] }),
      local_shell: bare('local_shell'),
      shell: of({ type: 'shell', environment: { type: 'local' } }),
      apply_patch: bare('apply_patch'),
      tool_search: of({ type: 'tool_search', execution: 'client', description: MARK }),
      computer: bare('computer'),
      computer_use_preview: bare('computer_use_preview'),
      web_search: bare('web_search'),
      web_search_2025_08_26: bare('web_search_2025_08_26'),
      web_search_preview: bare('web_search_preview'),
      web_search_preview_2025_03_11: bare('web_search_preview_2025_03_11'),
      file_search: bare('file_search'),
      mcp: bare('mcp'),
      code_interpreter: bare('code_interpreter'),
      programmatic_tool_calling: bare('programmatic_tool_calling'),
      image_generation: bare('image_generation'),
    },
  },
  functionTool: {
    at: 'tools.0',
    put: (fields) => said({ tools: [{ ...RTOOL, ...fields }] }),
    samples: {
      type: KIND,
      name: mark,
      description: mark,
      parameters: of({ type: 'object', title: MARK }),
      strict: of(true),
      output_schema: of({}),
      async: of(true),
      defer_loading: of(true),
      allowed_callers: of(['program'], { fine: ['direct'] }),
      cache_control: CACHE,
    },
  },
  customTool: {
    at: 'tools.0',
    put: (fields) => said({ tools: [{ type: 'custom', name: 'f', ...fields }] }),
    samples: {
      type: KIND,
      name: mark,
      description: mark,
      format: of({ type: 'grammar', syntax: 'lark', definition: MARK }),
      async: of(true),
      defer_loading: of(true),
      allowed_callers: of(['program'], { fine: ['direct'] }),
      cache_control: CACHE,
    },
  },
  namespaceTool: {
    at: 'tools.0',
    put: (fields) => said({ tools: [{ type: 'namespace', name: 'n', tools: [RTOOL], ...fields }] }),
    samples: { type: KIND, name: mark, description: mark, tools: of([{ ...RTOOL, name: MARK }]) },
  },
  innerTool: {
    at: 'tools.0.tools.0',
    put: (thing) => said({ tools: [{ type: 'namespace', name: 'n', tools: list(thing) }] }),
    samples: { function: of({ ...RTOOL, name: MARK }), custom: of({ type: 'custom', name: MARK }) },
  },
  text: {
    at: 'text',
    put: (fields) => said({ text: { ...fields } }),
    samples: { format: of({ type: 'json_object' }), verbosity: of('low') },
  },
  reasoningConfig: {
    at: 'reasoning',
    put: (fields) => said({ reasoning: { ...fields } }),
    samples: {
      effort: of('high', EFFORT),
      summary: of('auto', EFFORT),
      generate_summary: of('auto', EFFORT),
      context: of('all_turns'),
      mode: of('pro', { fine: 'standard' }),
    },
  },
};

export const EMBEDDING_SAMPLES: Places<Sections<'embeddings'>> = {
  request: {
    at: '',
    put: (fields) => ({ model: 'm', input: 'hi', ...fields }),
    samples: { model: KIND, input: mark, dimensions: of(8), encoding_format: of('base64'), user: mark },
  },
};
