// What Codex sends, on every kind of model and credential: which tools the provider is offered, and how its calls
// come back.
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import { CODEX_HISTORY, CODEX_REQUESTS, SEALED_BY_OPENAI } from '../support/models/codex-requests.ts';

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

const OPENAI_MODEL = 'openai/gpt-5.5';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-4-5';
type Loose = Readonly<Record<string, unknown>>;
type Shape = keyof typeof CODEX_REQUESTS;

async function post(
  body: unknown,
  path = '/v1/responses',
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await member.token()}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const sent = (): Loose => (gateway.upstream.requests.at(-1)?.json ?? {}) as Loose;
/** Whatever was answered: a refusal shows its text. */
const ANSWERED = { status: 200, text: expect.any(String), headers: expect.anything() } as unknown;
const doneItems = (text: string): Loose[] =>
  [...text.matchAll(/^data: (\{"type":"response\.output_item\.done".*)$/gm)].map(
    ([, data]) => (JSON.parse(data ?? '{}') as { item: Loose }).item,
  );

const TRANSLATED: Readonly<Record<Shape, readonly string[]>> = {
  unknown: [
    'exec_command',
    'view_image',
    'multi_agent_v1__spawn_agent',
    'multi_agent_v1__wait_agent',
    'mcp__service__list_connections',
  ],
  searching: ['exec_command', 'apply_patch', 'tool_search'],
  lite: ['functions__exec', 'functions__wait', 'collaboration__spawn_agent', 'collaboration__wait_agent'],
};
const CALLS: Readonly<Record<Shape, { name: string; arguments: Loose; item: Loose }>> = {
  unknown: {
    name: 'multi_agent_v1__spawn_agent',
    arguments: { message: 'hi' },
    item: { type: 'function_call', namespace: 'multi_agent_v1', name: 'spawn_agent', arguments: '{"message":"hi"}' },
  },
  searching: {
    name: 'tool_search',
    arguments: { query: 'agents' },
    item: { type: 'tool_search_call', execution: 'client', arguments: { query: 'agents' } },
  },
  lite: {
    name: 'functions__exec',
    arguments: { input: 'text(1)\n' },
    item: { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: 'text(1)\n' },
  },
};
const SHAPES = Object.keys(CODEX_REQUESTS) as Shape[];

describe.each(SHAPES)('a request for tools of the shape "%s"', (shape) => {
  const request = CODEX_REQUESTS[shape];
  const leftOut = 'tools' in request ? 'web_search' : null;

  it.each(['platform', 'own-key'] as const)(
    'on OpenAI’s own protocol, paid by %s: is passed on as it is, except for what is not paid for',
    async (credential) => {
      if (credential === 'own-key') await member.saveKey('openai', member.organization.defaultId, 'sk-own');
      const answered = await post({ ...request, model: OPENAI_MODEL });
      expect([
        answered.status,
        answered.headers.get('x-service-credential'),
        answered.headers.get('x-service-left-out'),
      ]).toEqual([200, credential, credential === 'platform' ? leftOut : null]);
      const tools =
        'tools' in request
          ? request.tools.filter(({ type }) => credential !== 'platform' || type !== 'web_search')
          : undefined;
      expect(sent()['tools']).toEqual(tools);
      expect(sent()['input']).toEqual(request.input);
      expect(await post({ ...request, model: OPENAI_MODEL, input: [...request.input, ...CODEX_HISTORY] })).toEqual(
        ANSWERED,
      );
    },
  );

  it.each([
    ['Anthropic, on platform credit', ANTHROPIC_MODEL, async () => {}],
    [
      'Anthropic, on a key of the organization',
      ANTHROPIC_MODEL,
      () => member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own'),
    ],
    [
      'a Models account',
      OPENAI_MODEL,
      () => member.saveAccount(member.organization.defaultId, gateway.upstream.accountUrl, 'sk-account', ['*']),
    ],
  ])('on %s: becomes functions, and calls come back as Codex knows them', async (_where, model, prepare) => {
    await prepare();
    const { name, arguments: given, item } = CALLS[shape];
    gateway.upstream.respond({ toolCalls: [{ name, arguments: given }] });
    const answered = await post({ ...request, model });
    expect([answered.status, answered.headers.get('x-service-left-out')]).toEqual([200, leftOut]);
    const tools = sent()['tools'] as { name?: string; function?: { name: string } }[];
    expect(tools.map((tool) => tool.function?.name ?? tool.name)).toEqual(TRANSLATED[shape]);
    const called = doneItems(answered.text).find(({ type }) => type === item['type']) ?? {};
    expect(called).toMatchObject({ ...item, call_id: expect.any(String) });

    const output =
      item['type'] === 'tool_search_call'
        ? {
            type: 'tool_search_output',
            call_id: called['call_id'],
            execution: 'client',
            status: 'completed',
            tools: [],
          }
        : {
            type: item['type'] === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
            call_id: called['call_id'],
            output: 'done',
          };
    expect(
      await post({
        ...request,
        model,
        input: [...request.input, ...doneItems(answered.text), output, ...CODEX_HISTORY],
      }),
    ).toEqual(ANSWERED);
    expect(JSON.stringify(sent()['messages'])).not.toContain(SEALED_BY_OPENAI);
  });

  it('on Anthropic, read whole, comes back the same', async () => {
    const { name, arguments: given, item } = CALLS[shape];
    gateway.upstream.respond({ toolCalls: [{ name, arguments: given }] });
    const answered = await post({ ...request, model: ANTHROPIC_MODEL, stream: false });
    expect(JSON.parse(answered.text)).toMatchObject({ output: [item] });
  });
});

describe('tools of the provider’s, on a model of another protocol', () => {
  const body = {
    model: ANTHROPIC_MODEL,
    input: 'x',
    tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: { type: 'object' } }],
  };
  beforeEach(() => member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own'));

  it('are left out and named on a key of one’s own too', async () => {
    const answered = await post(body);
    expect([
      answered.status,
      answered.headers.get('x-service-credential'),
      answered.headers.get('x-service-left-out'),
    ]).toEqual([200, 'own-key', 'web_search']);
    const chat = await post(
      { model: ANTHROPIC_MODEL, messages: [{ role: 'user', content: 'x' }], web_search_options: {} },
      '/v1/chat/completions',
    );
    expect([chat.status, chat.headers.get('x-service-left-out')]).toEqual([200, 'web_search_options']);
  });

  it('leave room for a long answer where none is bounded: longer where it is streamed', async () => {
    await post(body);
    expect(sent()['max_tokens']).toBe(8_192);
    await post({ ...body, stream: true });
    expect(sent()['max_tokens']).toBe(32_000);
  });

  it('are refused where the choice demands one', async () => {
    const refused = await post({ ...body, tool_choice: { type: 'web_search_preview' } });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      'tool_choice: asks for web_search_preview, which the provider runs: it is not available for this model',
    );
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('custom tools of the openai client, on an Anthropic model', () => {
  const tools: OpenAI.Chat.ChatCompletionTool[] = [
    { type: 'custom', custom: { name: 'sql', description: 'Runs SQL.' } },
  ];

  it('are called with text, streamed and whole', async () => {
    gateway.upstream.respondByDefault({ toolCalls: [{ name: 'sql', arguments: { input: 'SELECT "1"\n' } }] });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: await member.token(), maxRetries: 0 });
    const asked = {
      model: ANTHROPIC_MODEL,
      messages: [{ role: 'user' as const, content: 'go' }],
      tools,
      tool_choice: { type: 'custom' as const, custom: { name: 'sql' } },
    };
    const whole = await client.chat.completions.create(asked);
    const call = { type: 'custom', custom: { name: 'sql', input: 'SELECT "1"\n' } };
    expect(whole.choices[0]?.message.tool_calls).toMatchObject([call]);
    expect(sent()['tool_choice']).toEqual({ type: 'tool', name: 'sql' });
    let input = '';
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true }))
      for (const part of chunk.choices[0]?.delta.tool_calls ?? [])
        input += (part as { custom?: { input?: string } }).custom?.input ?? '';
    expect(input).toBe('SELECT "1"\n');
    const [first] = whole.choices[0]?.message.tool_calls ?? [];
    if (!first) throw new Error('no call');
    gateway.upstream.respond({ text: 'One.' });
    const after = await client.chat.completions.create({
      ...asked,
      tool_choice: 'auto',
      messages: [
        ...asked.messages,
        { role: 'assistant', tool_calls: [first] },
        { role: 'tool', tool_call_id: first.id, content: '1' },
      ],
    });
    expect(after.choices[0]?.message.content).toBe('One.');
  });
});
