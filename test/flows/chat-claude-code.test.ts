// What Claude Code sends by default, and what Anthropic's client does by itself, on models of both providers and every
// credential.
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';

let gateway: ChatGateway;
let member: Member;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
});

const BETAS =
  'claude-code-20250219,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,context-management-2025-06-27,prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,effort-2025-11-24';
const CACHED = { cache_control: { type: 'ephemeral' } };
const REQUEST = {
  max_tokens: 32_000,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>Today is Monday.</system-reminder>' },
        { type: 'text', text: 'List the files.', ...CACHED },
      ],
    },
    { role: 'system', content: 'The directory is /work.' },
  ],
  system: [
    { type: 'text', text: 'You are a coding agent.' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command.',
      input_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
        additionalProperties: false,
      },
      eager_input_streaming: true,
    },
  ],
  metadata: {
    user_id: JSON.stringify({
      device_id: 'd'.repeat(64),
      account_uuid: '',
      session_id: '3f1b0c1e-3f52-4f3b-8f5e-6f2b8b9a1d2c',
    }),
  },
  thinking: { type: 'adaptive', display: 'summarized' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: true,
};

const CASES = [
  ['anthropic/claude-sonnet-5', 'platform'],
  ['anthropic/claude-sonnet-5', 'own-key'],
  ['openai/gpt-5', 'platform'],
  ['openai/gpt-5', 'own-key'],
  ['openai/gpt-5', 'models-account'],
] as const;

async function payWith(credential: (typeof CASES)[number][1]): Promise<void> {
  const workspace = member.organization.defaultId;
  if (credential === 'models-account')
    await member.saveAccount(workspace, gateway.upstream.accountUrl, 'sk-account', ['*']);
  if (credential === 'own-key')
    for (const [provider, key] of [
      ['openai', 'sk-own'],
      ['anthropic', 'sk-ant-own'],
    ] as const)
      await member.saveKey(provider, workspace, key);
}

describe.each(CASES)('on %s, paid by %s', (model, credential) => {
  it('Claude Code’s request is answered', async () => {
    await payWith(credential);
    gateway.upstream.respondByDefault({ toolCalls: [{ name: 'Bash', arguments: { command: 'ls' } }] });
    const answer = await fetch(`${gateway.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await member.token()}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': BETAS,
      },
      body: JSON.stringify({ model, ...REQUEST }),
    });
    const text = await answer.text();
    expect([answer.status, answer.headers.get('x-service-credential')], text).toEqual([200, credential]);
    expect(text).toContain('"name":"Bash"');
    const sent = await gateway.upstream.request(0);
    if (model.startsWith('anthropic/')) {
      const { max_tokens: _limit, ...rest } = REQUEST;
      expect(sent.json).toMatchObject({ ...rest, model: 'claude-sonnet-5' });
      return expect(sent.headers['anthropic-beta']).toBe(BETAS);
    }
    expect(sent.headers['anthropic-beta']).toBeUndefined();
    const body = sent.json as { messages: { role: string; content: unknown }[]; user: string };
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'system']);
    expect(body.messages.at(-1)).toEqual({ role: 'system', content: 'The directory is /work.' });
    expect(body.user).toMatch(/^[0-9a-f]{64}$/);
    const known = new Set([
      'model',
      'messages',
      'tools',
      'max_completion_tokens',
      'max_tokens',
      'reasoning_effort',
      'user',
      'stream',
      'stream_options',
    ]);
    expect(Object.keys(body).filter((field) => !known.has(field))).toEqual([]);
  });
});

describe.each([
  ['openai/gpt-5', 'platform'],
  ['openai/gpt-5', 'own-key'],
  ['openai/gpt-5', 'models-account'],
  ['anthropic/claude-sonnet-5', 'platform'],
] as const)('the tool runner of Anthropic’s client on %s, paid by %s', (model, credential) => {
  it.each([false, true])(
    'continues with the whole conversation where no thread is kept (stream: %s)',
    async (stream) => {
      await payWith(credential);
      gateway.upstream.respond({ toolCalls: [{ name: 'weather', arguments: { place: 'Basel' } }] });
      gateway.upstream.respond({ text: 'It is sunny in Basel.' });
      const client = new Anthropic({ baseURL: gateway.url, apiKey: await member.token(), maxRetries: 0 });
      const weather = betaTool({
        name: 'weather',
        description: 'The weather.',
        inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
        run: ({ place }: { place: string }) => `Sunny in ${place}`,
      });
      const runner = client.beta.messages.toolRunner({
        model,
        max_tokens: 1_000,
        stream,
        messages: [{ role: 'user', content: 'Weather in Basel?' }],
        tools: [weather],
      });
      const final = await runner.runUntilDone();
      expect(final.content).toMatchObject([{ type: 'text', text: 'It is sunny in Basel.' }]);
      const second = await gateway.upstream.request(1);
      for (const said of ['Weather in Basel?', 'Sunny in Basel', '"weather"']) expect(second.body).toContain(said);
      expect(gateway.upstream.requests.map(({ body }) => body).filter((body) => body.includes('"thread"'))).toEqual([]);
    },
  );
});

describe('a conversation that changes its provider', () => {
  it('continues from Anthropic’s model to OpenAI’s and back', async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: await member.token(), maxRetries: 0 });
    const tools = [
      {
        name: 'weather',
        description: 'The weather.',
        input_schema: { type: 'object' as const, properties: { place: { type: 'string' } } },
      },
    ];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather in Basel?' }];
    for (const [index, model] of ['anthropic/claude-sonnet-5', 'openai/gpt-5', 'anthropic/claude-sonnet-5'].entries()) {
      gateway.upstream.respond({ toolCalls: [{ name: 'weather', arguments: { place: `place ${index}` } }] });
      const { content } = await client.messages.create({ model, max_tokens: 1_000, messages, tools });
      const call = content.find((block) => block.type === 'tool_use');
      messages.push(
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'kept from elsewhere', signature: '' }, ...content],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: `sunny ${index}` }] },
      );
    }
    gateway.upstream.respond({ text: 'All sunny.' });
    expect(
      (await client.messages.create({ model: 'anthropic/claude-sonnet-5', max_tokens: 1_000, messages, tools }))
        .content,
    ).toMatchObject([{ type: 'text', text: 'All sunny.' }]);
    const { body } = await gateway.upstream.request(3);
    for (const said of ['sunny 0', 'sunny 1', 'sunny 2', 'place 1']) expect(body).toContain(said);
    expect(body).not.toContain('kept from elsewhere');
  });
});

it('an unknown field is refused by its name, as the client’s provider would', async () => {
  const token = await member.token();
  const post = async (path: string, body: object): Promise<unknown> =>
    (
      await fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  expect(
    await post('/v1/messages', {
      model: 'openai/gpt-5',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hi' }],
      mood: 'x',
    }),
  ).toMatchObject({ type: 'error', error: { message: 'mood: Extra inputs are not permitted' } });
  expect(
    await post('/v1/chat/completions', {
      model: 'anthropic/claude-sonnet-5',
      messages: [{ role: 'user', content: 'hi' }],
      mood: 'x',
    }),
  ).toMatchObject({ error: { code: 'unknown_parameter', param: 'mood', message: "Unknown parameter: 'mood'." } });
  expect(gateway.upstream.requests).toEqual([]);
});
