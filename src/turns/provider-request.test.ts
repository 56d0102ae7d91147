// Walks every cell of the field table through the real builder: what the table says happens.
import type {
  BetaContentBlockParam,
  BetaCacheControlEphemeral,
  BetaContextManagementConfig,
  BetaMessageParam,
  BetaOutputConfig,
  BetaThinkingConfigParam,
  BetaTool,
  BetaToolResultBlockParam,
  BetaToolUnion,
  MessageCreateParams,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import type {
  FunctionTool,
  ResponseCreateParams,
  ResponseFunctionToolCall,
  ResponseInputContent,
  ResponseInputItem,
  Tool,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  CHAT_SAMPLES,
  EMBEDDING_SAMPLES,
  KIND,
  MARK,
  MESSAGES_SAMPLES,
  RESPONSES_SAMPLES,
  type Sample,
} from '../../test/support/models/field-samples.ts';
import { AppError } from '../base/errors.ts';
import { loadModels } from '../catalog/load-models.ts';
import { findModel } from '../catalog/model-catalog.ts';
import { type Cell, type Target, TARGETS } from '../model-providers/codecs/fields/cells.ts';
import { FIELD_TABLE } from '../model-providers/codecs/fields/field-table.ts';
import type { Rows as FieldRows, Section } from '../model-providers/codecs/fields/rows.ts';
import type { Protocol } from '../model-providers/codecs/neutral.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import type { Credential, Route } from './decide-turn.ts';
import { buildProviderRequest } from './address-request.ts';

const catalog = loadModels(undefined);
const URLS = { openai: 'https://openai.test', anthropic: 'https://anthropic.test' };
const MODELS: Readonly<Record<Target, string>> = {
  openai: 'openai/gpt-4o',
  anthropic: 'anthropic/claude-sonnet-4-5',
  account: 'openai/gpt-4o',
};

function routeTo(
  target: Target,
  id: string = MODELS[target],
  credential: Credential = { kind: 'own-key', key: 'k' },
): Route {
  const model = findModel(catalog, id);
  const declared = model?.providers[0];
  if (!model || !declared) throw new Error(`the catalogue has no ${id}`);
  const account = target === 'account';
  return {
    model,
    provider: declared.provider,
    upstreamModel: declared.model,
    credential: account
      ? {
          kind: 'models-account',
          protocol: 'chat',
          auth: 'bearer',
          baseUrl: 'https://account.test/v1',
          key: 'k',
          takesEffort: false,
        }
      : credential,
    declared: account ? undefined : declared,
  };
}

const sent = (surface: Protocol | 'embeddings', route: Route, body: Loose): Loose => {
  const { upstream } =
    surface === 'embeddings'
      ? buildProviderRequest(route, { surface: 'embedding', body }, URLS)
      : buildProviderRequest(route, { surface, body, betas: [] }, URLS);
  return JSON.parse(String(upstream.body)) as Loose;
};

function refusalOf(work: () => unknown): Loose {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
  return {};
}

interface Walked {
  readonly surface: Protocol | 'embeddings';
  readonly section: Section;
  readonly at: string;
  readonly put: (thing?: Loose, target?: Target) => Loose;
  readonly name: string;
  readonly sample: Sample;
}

const PLACES = {
  chat: CHAT_SAMPLES,
  responses: RESPONSES_SAMPLES,
  messages: MESSAGES_SAMPLES,
  embeddings: EMBEDDING_SAMPLES,
};

const CELLS = Object.entries(PLACES).flatMap(([surface, places]) =>
  Object.entries(places).flatMap(([key, place]) => {
    const { at, put, samples } = place as {
      at: string;
      put: Walked['put'];
      samples: Record<string, Sample | typeof KIND>;
    };
    const section = (FIELD_TABLE[surface as Walked['surface']] as Readonly<Record<string, Section>>)[key];
    if (section === undefined) throw new Error(`no section ${key}`);
    return Object.entries(samples).flatMap(([name, sample]) => {
      const cells = section.rows[name];
      if (sample === KIND || cells === undefined) return [];
      return TARGETS.map((target): [string, string, string, Target, Cell, Walked] => [
        surface,
        section.title,
        name,
        target,
        cells[target],
        { surface: surface as Walked['surface'], section, at, put, name, sample },
      ]);
    });
  }),
);

/** The body with the sample, and the same without. */
function bodies(
  { section, put, name, sample }: Walked,
  target: Target,
  value: unknown = sample.value,
): { with: Loose; without: Loose } {
  const beside = sample.beside ?? {};
  if (section.kinds === undefined)
    return { with: { ...put({ [name]: value }, target), ...beside }, without: { ...put({}, target), ...beside } };
  return { with: put(value as Loose, target), without: put() };
}

const hasMark = (value: unknown): boolean => JSON.stringify(value).includes(MARK);

describe('every cell of the field table', () => {
  it.each(CELLS.filter(([surface, , , target]) => surface !== 'embeddings' || target !== 'anthropic'))(
    '%s, %s, %s to %s',
    (_surface, _title, _name, target, cell, walked) => {
      const { surface, section, at, name, sample } = walked;
      const id = sample.models?.[target === 'account' ? 'openai' : target];
      const route =
        surface === 'embeddings' ? { ...routeTo(target, 'openai/text-embedding-3-small') } : routeTo(target, id);
      const body = bodies(walked, target);
      const place = section.kinds === undefined ? [at, name].filter(Boolean).join('.') : `${at}.${section.kinds.field}`;
      switch (cell.does) {
        case 'passed': {
          // The name of the limit depends on the model: every-model.test.ts.
          const { model: _model, stream_options: _options, max_tokens: limit, ...rest } = body.with;
          return expect(sent(surface, route, body.with)).toMatchObject(
            name === 'max_tokens' ? { ...rest, max_tokens: limit } : rest,
          );
        }
        case 'translated': {
          const after = sent(surface, route, body.with);
          expect(after).not.toEqual(sent(surface, route, body.without));
          // The result begins with the field that is sent, unless the sample may become an instruction.
          const [, written] = /^(?!.*an instruction)(?:\w+\.)*(\w*_\w+)\b/.exec(cell.note) ?? [];
          expect(JSON.stringify(after)).toContain(written === undefined ? '' : `"${written}"`);
          return expect(hasMark(after)).toBe(hasMark(body.with));
        }
        case 'left out':
          return expect(sent(surface, route, body.with)).toEqual(sent(surface, route, body.without));
        case 'refused': {
          expect(refusalOf(() => sent(surface, route, body.with))).toEqual({ [place]: cell.note });
          expect('fine' in sample).toBe(cell.unless !== undefined);
          return (
            cell.unless &&
            expect(sent(surface, route, bodies(walked, target, sample.fine).with)).toEqual(
              sent(surface, route, body.without),
            )
          );
        }
      }
    },
  );

  it('Anthropic has no embedding models', () => {
    expect(
      catalog.models.filter(
        ({ modality, providers }) =>
          modality === 'embedding' && providers.some(({ provider }) => provider === 'anthropic'),
      ),
    ).toEqual([]);
  });
});

describe('the table is complete', () => {
  type Keys<Union> = Union extends unknown ? keyof Union : never;
  type Rows<
    Surface extends keyof typeof FIELD_TABLE,
    Name extends keyof (typeof FIELD_TABLE)[Surface],
  > = (typeof FIELD_TABLE)[Surface][Name] extends { rows: infer All } ? keyof All : never;
  type Kind<Union> = Union extends { type?: infer Type } ? Extract<Type, string> : never;

  it('names every field and kind that the official clients know', () => {
    expectTypeOf<Exclude<Keys<MessageCreateParams>, Rows<'messages', 'request'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<BetaContentBlockParam>, Rows<'messages', 'block'>>>().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaContentBlockParam, { type: 'text' }>>, Rows<'messages', 'textBlock'>>
    >().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaContentBlockParam, { type: 'image' }>>, Rows<'messages', 'imageBlock'>>
    >().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaContentBlockParam, { type: 'document' }>>, Rows<'messages', 'documentBlock'>>
    >().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaContentBlockParam, { type: 'search_result' }>>, Rows<'messages', 'searchResultBlock'>>
    >().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaContentBlockParam, { type: 'tool_use' }>>, Rows<'messages', 'toolUseBlock'>>
    >().toBeNever();
    expectTypeOf<Exclude<Keys<BetaToolResultBlockParam>, Rows<'messages', 'toolResultBlock'>>>().toBeNever();
    expectTypeOf<
      Exclude<
        Kind<Exclude<NonNullable<BetaToolResultBlockParam['content']>, string>[number]>,
        Rows<'messages', 'resultBlock'>
      >
    >().toBeNever();
    expectTypeOf<Exclude<BetaMessageParam['role'], Rows<'messages', 'message'>>>().toBeNever();
    expectTypeOf<
      Exclude<Keys<Extract<BetaMessageParam, { role: 'system' }>>, Rows<'messages', 'systemMessage'>>
    >().toBeNever();
    expectTypeOf<Exclude<Kind<BetaToolUnion>, Rows<'messages', 'tool'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<BetaTool>, Rows<'messages', 'customTool'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<BetaThinkingConfigParam>, Rows<'messages', 'thinking'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<BetaOutputConfig>, Rows<'messages', 'outputConfig'>>>().toBeNever();
    expectTypeOf<
      Exclude<Kind<NonNullable<BetaContextManagementConfig['edits']>[number]>, Rows<'messages', 'edit'>>
    >().toBeNever();
    expectTypeOf<Keys<BetaCacheControlEphemeral>>().toEqualTypeOf<'type' | 'ttl'>();

    expectTypeOf<Exclude<Keys<ChatCompletionCreateParams>, Rows<'chat', 'request'>>>().toBeNever();
    expectTypeOf<Exclude<ChatCompletionMessageParam['role'], Rows<'chat', 'message'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<ChatCompletionAssistantMessageParam>, Rows<'chat', 'assistant'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<ChatCompletionContentPart>, Rows<'chat', 'part'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<ChatCompletionTool>, Rows<'chat', 'tools'>>>().toBeNever();

    expectTypeOf<Exclude<Keys<ResponseCreateParams>, Rows<'responses', 'request'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<ResponseInputItem>, Rows<'responses', 'item'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<ResponseInputContent>, Rows<'responses', 'part'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<ResponseFunctionToolCall>, Rows<'responses', 'functionCall'>>>().toBeNever();
    expectTypeOf<Exclude<Kind<Tool>, Rows<'responses', 'tool'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<FunctionTool>, Rows<'responses', 'functionTool'>>>().toBeNever();
    expectTypeOf<Exclude<Keys<Reasoning>, Rows<'responses', 'reasoningConfig'>>>().toBeNever();

    expectTypeOf<Exclude<Keys<EmbeddingCreateParams>, Rows<'embeddings', 'request'>>>().toBeNever();
  });

  it('gives a reason for everything left out or refused, and a result for everything translated', () => {
    const cells = Object.values(FIELD_TABLE).flatMap((sections) =>
      Object.values<Section>(sections).flatMap(({ rows }) =>
        Object.values(rows).flatMap((row) => TARGETS.map((target) => row[target])),
      ),
    );
    expect(cells.filter(({ does, note }) => does !== 'passed' && note === '')).toEqual([]);
  });

  it('reaches every section from the body', () => {
    for (const sections of Object.values(FIELD_TABLE)) {
      const reached = new Set<Section>();
      const walk = (section: Section): void => {
        reached.add(section);
        for (const { holds } of Object.values(section.rows)) if (holds && !reached.has(holds)) walk(holds);
      };
      walk(sections.request);
      expect(
        Object.values<Section>(sections)
          .filter((section) => !reached.has(section))
          .map(({ title }) => title),
      ).toEqual([]);
    }
  });
});

describe('a field that no table names', () => {
  const BODIES: Readonly<Record<Protocol, Loose>> = {
    chat: {
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', mood: 'x' }] }],
      some_new_field: 1,
    },
    responses: {
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi', mood: 'x' }] }],
      some_new_field: 1,
    },
    messages: {
      model: 'm',
      max_tokens: 5,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', mood: 'x' }] }],
      some_new_field: 1,
    },
  };

  it.each([
    ['chat', 'openai'],
    ['chat', 'account'],
    ['responses', 'openai'],
    ['messages', 'anthropic'],
  ] as const)('%s is passed on to %s', (surface, target) => {
    const { model: _model, ...rest } = BODIES[surface];
    expect(sent(surface, routeTo(target), BODIES[surface])).toMatchObject(rest);
  });

  it.each([
    ['chat', 'anthropic'],
    ['responses', 'anthropic'],
    ['responses', 'account'],
    ['messages', 'openai'],
    ['messages', 'account'],
  ] as const)('%s is refused by its name for %s', (surface, target) => {
    expect(Object.keys(refusalOf(() => sent(surface, routeTo(target), BODIES[surface]))).sort()).toEqual([
      surface === 'responses' ? 'input.0.content.0.mood' : 'messages.0.content.0.mood',
      'some_new_field',
    ]);
    expect(() => sent(surface, routeTo(target), BODIES[surface])).toThrow(
      expect.objectContaining({ code: 'unknown_parameter' }),
    );
  });
});

it.each([
  ['openai/gpt-4o', 'this model takes at most 4 stop sequences'],
  ['openai/gpt-5', 'this model takes no stop sequences'],
])('%s refuses a field by the name that the client wrote', (id, why) => {
  const stop_sequences = ['a', 'b', 'c', 'd', 'e'];
  const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], stop_sequences };
  expect(refusalOf(() => sent('messages', routeTo('openai', id), body))).toEqual({ stop_sequences: why });
});

