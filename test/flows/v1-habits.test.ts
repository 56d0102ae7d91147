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

const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
type Loose = Readonly<Record<string, unknown>>;

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await member.token()}`, ...headers },
    body: JSON.stringify(body),
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
