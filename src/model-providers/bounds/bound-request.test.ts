import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import type { ModelPrice } from '../../catalog/model-catalog.ts';
import { costOf, holdFor } from '../../turns/estimate-cost.ts';
import type { Protocol } from '../codecs/neutral.ts';
import type { Loose } from '../codecs/read-fields.ts';
import {
  boundEmbedding,
  boundRequest,
  type BoundTarget,
  readBetas,
  REFUSED_BETAS,
  refuseBetas,
} from './bound-request.ts';
import { CODEX_HISTORY, CODEX_REQUESTS } from '../../../test/support/models/codex-requests.ts';
import { leaveOutTools } from './leave-out-tools.ts';

const PRICE: ModelPrice = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheWriteHour: 2 };
interface Target extends BoundTarget {
  readonly price: ModelPrice;
}

const TARGET: Target = {
  provider: 'openai',
  model: 'gpt-9',
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
  price: PRICE,
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const user = (...content: unknown[]): Loose => ({ messages: [{ role: 'user', content }] });
const input = (...content: unknown[]): Loose => ({ input: [{ role: 'user', content }] });

function refused(protocol: Protocol, body: Loose): string[] {
  try {
    boundRequest(protocol, body, TARGET);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    return Object.keys(error.details);
  }
}

const REFUSED: readonly (readonly [Protocol, Loose, readonly string[]])[] = [
  [
    'chat',
    user({ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'https://x.test/a.png' } }),
    ['messages.0.content.1.image_url'],
  ],
  ['chat', user({ type: 'image_url', image_url: 'https://x.test/a.png' }), ['messages.0.content.0.image_url']],
  [
    'chat',
    user({ type: 'image_url', image_url: { url: 'data:image/svg+xml,<svg/>' } }),
    ['messages.0.content.0.image_url'],
  ],
  ['chat', user({ type: 'file', file: { file_id: 'file_1' } }), ['messages.0.content.0.file.file_id']],
  [
    'chat',
    user({ type: 'file', file: { file_data: Buffer.from('PK\x03\x04\x00').toString('base64') } }),
    ['messages.0.content.0.file.file_data'],
  ],
  ['chat', user({ type: 'input_audio', input_audio: { data: 'x' } }), ['messages.0.content.0']],
  ['chat', user({ type: 'video_url', video_url: { url: 'x' } }), ['messages.0.content.0.type']],
  ['chat', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }, ['messages.0.audio']],
  ['chat', { messages: [{ role: 'oracle', content: 'x' }] }, ['messages.0.role']],
  [
    'chat',
    {
      messages: [],
      service_tier: 'priority',
      prediction: {},
      audio: {},
      modalities: ['text', 'audio'],
      moderation: {},
    },
    ['service_tier', 'prediction', 'audio', 'modalities.1', 'moderation'],
  ],
  [
    'chat',
    { messages: [], something_new: true, prompt_cache_options: { mode: 'implicit', prewarm: true } },
    ['something_new', 'prompt_cache_options.prewarm'],
  ],
  [
    'responses',
    input({ type: 'input_image', image_url: 'http://x.test/a.png' }, { type: 'input_image', file_id: 'file_1' }),
    ['input.0.content.0.image_url', 'input.0.content.1.file_id'],
  ],
  [
    'responses',
    input({ type: 'input_file', file_url: 'https://x.test/a.pdf' }, { type: 'input_file', file_id: 'file_1' }),
    ['input.0.content.0.file_url', 'input.0.content.1.file_id'],
  ],
  ['responses', { input: [{ type: 'item_reference', id: 'rs_1' }] }, ['input.0']],
  [
    'responses',
    {
      input: [
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: 'https://x.test' }] },
      ],
    },
    ['input.0.output.0.image_url'],
  ],
  [
    'responses',
    {
      input: 'x',
      previous_response_id: 'resp_1',
      conversation: 'conv_1',
      prompt: { id: 'p' },
      background: true,
      service_tier: 'fast',
      reasoning: { mode: 'pro' },
      context_management: [{}],
    },
    [
      'previous_response_id',
      'conversation',
      'prompt',
      'background',
      'service_tier',
      'reasoning.mode',
      'context_management',
    ],
  ],
  [
    'responses',
    { input: 'x', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] }] },
    ['tools.0.tools.0.type'],
  ],
  [
    'messages',
    user(
      { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
      { type: 'image', source: { type: 'file', file_id: 'f' } },
    ),
    ['messages.0.content.0.source', 'messages.0.content.1.source'],
  ],
  [
    'messages',
    user(
      { type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } },
      { type: 'document', source: { type: 'file', file_id: 'f' } },
    ),
    ['messages.0.content.0.source', 'messages.0.content.1.source'],
  ],
  [
    'messages',
    user({
      type: 'tool_result',
      tool_use_id: 't',
      content: [{ type: 'image', source: { type: 'url', url: 'https://x.test' } }],
    }),
    ['messages.0.content.0.content.0.source'],
  ],
  [
    'messages',
    user({
      type: 'document',
      source: { type: 'content', content: [{ type: 'image', source: { type: 'url', url: 'https://x.test' } }] },
    }),
    ['messages.0.content.0.source.content.0.source'],
  ],
  ['messages', user({ type: 'container_upload', file_id: 'f' }), ['messages.0.content.0.type']],
  [
    'messages',
    {
      messages: [],
      thread: { type: 'continue', id: 't' },
      container: 'c',
      speed: 'fast',
      inference_geo: 'us',
      service_tier: 'priority',
      fallbacks: [],
      compaction: {},
    },
    ['thread', 'container', 'speed', 'inference_geo', 'service_tier', 'fallbacks', 'compaction'],
  ],
  [
    'messages',
    { messages: [], context_management: { edits: [{ type: 'compact_20260112' }] } },
    ['context_management.edits.0.type'],
  ],
  [
    'messages',
    { messages: [], tools: [{ name: 'f', input_schema: {}, allowed_callers: ['code_execution_20250825'] }] },
    ['tools.0.allowed_callers.0'],
  ],
];

