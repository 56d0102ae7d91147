import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../../../test/support/http/chat-gateway.ts';
import { type LargeJson, watchLargeJson } from '../../../test/support/models/large-json.ts';

let gateway: ChatGateway;
let member: Member;
let token: string;
let json: LargeJson;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
  token = await member.token();
  for (const provider of ['openai', 'anthropic'])
    await member.saveKey(provider, member.organization.defaultId, `sk-${provider}`);
  json = watchLargeJson();
});
afterEach(() => json.stop());

const OPENAI = 'openai/gpt-5-mini';
const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
const LONG = 'Grüße "世界" \\ 🌍 '.repeat(60_000);
/** A text as a failure can show it. */
const short = (text: string): string => text.replaceAll(LONG, 'LONG');

async function post(path: string, body: unknown): Promise<{ status: number; headers: Headers; body: Answer }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

type Answer = Readonly<Record<string, unknown>> & { readonly id: string; readonly error?: { message: string } };
/** What the provider got. */
const sent = (index = -1): Record<string, unknown> =>
  gateway.upstream.requests.at(index)?.json as Record<string, unknown>;
/** Its texts, in whatever protocol. */
function texts(index = -1): string[] {
  const { input = [], messages = [] } = sent(index) as Record<'input' | 'messages', { content: unknown }[]>;
  return [...input, ...messages]
    .flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : ((content ?? []) as { text?: string }[]).flatMap(({ text }) => text ?? []),
    )
    .map(short);
}

