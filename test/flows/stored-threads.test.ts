// Threads of Anthropic's client: it sends only what is new, and the service keeps the rest, on every model.
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

const OPENAI_MODEL = 'openai/gpt-5-mini';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-4-5';
const MODELS = [OPENAI_MODEL, ANTHROPIC_MODEL] as const;

interface Sent {
  readonly thread?: unknown;
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { role: string; content: unknown }[];
}
const sent = (index: number): Sent => gateway.upstream.requests.at(index)?.json as Sent;

/** Keeps what the client sends and is answered. */
async function anthropic(token?: string): Promise<{ client: Anthropic; asked: (Sent & { status: number })[] }> {
  const asked: (Sent & { status: number })[] = [];
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    asked.push({ ...(JSON.parse(String(init?.body)) as Sent), status: response.status });
    return response;
  };
  return {
    client: new Anthropic({
      baseURL: gateway.url,
      apiKey: token ?? (await member.token()),
      maxRetries: 0,
      fetch: send,
    }),
    asked,
  };
}

const multiply = betaTool({
  name: 'multiply',
  description: 'Multiplies.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  run: ({ a, b }) => String(Number(a) * Number(b)),
});
const TASK = {
  max_tokens: 1_000,
  system: 'Be brief.',
  messages: [
    {
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'Multiply.', cache_control: { type: 'ephemeral' as const } }],
    },
  ],
  tools: [multiply],
};

function answerInThreeSteps(): void {
  gateway.upstream.respond({
    text: 'First I multiply.',
    toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 7 }, id: 'one' }],
  });
  gateway.upstream.respond({ toolCalls: [{ name: 'multiply', arguments: { a: 42, b: 2 }, id: 'two' }] });
  gateway.upstream.respond({ text: 'Eighty-four.' });
}

function expectWhole(index: number): void {
  const { messages, thread, tools } = sent(index);
  const text = JSON.stringify(messages);
  for (const said of ['Multiply.', 'First I multiply.', '"42"', '"84"']) expect(text).toContain(said);
  expect([thread, tools?.length]).toEqual([undefined, 1]);
  expect(JSON.stringify(sent(index))).toContain('Be brief.');
  // Only the newest messages may say where to cache.
  expect(text).not.toContain('cache_control');
}

describe.each(MODELS.flatMap((model) => [false, true].map((stream) => ({ model, stream }))))(
  'on $model, streamed: $stream',
  ({ model, stream }) => {
    it('a tool runner sends what is new, and the provider is sent everything', async () => {
      answerInThreeSteps();
      const { client, asked } = await anthropic();
      const final = await client.beta.messages.toolRunner({ model, ...TASK, stream }).runUntilDone();
      expect(final.content).toMatchObject([{ type: 'text', text: 'Eighty-four.' }]);
      expect(
        asked.map(({ status, thread, messages }) => [status, (thread as { type: string }).type, messages.length]),
      ).toEqual([
        [200, 'create', 1],
        [200, 'continue', 1],
        [200, 'continue', 1],
      ]);
      expectWhole(2);
    });
  },
);

it.each(MODELS)('on %s, a thread that was lost is begun again by the client', async (model) => {
  gateway.upstream.respondByDefault({ text: 'Yes.' });
  const { client, asked } = await anthropic();
  const thread = client.beta.messages.thread({ model, max_tokens: 100 });
  await thread.send({ role: 'user', content: 'Remember this.' });
  await gateway.db.query('delete from :schema.stored_response where organization_id = $1', [member.organization.id]);
  await thread.send({ role: 'user', content: 'Do you?' });
  expect(asked.map(({ status }) => status)).toEqual([200, 400, 200]);
  expect(JSON.stringify(sent(-1).messages)).toContain('Remember this.');
});

it.each(MODELS)('on %s, where nothing is stored the client goes on without a thread', async (model) => {
  for (const provider of ['openai', 'anthropic'])
    await member.saveKey(provider, member.organization.globalId, `sk-${provider}`);
  await member.setPolicy({ require_zdr: true });
  answerInThreeSteps();
  const { client, asked } = await anthropic();
  await client.beta.messages.toolRunner({ model, ...TASK }).runUntilDone();
  expect(asked.map(({ status, thread }) => [status, thread])).toEqual([
    [400, { type: 'create' }],
    [200, undefined],
    [200, undefined],
    [200, undefined],
  ]);
  expectWhole(2);
});

it('belongs to one person: to others it does not exist', async () => {
  const { client } = await anthropic();
  const { id } = await client.beta.messages.create({
    model: OPENAI_MODEL,
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Mine.' }],
    thread: { type: 'create' },
  });
  const stranger = await gateway.newMember();
  const { client: other } = await anthropic(await stranger.token());
  for (const previous_message_id of [id, 'msg_never']) {
    const refused = await other.beta.messages
      .create({
        model: OPENAI_MODEL,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Go on.' }],
        thread: { type: 'continue', previous_message_id },
      })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: 400,
      error: {
        error: {
          type: 'invalid_request',
          message: 'thread: there is no such thread: send the whole conversation.',
          details: { error_code: 'thread_not_found' },
        },
      },
    });
  }
  expect(gateway.upstream.requests).toHaveLength(1);
  // A thread is not a response.
  const response = await fetch(`${gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${await member.token()}` },
  });
  expect(response.status).toBe(404);
});

it("is Anthropic's own on a key of the organization", async () => {
  await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
  const { client } = await anthropic();
  await client.beta.messages.create({
    model: ANTHROPIC_MODEL,
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Hello.' }],
    thread: { type: 'create' },
    betas: ['message-threads-2026-08-12'],
  });
  expect(sent(0).thread).toEqual({ type: 'create' });
  expect(gateway.upstream.requests[0]?.headers['anthropic-beta']).toContain('message-threads');
  expect(
    (await gateway.db.query('select from :schema.stored_response where organization_id = $1', [member.organization.id]))
      .rowCount,
  ).toBe(0);
});

it('refuses what a thread cannot take by name', async () => {
  const { client } = await anthropic();
  const ask = { model: OPENAI_MODEL, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hello.' }] };
  const { id } = await client.beta.messages.create({ ...ask, thread: { type: 'create' } });
  await expect(
    client.beta.messages.create({ ...ask, system: 'Another.', thread: { type: 'continue', previous_message_id: id } }),
  ).rejects.toThrow('system: is kept by the thread');
  await expect(client.beta.messages.create({ ...ask, thread: { type: 'fork' } as never })).rejects.toThrow(
    'thread: must be',
  );
});