/** As current clients send them. */
const TAKEN: readonly (readonly [Protocol, Loose])[] = [
  [
    'chat',
    {
      ...user(
        { type: 'text', text: 'x' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'high' } },
      ),
      n: 2,
      store: false,
      audio: null,
      tools: [
        { type: 'function', function: { name: 'f', parameters: { anything: [1] }, strict: true } },
        { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
      ],
    },
  ],
  [
    'chat',
    {
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'x', role: 'assistant', refusal: null, annotations: [] }],
        },
        { role: 'tool', tool_call_id: 'c', name: 'f', content: 'done' },
      ],
    },
  ],
  [
    'chat',
    {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          reasoning_content: 'x',
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      service_tier: 'auto',
      modalities: ['text'],
    },
  ],
  [
    'responses',
    {
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'x' }] },
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'e' },
        { type: 'custom_tool_call', call_id: 'c', name: 'n', input: 'i' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'o' },
      ],
      instructions: 'x',
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'k',
      client_metadata: { a: 'b' },
      text: { verbosity: 'low' },
      reasoning: { effort: 'high', summary: 'auto' },
      tools: [
        {
          type: 'namespace',
          name: 'n',
          description: 'd',
          tools: [{ type: 'function', name: 'f', parameters: {}, strict: false }],
        },
        { type: 'custom', name: 'apply_patch', format: { type: 'grammar' } },
        { type: 'local_shell' },
      ],
    },
  ],
  [
    'messages',
    {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
        { role: 'system', content: 'y' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'tool_use', id: 't', name: 'f', input: { deep: { er: 1 } } },
          ],
        },
      ],
      system: [{ type: 'text', text: 'x' }],
      metadata: { user_id: 'u' },
      thinking: { type: 'adaptive', display: 'summarized' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      tools: [
        { name: 'f', description: 'd', input_schema: {} },
        { type: 'bash_20250124', name: 'bash' },
      ],
    },
  ],
];

