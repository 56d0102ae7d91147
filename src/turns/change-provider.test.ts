// A conversation with reasoning and tool calls goes on with another provider, on every surface: what the client keeps
// of an answer and sends back is something that the next provider takes, and nothing that was said is lost.
import { describe, expect, it } from 'vitest';
import { loadModels } from '../catalog/load-models.ts';
import { findModel } from '../catalog/model-catalog.ts';
import { encodeResponse } from '../model-providers/codecs/encode-answer.ts';
import type { NeutralResponse, OutputPart, Protocol } from '../model-providers/codecs/neutral.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import type { Credential } from './decide-turn.ts';
import { buildProviderRequest } from './address-request.ts';

const catalog = loadModels(undefined);
const URLS = { openai: 'https://openai.test', anthropic: 'https://anthropic.test' };
const CREDENTIALS = {
  'own key': { kind: 'own-key', key: 'k' },
  'platform credit': { kind: 'platform', key: 'k' },
  'a Models account': {
    kind: 'models-account',
    protocol: 'chat',
    auth: 'bearer',
    baseUrl: 'https://account.test/v1',
    key: 'k',
    takesEffort: false,
  },
} as const satisfies Record<string, Credential>;

function send(surface: Protocol, body: Loose, id: string, credential: Credential = CREDENTIALS['own key']): Loose {
  const model = findModel(catalog, id);
  const declared = model?.providers[0];
  if (!model || !declared) throw new Error(`the catalogue has no ${id}`);
  const route = {
    model,
    provider: declared.provider,
    upstreamModel: declared.model,
    credential,
    declared: credential.kind === 'models-account' ? undefined : declared,
  };
  return JSON.parse(String(buildProviderRequest(route, { surface, body, betas: [] }, URLS).upstream.body)) as Loose;
}

const CALL: OutputPart = { type: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"place":"Basel"}' };
const ANSWERS = {
  signed: [
    { type: 'reasoning', text: 'Let me look.', signature: 'c2lnbmVk' },
    { type: 'reasoning', text: '', redacted: 'cmVkYWN0ZWQ' },
    { type: 'text', text: 'One moment.' },
    CALL,
  ],
  unsigned: [{ type: 'reasoning', text: 'Let me look.' }, { type: 'text', text: 'One moment.' }, CALL],
} as const satisfies Record<string, readonly OutputPart[]>;

/** The next request of a client that keeps all of an answer and answers its call. */
function continued(surface: Protocol, parts: readonly OutputPart[]): Loose {
  const response: NeutralResponse = { id: 'x', model: 'm', parts, finish: 'tool-calls' };
  const answer = JSON.parse(
    encodeResponse(surface, response, { key: 'k1', model: 'm', createdSeconds: 1, includeUsage: false, request: {} }),
  ) as Loose;
  const schema = { type: 'object', properties: { place: { type: 'string' } } };
  switch (surface) {
    case 'chat': {
      const [{ message }] = answer['choices'] as [{ message: Loose }];
      return {
        model: 'm',
        max_completion_tokens: 9_000,
        messages: [
          { role: 'user', content: 'Weather?' },
          message,
          { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
        ],
        tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      };
    }
    case 'messages':
      return {
        model: 'm',
        max_tokens: 9_000,
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: answer['content'] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny.' }] },
        ],
        tools: [{ name: 'weather', input_schema: schema }],
      };
    case 'responses':
      return {
        model: 'm',
        max_output_tokens: 9_000,
        store: false,
        include: ['reasoning.encrypted_content'],
        input: [
          { role: 'user', content: 'Weather?' },
          ...(answer['output'] as Loose[]),
          { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
        ],
        tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }],
      };
  }
}

const SURFACES = ['chat', 'messages', 'responses'] as const;
const OPENAI = 'openai/gpt-4o';
const ANTHROPIC = 'anthropic/claude-sonnet-4-5';

const blocksOf = (body: Loose): Loose[] =>
  (body['messages'] as { content: unknown }[]).flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(isObject) : [],
  );

describe.each(SURFACES)('on %s', (surface) => {
  it.each(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])(
    'an answer of Anthropic’s is continued by OpenAI’s model, paid by %s',
    (paid) => {
      const body = send(surface, continued(surface, ANSWERS.signed), OPENAI, CREDENTIALS[paid]);
      const text = JSON.stringify(body);
      // An account is asked in Chat Completions as it is: reasoning of its own answers is its own affair.
      if (!(paid === 'a Models account' && surface === 'chat'))
        for (const foreign of ['c2lnbmVk', 'cmVkYWN0ZWQ', 'Let me look.', 'reasoning_content', '"type":"reasoning"'])
          expect(text).not.toContain(foreign);
      for (const said of ['Weather?', 'One moment.', 'weather', 'Basel', 'Sunny.']) expect(text).toContain(said);
    },
  );

  it.each(['own key', 'platform credit'] as const)(
    'an answer of another provider is continued by Anthropic’s model, paid by %s',
    (paid) => {
      const body = send(surface, continued(surface, ANSWERS.unsigned), ANTHROPIC, CREDENTIALS[paid]);
      expect(blocksOf(body).map(({ type }) => type)).not.toContain('thinking');
      const text = JSON.stringify(body);
      for (const said of ['Weather?', 'One moment.', 'weather', 'Basel', 'Sunny.']) expect(text).toContain(said);
    },
  );

  it.each(['own key', 'platform credit'] as const)(
    'an answer of Anthropic’s comes back to it with all of its thinking, paid by %s',
    (paid) => {
      const body = send(surface, continued(surface, ANSWERS.signed), ANTHROPIC, CREDENTIALS[paid]);
      expect((body['messages'] as Loose[])[1]).toMatchObject({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmVk' },
          { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ' },
          { type: 'text', text: 'One moment.' },
          { type: 'tool_use', name: 'weather', input: { place: 'Basel' } },
        ],
      });
    },
  );
});

describe('a body that is passed on', () => {
  it('loses a message that was nothing but foreign thinking, and counts as it is sent', () => {
    const model = findModel(catalog, ANTHROPIC);
    const declared = model?.providers[0];
    if (!model || !declared) throw new Error('no model');
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: '' }] },
        { role: 'user', content: 'b' },
      ],
    };
    const request = buildProviderRequest(
      { model, provider: 'anthropic', upstreamModel: declared.model, credential: CREDENTIALS['own key'], declared },
      { surface: 'count', body, betas: [] },
      URLS,
    );
    expect((JSON.parse(String(request.upstream.body)) as Loose)['messages']).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
  });

  it('keeps reasoning of OpenAI’s own', () => {
    const input = [
      { type: 'reasoning', id: 'rs_0a1b2c', summary: [] },
      { type: 'reasoning', id: 'rs_0d4e5f', summary: [], encrypted_content: 'gAAAA' },
      { type: 'message', id: 'msg_0a', role: 'assistant', content: 'x' },
    ];
    expect(send('responses', { model: 'm', input }, OPENAI)['input']).toEqual(input);
  });

  it('takes it out of the text of an answer too', () => {
    const text = { type: 'text', text: 'b', role: 'assistant' };
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ ...text, reasoning_content: 'c', reasoning_details: [] }] },
    ];
    expect(send('chat', { model: 'm', messages }, OPENAI)['messages']).toEqual([
      messages[0],
      { role: 'assistant', content: [text] },
    ]);
  });

  it('leaves an account the reasoning of its own answers', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning_content: 'c' },
    ];
    expect(send('chat', { model: 'm', messages }, OPENAI, CREDENTIALS['a Models account'])['messages']).toEqual(
      messages,
    );
  });
});
