// What particular clients are known to send, on real sockets against providers that are as strict as the real ones.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';

let gateway: ChatGateway;
let member: Member;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
});

const OPENAI = 'openai/gpt-5-mini';
const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
type Loose = Readonly<Record<string, unknown>>;

const post = (path: string, body: unknown, headers: Record<string, string> = {}): ReturnType<typeof postText> =>
  postText(path, JSON.stringify(body), headers);

async function postText(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await member.token()}`, ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}
const sent = (): Loose => (gateway.upstream.requests.at(-1)?.json ?? {}) as Loose;

const TOOLS = [{ type: 'function', function: { name: 'read_note', parameters: { type: 'object' } } }];
const CALL = { id: 'call_1', type: 'function', function: { name: 'read_note', arguments: '{}' } };

describe('OpenAI’s Agents SDK on Chat Completions', () => {
  it.each([
    [ANTHROPIC, 'platform'],
    [ANTHROPIC, 'own-key'],
    ['openai/gpt-4o', 'platform'],
  ])('sends its calls back inside the text that was said beside them: %s, %s', async (model, credential) => {
    if (credential === 'own-key') await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
    const part = { type: 'text', text: 'Let me look.', role: 'assistant', refusal: null, tool_calls: [CALL] };
    const messages = [
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: [part], tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: 'heron' },
    ];
    expect((await post('/v1/chat/completions', { model, messages, tools: TOOLS })).status).toBe(200);
    if (model === ANTHROPIC)
      expect((sent()['messages'] as unknown[])[1]).toMatchObject({
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1' },
        ],
      });
  });
});

describe('caching of prompts on Anthropic', () => {
  const ROOM = { type: 'ephemeral' };
  const MARK = { mode: 'explicit' };
  const loop = [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: 'Let me look.', tool_calls: [CALL] },
    { role: 'tool', tool_call_id: 'call_1', content: 'heron' },
  ];
  const items = (part: Loose): Loose => ({
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'a', ...part }] }],
  });

  it.each([
    ['/v1/chat/completions', { messages: loop.slice(0, 1), prompt_cache_key: 'k' }, { cache_control: ROOM }],
    ['/v1/responses', { input: 'Hello', prompt_cache_key: 'k' }, { cache_control: ROOM }],
    // Marks of the client's own come first.
    [
      '/v1/responses',
      { ...items({ prompt_cache_breakpoint: MARK }), prompt_cache_key: 'k' },
      { messages: [{ content: [{ cache_control: ROOM }] }] },
    ],
    [
      '/v1/responses',
      items({ cache_control: { type: 'ephemeral', ttl: '1h' } }),
      { messages: [{ content: [{ cache_control: { ttl: '1h' } }] }] },
    ],
    ['/v1/chat/completions', { messages: loop, tools: TOOLS }, { cache_control: ROOM }],
  ])('%s %j', async (path, body, expected) => {
    gateway.upstream.respond({ text: 'Yes.' });
    expect((await post(path, { model: ANTHROPIC, ...body })).status).toBe(200);
    expect(sent()).toMatchObject(expected);
    if (!('cache_control' in expected)) expect(sent()).not.toHaveProperty('cache_control');
  });

  it('is not asked for where nothing is sent again, nor on an own key unless the client does', async () => {
    await post('/v1/chat/completions', { model: ANTHROPIC, messages: loop.slice(0, 1), tools: TOOLS });
    expect(sent()).not.toHaveProperty('cache_control');
    await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
    await post('/v1/chat/completions', { model: ANTHROPIC, messages: loop, tools: TOOLS });
    expect(sent()).not.toHaveProperty('cache_control');
  });
});

describe('Codex by its built-in provider', () => {
  const TOOL = { type: 'function', name: 'exec_command', parameters: { type: 'object' } };
  const talk = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Build it.' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Half is done.' }] },
  ];
  const ask = { tools: [TOOL], parallel_tool_calls: true, tool_choice: 'auto', store: false };
  /** The one item that it takes from the stream of a compaction. */
  const readItem = (text: string): Loose => {
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Loose);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Loose);
    const compactions = done.filter(({ type }) => type === 'compaction');
    expect(compactions).toEqual([
      { id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: expect.any(String) },
    ]);
    return compactions[0] ?? {};
  };

  it.each([
    ['OpenAI, on platform credit', OPENAI, async () => {}],
    ['OpenAI, on an own key', OPENAI, () => member.saveKey('openai', member.organization.defaultId, 'sk-own')],
    ['Anthropic, on platform credit', ANTHROPIC, async () => {}],
    [
      'a Models account',
      OPENAI,
      () => member.saveAccount(member.organization.defaultId, gateway.upstream.accountUrl, 'sk-account', ['*']),
    ],
  ])('compacts a conversation and goes on with what is left of it: %s', async (_where, model, prepare) => {
    await prepare();
    gateway.upstream.respond({ text: 'Half of the heron is built.' });
    const input = [...talk, { type: 'compaction_trigger' }];
    const compacted = await post('/v1/responses', { model, ...ask, input, stream: true });
    expect(compacted.status).toBe(200);
    const item = readItem(compacted.text);
    const next = [talk[0], item, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] }];
    expect((await post('/v1/responses', { model, ...ask, input: next })).status).toBe(200);
    const whole = await post('/v1/responses', { model, ...ask, input });
    expect(JSON.parse(whole.text)).toMatchObject({ output: [{ type: 'compaction' }] });
  });

  it('goes on with another provider’s model after a summary that was made here, not after one of OpenAI’s', async () => {
    gateway.upstream.respond({ text: 'Half of the heron is built.' });
    const input = [...talk, { type: 'compaction_trigger' }];
    const ours = readItem((await post('/v1/responses', { model: ANTHROPIC, ...ask, input, stream: true })).text);
    expect(sent()).toMatchObject({ tool_choice: { type: 'none' } });
    const after = (item: Loose): Loose => ({ ...ask, input: [item, { role: 'user', content: 'Go on.' }] });
    for (const model of [ANTHROPIC, OPENAI]) {
      expect((await post('/v1/responses', { model, ...after(ours) })).status).toBe(200);
      expect(JSON.stringify(sent())).toContain('Half of the heron is built.');
    }
    const theirs = readItem((await post('/v1/responses', { model: OPENAI, ...ask, input, stream: true })).text);
    const refused = await post('/v1/responses', { model: ANTHROPIC, ...after(theirs) });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('input.0.encrypted_content')]);
  });
});

it('a token without the scope for models is told which one it lacks, in the shape of each client', async () => {
  const headers = { authorization: `Bearer ${await member.token({ scopes: ['connect:read'] })}` };
  for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages']) {
    const { status, text } = await post(path, { model: OPENAI }, headers);
    const { error } = JSON.parse(text) as { error: { message: string } };
    expect([status, error.message]).toEqual([403, expect.stringContaining('lacks the scope chat.')]);
  }
});

it.each([false, true])('a refusal of an OpenAI model is one on Messages too, streamed: %s', async (stream) => {
  const [id, model, object] = ['chatcmpl-1', 'gpt-4o', 'chat.completion'];
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  const frames = [
    { choices: [{ index: 0, delta: { role: 'assistant', refusal: 'No.' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map((frame) => `data: ${JSON.stringify({ id, model, object: `${object}.chunk`, created: 1, ...frame })}\n\n`);
  const message = { role: 'assistant', content: null, refusal: 'No.' };
  const whole = { id, model, object, created: 1, choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  gateway.upstream.respond({
    status: 200,
    body: stream ? `${frames.join('')}data: [DONE]\n\n` : JSON.stringify(whole),
    headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
  });
  const body = { model: 'openai/gpt-4o', max_tokens: 50, messages: [{ role: 'user', content: 'Do it.' }], stream };
  const { status, text } = await post('/v1/messages', body);
  expect([status, text]).toEqual([200, expect.stringContaining('"stop_reason":"refusal"')]);
});

it('what is asked of the provider’s other endpoints is refused by their names', async () => {
  for (const path of [
    '/v1/conversations',
    '/v1/rerank',
    '/v1/containers',
    '/v1/skills',
    '/v1/responses/input_tokens',
  ]) {
    const { status, text } = await post(path, {});
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining('not served here')]);
  }
});

describe('a number beyond 2^53 in a schema', () => {
  const text = (surface: 'chat' | 'messages', model: string, more = ''): string => {
    const schema = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}';
    const tool =
      surface === 'chat'
        ? `{"type":"function","function":{"name":"f","parameters":${schema}}}`
        : `{"name":"f","input_schema":${schema}}`;
    return `{"model":"${model}","max_tokens":50,"messages":[{"role":"user","content":"Hi${more}"}],"tools":[${tool}]}`;
  };

  it.each([
    ['chat', 'openai/gpt-4o', ''],
    ['chat', ANTHROPIC, ''],
    ['messages', ANTHROPIC, ''],
    ['chat', 'openai/gpt-4o', 'a'.repeat(1_100_000)],
  ] as const)('keeps its digits: %s to %s', async (surface, model, more) => {
    await member.setCredit(1_000_000_000);
    const path = surface === 'chat' ? '/v1/chat/completions' : '/v1/messages';
    expect((await postText(path, text(surface, model, more))).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.body).toContain('"maximum":9223372036854775807}');
  });
});