describe('where the provider must keep nothing', () => {
  const surfaces = ['chat', 'responses', 'messages'] as const;
  const ROWS = surfaces.flatMap((surface) =>
    Object.entries(FIELD_TABLE[surface].request.rows as FieldRows).flatMap(([name, { kept }]) =>
      kept ? [[surface, name, kept] as const] : [],
    ),
  );
  /** Asks for more than nothing. */
  const ASKED: Readonly<Record<string, unknown>> = {
    store: true,
    metadata: { ticket: '7' },
    prompt_cache_retention: '24h',
    prompt_cache_options: { mode: 'implicit', ttl: '12h' },
    background: true,
    conversation: 'conv_1',
    container: 'container_1',
    thread: { type: 'create' },
  };
  const FINE: Readonly<Record<string, unknown>> = {
    store: false,
    prompt_cache_retention: 'in_memory',
    prompt_cache_options: { mode: 'implicit', ttl: '30m' },
    background: false,
  };
  const BODIES = {
    chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
    responses: { model: 'm', input: 'hi' },
    messages: { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
  };
  const own = (surface: Protocol): Route => routeTo(surface === 'messages' ? 'anthropic' : 'openai');
  const ROUTES: [string, (surface: Protocol) => Route][] = [
    ['platform credit', (surface) => ({ ...own(surface), credential: { kind: 'platform', key: 'k' } })],
    ['Require ZDR and an own key', (surface) => ({ ...own(surface), requireZdr: true })],
  ];

  it.each(ROWS.flatMap((row) => ROUTES.map((route) => [...row, ...route] as const)))(
    '%s.%s on %4$s',
    (surface, name, kept, _where, to) => {
      const body: Loose = BODIES[surface];
      const asked = { ...body, [name]: ASKED[name] };
      expect(ASKED).toHaveProperty(name);
      // Otherwise it passes: the table does not speak of a field that never arrives.
      expect(JSON.stringify(sent(surface, own(surface), asked))).toContain(JSON.stringify(ASKED[name]));
      if (kept.does === 'refused')
        return expect(refusalOf(() => sent(surface, to(surface), asked))).toEqual({ [name]: expect.any(String) });
      const after = sent(surface, to(surface), asked);
      expect(after[name]).toEqual(kept.does === 'sent as' ? kept.value : undefined);
      if (kept.does === 'sent as') return expect(sent(surface, to(surface), body)[name]).toEqual(kept.value);
      return (
        kept.unless && expect(sent(surface, to(surface), { ...body, [name]: FINE[name] })[name]).toEqual(FINE[name])
      );
    },
  );

  it('a Models account is not asked to keep anything under Require ZDR', () => {
    const after = sent('chat', { ...routeTo('account'), requireZdr: true }, { ...BODIES.chat, store: true });
    expect(after).not.toHaveProperty('store');
  });

  it('names what it left out', () => {
    const body = { ...BODIES.chat, store: true, prompt_cache_retention: '24h' };
    const { leftOut } = buildProviderRequest(
      { ...own('chat'), requireZdr: true },
      { surface: 'chat', body, betas: [] },
      URLS,
    );
    expect(leftOut).toEqual(['store', 'prompt_cache_retention']);
  });

  it('refuses Anthropic’s switches for stored objects under Require ZDR, and no others', () => {
    const build = (betas: string[]): unknown =>
      buildProviderRequest(
        { ...own('messages'), requireZdr: true },
        { surface: 'messages', body: BODIES.messages, betas },
        URLS,
      );
    expect(refusalOf(() => build(['files-api-2025-04-14', 'context-1m-2025-08-07']))).toEqual({
      'anthropic-beta': expect.stringMatching(/under Require ZDR: files-api-2025-04-14 \([^,]*\)$/) as string,
    });
    expect(refusalOf(() => build(['context-1m-2025-08-07']))).toEqual({});
  });
});

describe('on platform credit', () => {
  const platform = { kind: 'platform', key: 'k' } as const;

  it('a prefix that a Chat Completions client marks for caching is held at the cache write price', () => {
    const said = ({ prompt_cache_key: key, ...more }: Loose): Loose => ({
      model: 'm',
      prompt_cache_key: key,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...more }] }],
    });
    const bound = (more: Loose): unknown =>
      buildProviderRequest(
        routeTo('anthropic', undefined, platform),
        { surface: 'chat', body: said(more), betas: [] },
        URLS,
      ).bound?.cacheWrites;
    expect([
      bound({}),
      bound({ cache_control: { type: 'ephemeral' } }),
      bound({ cache_control: { type: 'ephemeral', ttl: '1h' } }),
      bound({ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }),
      bound({ prompt_cache_key: 'k' }),
    ]).toEqual(['none', 'short', 'hour', 'hour', 'short']);
  });

  it('a thread is refused before its beta switch', () => {
    const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], thread: { type: 'create' } };
    expect(() =>
      buildProviderRequest(
        routeTo('anthropic', undefined, platform),
        { surface: 'messages', body, betas: ['message-threads-2026-08-12'] },
        URLS,
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid_request', details: { thread: expect.any(String) as string } }));
    expect(
      buildProviderRequest(
        routeTo('anthropic'),
        { surface: 'messages', body, betas: ['message-threads-2026-08-12'] },
        URLS,
      ).upstream.headers,
    ).toMatchObject({ 'anthropic-beta': 'message-threads-2026-08-12' });
  });
});