describe.each([OPENAI, ANTHROPIC])('for %s', (model) => {
  it('a large conversation reaches the provider whole, and no large JSON is read or written here', async () => {
    const messages = [{ role: 'user', content: LONG }];
    for (const [path, body] of [
      ['/v1/chat/completions', { model, messages }],
      ['/v1/messages', { model, messages, max_tokens: 100 }],
      ['/v1/responses', { model, input: messages, store: false }],
    ] as const) {
      const { status, body: answer } = await post(path, body);
      expect([path, status, answer.error ?? undefined, texts()]).toEqual([path, 200, undefined, ['LONG']]);
    }
    expect(json.seen).toEqual([]);
  });

  it('a stored response with a large input is continued, and its items can be referred to', async () => {
    gateway.upstream.respond({ text: 'One.' });
    const input = [{ role: 'user', content: LONG }];
    const first = await post('/v1/responses', { model, input, metadata: { a: 'b' } });
    expect(first.body['metadata']).toEqual(model === OPENAI ? first.body['metadata'] : { a: 'b' });
    gateway.upstream.respond({ text: 'Two.' });
    const second = await post('/v1/responses', { model, input: 'And then?', previous_response_id: first.body.id });
    expect(texts()).toEqual(['LONG', 'One.', 'And then?']);
    const item = `msg_${first.body.id.replace(/^resp_/, '')}_in_0`;
    gateway.upstream.respond({ text: 'Three.' });
    const third = await post('/v1/responses', {
      model,
      input: [
        { type: 'item_reference', id: item },
        { role: 'user', content: `${LONG}!` },
      ],
      previous_response_id: second.body.id,
    });
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect(texts()).toEqual(['LONG', 'One.', 'And then?', 'Two.', 'LONG', 'LONG!']);
    gateway.upstream.respond({ text: 'Four.' });
    await post('/v1/responses', { model, input: 'Last.', previous_response_id: third.body.id });
    expect(texts()).toHaveLength(8);
    const read = async (path: string): Promise<string> =>
      (
        await fetch(`${gateway.url}/v1/responses/${first.body.id}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).text();
    expect(await read('')).toContain('One.');
    expect(await read('/input_items')).toContain(item);
    expect(json.seen).toEqual([]);
  });

  it('a reference in a large body that nobody stored is refused by its position', async () => {
    const input = [
      { role: 'user', content: LONG },
      { type: 'item_reference', id: 'msg_unknown' },
    ];
    await gateway.db.query('delete from :schema.org_provider_api_key where organization_id = $1', [
      member.organization.id,
    ]);
    const { status, body } = await post('/v1/responses', { model, input });
    expect([status, JSON.stringify(body.error)]).toEqual([400, expect.stringContaining('input.1')]);
    expect(json.seen).toEqual([]);
  });

  it('an item that is referred to a hundred times counts a hundred times', async () => {
    const first = await post('/v1/responses', { model, input: [{ role: 'user', content: LONG }] });
    const id = `msg_${first.body.id.replace(/^resp_/, '')}_in_0`;
    const input = Array.from({ length: 100 }, () => ({ type: 'item_reference', id }));
    const { status } = await post('/v1/responses', { model, input });
    expect([status, gateway.upstream.requests.length, json.seen]).toEqual([413, 1, []]);

    const small = await post('/v1/responses', { model, input: [{ role: 'user', content: 'x'.repeat(500_000) }] });
    const again = { type: 'item_reference', id: `msg_${small.body.id.replace(/^resp_/, '')}_in_0` };
    expect((await post('/v1/responses', { model, input: [again, again, again] })).status).toBe(200);
    expect([texts().map(({ length }) => length), json.seen]).toEqual([[500_000, 500_000, 500_000], []]);
  });

  it('a large answer reaches the client whole, is stored, and is continued', async () => {
    gateway.upstream.respond({ text: LONG });
    const chat = await post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'a' }] });
    expect(short(JSON.stringify(chat.body['choices']).replaceAll(JSON.stringify(LONG), '"LONG"'))).toContain(
      '"content":"LONG"',
    );
    gateway.upstream.respond({ text: LONG });
    const first = await post('/v1/responses', { model, input: 'b' });
    const second = await post('/v1/responses', { model, input: 'c', previous_response_id: first.body.id });
    expect([first.status, second.status, texts()]).toEqual([200, 200, ['b', 'LONG', 'c']]);
    expect(json.seen).toEqual([]);
  });

  it('a body of many small values is left to a thread too', async () => {
    const many = Array.from({ length: 4_000 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: [{ type: 'text', text: 'a' }],
    }));
    const { status } = await post('/v1/chat/completions', {
      model,
      messages: [...many, { role: 'user', content: 'b' }],
    });
    expect(status).toBe(200);
    expect(texts()).toHaveLength(4_001);
  });
});

it('a thread of /v1/messages with a large beginning goes on', async () => {
  const thread = { model: OPENAI, max_tokens: 100 };
  gateway.upstream.respond({ text: 'One.' });
  const first = await post('/v1/messages', {
    ...thread,
    system: LONG,
    messages: [{ role: 'user', content: 'a' }],
    thread: { type: 'create' },
  });
  const next = (id: string, content: string): ReturnType<typeof post> =>
    post('/v1/messages', {
      ...thread,
      messages: [{ role: 'user', content }],
      thread: { type: 'continue', previous_message_id: id },
    });
  gateway.upstream.respond({ text: LONG });
  const second = await next(first.body.id, 'b');
  const third = await next(second.body.id, 'c');
  expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
  expect(texts()).toEqual(['LONG', 'a', 'One.', 'b', 'LONG', 'c']);
  expect(json.seen).toEqual([]);
});

it('large input is embedded and counted', async () => {
  const embedded = await post('/v1/embeddings', { model: 'openai/text-embedding-3-small', input: [LONG, 'a'] });
  expect([embedded.status, (sent()['input'] as string[]).map(short)]).toEqual([200, ['LONG', 'a']]);
  gateway.upstream.respond({ status: 200, body: '{"input_tokens":77}' });
  const counted = await post('/v1/messages/count_tokens', {
    model: ANTHROPIC,
    messages: [{ role: 'user', content: LONG }],
  });
  expect([counted.body, texts()]).toEqual([{ input_tokens: 77 }, ['LONG']]);
  expect(json.seen).toEqual([]);
});

it('refusals of a large body say what those of a small one say', async () => {
  const large = { padding: LONG };
  for (const body of [{ messages: 'none' }, { model: OPENAI, messages: [], stream: 'yes' }]) {
    const [small, refused] = [
      await post('/v1/chat/completions', body),
      await post('/v1/chat/completions', { ...body, ...large }),
    ];
    expect([refused.status, refused.body.error]).toEqual([small.status, small.body.error]);
    expect(refused.status).toBe(400);
  }
  const notJson = await post('/v1/chat/completions', `{"a":"${LONG.replaceAll(/["\\]/g, '')}"`);
  expect([notJson.status, notJson.body.error?.message]).toEqual([400, expect.stringContaining('valid JSON')]);
  expect(json.seen).toEqual([]);
});

it('a body with more values than anybody means is refused before it is read', async () => {
  const { status, body } = await post('/v1/chat/completions', `{"messages":[${'{},'.repeat(300_000)}{}]}`);
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining('too many values')]);
});