describe('a request on platform credit', () => {
  it.each(REFUSED)('%s %j is refused by the place of each part', (protocol, body, fields) => {
    expect(refused(protocol, { model: 'm', ...body })).toEqual(fields);
  });

  it.each(TAKEN)('%s %j is taken', (protocol, body) => {
    expect(refused(protocol, { model: 'm', ...body })).toEqual([]);
  });

  it.each([
    ['chat', 'max_completion_tokens', { messages: [] }],
    ['responses', 'max_output_tokens', { input: 'x' }],
    ['messages', 'max_tokens', { messages: [] }],
  ] as const)('%s without a limit is sent with the one that is held', (protocol, field, body) => {
    const { json, bound } = boundRequest(protocol, body, TARGET);
    expect(JSON.parse(json)).toMatchObject({ [field]: bound.outputTokens });
    // As much as a quarter of a dollar buys.
    expect(bound.outputTokens).toBe(50_000);
    expect(boundRequest(protocol, body, { ...TARGET, price: { ...PRICE, output: 500 } }).bound.outputTokens).toBe(
      8_192,
    );
  });

  it('never requests more output than the model has, and in one field', () => {
    expect(JSON.parse(boundRequest('chat', { messages: [], max_tokens: 10 ** 9 }, TARGET).json)).toEqual({
      messages: [],
      max_completion_tokens: 128_000,
    });
    expect(boundRequest('chat', { messages: [], max_tokens: 100, n: 5 }, TARGET).bound.outputTokens).toBe(500);
    expect(
      boundRequest(
        'messages',
        { messages: [], max_tokens: 100, thinking: { type: 'enabled', budget_tokens: 9_000 } },
        TARGET,
      ).bound.outputTokens,
    ).toBe(9_100);
  });

  it('counts a document that fills a body by its pages, not by its bytes, and one that cannot be counted as the whole context', () => {
    const pdf = (content: string): Loose =>
      user({
        type: 'file',
        file: {
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${Buffer.from(content).toString('base64')}`,
        },
      });
    const pages = Array.from({ length: 40 }, (_, page) => `${page + 10} 0 R`).join(' ');
    const objects = Array.from({ length: 40 }, (_, page) => `${page + 10} 0 obj<</Type/Page>>endobj`).join('\n');
    expect(
      boundRequest(
        'chat',
        pdf(`%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj\n2 0 obj<</Kids[${pages}]>>endobj\n${objects}`),
        TARGET,
      ).bound.inputTokens,
    ).toBeGreaterThan(40 * 3_000);
    expect(boundRequest('chat', pdf('%PDF-1.7'), TARGET).bound.inputTokens).toBe(TARGET.contextWindow);
  });
});

describe('tools that the provider runs', () => {
  it.each([
    [
      'responses',
      { tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }, { type: 'mcp' }] },
      ['web_search', 'mcp'],
      { tools: [{ type: 'function', name: 'f' }] },
    ],
    [
      'responses',
      {
        tools: [
          { type: 'code_interpreter' },
          { type: 'file_search' },
          { type: 'computer_use_preview' },
          { type: 'image_generation' },
        ],
        tool_choice: 'auto',
        parallel_tool_calls: true,
      },
      ['code_interpreter', 'file_search', 'computer_use_preview', 'image_generation'],
      {},
    ],
    [
      'responses',
      {
        tools: [{ type: 'web_search' }, { type: 'custom', name: 'c' }],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [{ type: 'web_search' }, { type: 'custom', name: 'c' }],
        },
      },
      ['web_search'],
      {
        tools: [{ type: 'custom', name: 'c' }],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'c' }] },
      },
    ],
    [
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }, { name: 'f' }], mcp_servers: [{}] },
      ['web_search_20250305', 'mcp_servers'],
      { tools: [{ name: 'f' }] },
    ],
    [
      'messages',
      {
        tools: [
          { type: 'code_execution_20250825', name: 'x' },
          { type: 'computer_20251124', name: 'computer' },
        ],
        tool_choice: { type: 'any' },
      },
      ['code_execution_20250825'],
      { tools: [{ type: 'computer_20251124', name: 'computer' }], tool_choice: { type: 'any' } },
    ],
    [
      'responses',
      {
        input: [
          { type: 'additional_tools', tools: [{ type: 'mcp' }, { type: 'function', name: 'f' }] },
          { type: 'additional_tools', tools: [{ type: 'mcp' }] },
        ],
        tool_choice: 'auto',
      },
      ['mcp'],
      { input: [{ type: 'additional_tools', tools: [{ type: 'function', name: 'f' }] }], tool_choice: 'auto' },
    ],
    [
      'responses',
      {
        tools: [
          { type: 'tool_search' },
          { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f', defer_loading: true }] },
          { type: 'custom', name: 'c', defer_loading: true },
        ],
      },
      ['tool_search'],
      {
        tools: [
          { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }] },
          { type: 'custom', name: 'c' },
        ],
      },
    ],
    [
      'messages',
      {
        tools: [
          { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
          { name: 'f', defer_loading: true },
        ],
      },
      ['tool_search_tool_bm25_20251119'],
      { tools: [{ name: 'f' }] },
    ],
    [
      'responses',
      {
        tools: [
          { type: 'shell', environment: { type: 'container_auto' } },
          { type: 'shell', environment: { type: 'local' } },
        ],
        tool_choice: { type: 'shell' },
      },
      ['shell'],
      { tools: [{ type: 'shell', environment: { type: 'local' } }], tool_choice: { type: 'shell' } },
    ],
    [
      'responses',
      {
        tools: [
          { type: 'tool_search', execution: 'client' },
          { type: 'function', name: 'f', defer_loading: true },
        ],
      },
      [],
      {
        tools: [
          { type: 'tool_search', execution: 'client' },
          { type: 'function', name: 'f', defer_loading: true },
        ],
      },
    ],
    ['chat', { web_search_options: {} }, ['web_search_options'], {}],
    [
      'chat',
      { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
      [],
      { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
    ],
  ] as const)('%s %j: left out', (protocol, body, leftOut, sent) => {
    expect(leaveOutTools(protocol, body, 'cost')).toEqual({ body: sent, leftOut });
  });

  it.each([
    [
      'responses',
      { tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }], tool_choice: { type: 'web_search_preview' } },
    ],
    ['responses', { tools: [{ type: 'mcp' }], tool_choice: { type: 'mcp', server_label: 'x' } }],
    ['responses', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    [
      'responses',
      {
        tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
      },
    ],
    [
      'messages',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }, { name: 'f' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
    ],
    ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }], tool_choice: { type: 'any' } }],
  ] as const)('%s %j: demanded, and refused', (protocol, body) => {
    expect(() => leaveOutTools(protocol, body, 'cost')).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { tool_choice: expect.any(String) as string } }),
    );
  });
});

describe('what Codex sends', () => {
  it.each(Object.entries(CODEX_REQUESTS))(
    'is accepted on platform credit, and so is its next turn: %s',
    (_shape, request) => {
      const { body, leftOut } = leaveOutTools(
        'responses',
        { ...request, input: [...request.input, ...CODEX_HISTORY] },
        'cost',
      );
      expect(leftOut).toEqual('tools' in request ? ['web_search'] : []);
      expect(refused('responses', body)).toEqual([]);
    },
  );
});

describe('anthropic-beta on platform credit', () => {
  const SMALL = { contextWindow: 200_000 };

  it('is refused by name if the table lists it, and passed on otherwise', () => {
    const betas = readBetas({
      'anthropic-beta':
        'claude-code-20250219, interleaved-thinking-2025-05-14,context-1m-2025-08-07,files-api-2025-04-14,bad name',
    });
    expect(betas).toEqual([
      'claude-code-20250219',
      'interleaved-thinking-2025-05-14',
      'context-1m-2025-08-07',
      'files-api-2025-04-14',
    ]);
    expect(() => refuseBetas(betas, 'on platform credit', SMALL)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: { 'anthropic-beta': expect.stringMatching(/context-1m-2025-08-07 .*files-api-2025-04-14/) as string },
      }),
    );
    expect(() =>
      refuseBetas(
        ['claude-code-20250219', 'context-management-2025-06-27', 'extended-cache-ttl-2025-04-11'],
        'on platform credit',
        SMALL,
      ),
    ).not.toThrow();
  });

  it.each(REFUSED_BETAS)('%s', (pattern) => {
    expect(() =>
      refuseBetas(
        [`${pattern.source.replace(/^\^/, '').replace(/\(\?:(\w+)[^)]*\)/, '$1')}2099-01-01`],
        'on platform credit',
        SMALL,
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('whatever a provider honestly reports', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 }));
  const image = fc.constant(PNG);
  const cache = fc.option(fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }), { nil: undefined });
  const bodies: Readonly<Record<Protocol, fc.Arbitrary<Loose>>> = {
    chat: fc.record({
      messages: fc.array(
        fc.record({
          role: fc.constantFrom('user', 'system'),
          content: fc.oneof(
            text,
            fc.array(
              fc.oneof(
                text.map((said) => ({ type: 'text', text: said })),
                image.map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })),
              ),
              { maxLength: 3 },
            ),
          ),
        }),
        { maxLength: 4 },
      ),
      n: fc.integer({ min: 1, max: 8 }),
      max_tokens: fc.option(fc.integer({ min: 1, max: 10 ** 7 })),
    }),
    responses: fc.record({
      input: fc.array(fc.record({ role: fc.constant('user'), content: text }), { maxLength: 4 }),
      instructions: text,
      max_output_tokens: fc.option(fc.integer({ min: 16, max: 10 ** 7 })),
    }),
    messages: fc.record({
      messages: fc.array(
        fc.record({
          role: fc.constant('user'),
          content: fc.array(
            fc.oneof(
              fc.record({ type: fc.constant('text'), text, cache_control: cache }),
              image.map((data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })),
            ),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 4 },
      ),
      max_tokens: fc.option(fc.integer({ min: 1, max: 10 ** 7 })),
      thinking: fc.option(
        fc.record({ type: fc.constant('enabled'), budget_tokens: fc.integer({ min: 1_024, max: 50_000 }) }),
      ),
    }),
  };
  const targets = loadModels(undefined).models.flatMap((model) =>
    model.providers.flatMap(({ provider, model: upstream, price }): Target[] =>
      price && model.modality === 'chat'
        ? [
            {
              provider,
              model: upstream,
              contextWindow: model.contextWindow,
              maxOutputTokens: model.maxOutputTokens,
              price,
            },
          ]
        : [],
    ),
  );
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];

  /** At most a token a byte of text, a small picture's tokens, some words around it all, and the answer that was asked for. */
  function mostReported(
    protocol: Protocol,
    sent: Loose,
  ): { input: number; output: number; hour: boolean; written: boolean } {
    const said = texts([sent['messages'], sent['input'], sent['instructions']]);
    const pictures = said.filter((one) => one.includes(PNG)).length;
    const limit = Number(sent['max_completion_tokens'] ?? sent['max_output_tokens'] ?? sent['max_tokens']);
    const json = JSON.stringify(sent);
    return {
      input:
        said.filter((one) => !one.includes(PNG)).reduce((sum, one) => sum + Buffer.byteLength(one), 0) +
        pictures * 4 +
        200,
      output: limit * Number(sent['n'] ?? 1),
      hour: json.includes('"ttl":"1h"'),
      written: protocol !== 'messages' || json.includes('"cache_control"'),
    };
  }

  it.each(['chat', 'responses', 'messages'] as const)(
    'on %s is charged as it is, and within what was held',
    (protocol) => {
      const shares = fc.record({
        used: fc.double({ min: 0, max: 1, noNaN: true }),
        read: fc.double({ min: 0, max: 1, noNaN: true }),
        written: fc.double({ min: 0, max: 1, noNaN: true }),
        hour: fc.double({ min: 0, max: 1, noNaN: true }),
        answered: fc.double({ min: 0, max: 1, noNaN: true }),
      });
      fc.assert(
        fc.property(
          bodies[protocol],
          fc.constantFrom(
            ...targets.filter(({ provider }) => (provider === 'anthropic') === (protocol === 'messages')),
          ),
          shares,
          (body, target, share) => {
            const { json, bound } = boundRequest(protocol, { model: target.model, ...body }, target);
            const most = mostReported(protocol, JSON.parse(json) as Loose);
            const inputTokens = Math.min(target.contextWindow, Math.round(most.input * share.used));
            const cacheReadTokens = Math.floor(inputTokens * share.read);
            const cacheWriteTokens = most.written ? Math.floor((inputTokens - cacheReadTokens) * share.written) : 0;
            const usage = {
              inputTokens,
              cacheReadTokens,
              cacheWriteTokens,
              cacheWriteHourTokens: most.hour ? Math.floor(cacheWriteTokens * share.hour) : 0,
              outputTokens: Math.round(most.output * share.answered),
            };
            expect(costOf(target.price, usage)).toBeLessThanOrEqual(holdFor(target.price, bound));
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it('for embeddings, of texts or of tokens', () => {
    const target = { ...TARGET, contextWindow: 8_191 };
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.array(text, { maxLength: 20 }),
          fc.array(fc.array(fc.nat(200_000), { maxLength: 50 }), { maxLength: 5 }),
        ),
        (given) => {
          const { bound } = boundEmbedding({ model: 'm', input: given }, target);
          const tokens = [given]
            .flat(2)
            .reduce<number>((sum, one) => sum + (typeof one === 'string' ? Buffer.byteLength(one) : 1), 0);
          expect(
            costOf(PRICE, { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }),
          ).toBeLessThanOrEqual(holdFor(PRICE, bound));
        },
      ),
      { numRuns: 200 },
    );
    expect(() => boundEmbedding({ model: 'm', input: 'x', truncate: 'END' }, target)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
