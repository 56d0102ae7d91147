// Models accounts with the clouds: real clients on each surface, the clouds' own rules on real sockets, a scripted
// provider behind them.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import { type CloudFronts, startCloudFronts } from '../support/models/cloud-fronts.ts';

let gateway: ChatGateway;
let clouds: CloudFronts;
let member: Member;
let anthropic: Anthropic;
let openai: OpenAI;
beforeAll(async () => {
  gateway = await startChatGateway();
  clouds = await startCloudFronts(gateway.upstream);
});
afterAll(async () => {
  await clouds.stop();
  await gateway.close();
});
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
  const apiKey = await member.token();
  anthropic = new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
  openai = new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

const BEDROCK_MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const VERTEX_MODEL = 'claude-sonnet-4-5@20250929';
const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
};
const functions = [
  {
    type: 'function' as const,
    function: { name: weather.name, description: weather.description, parameters: weather.input_schema },
  },
];
const CALL = { name: 'weather', arguments: { city: 'Oslo' }, id: 'toolu_1' };
const save = (
  auth: 'azure' | 'aws' | 'google',
  protocol: 'chat' | 'responses' | 'messages',
  { path = '', key = clouds[auth].key } = {},
): Promise<void> =>
  member.saveAccount(member.organization.defaultId, `${clouds[auth].url}${path}`, key, ['*'], { auth, protocol });

describe.each([
  ['Bedrock', 'aws', BEDROCK_MODEL],
  ['Vertex AI', 'google', VERTEX_MODEL],
] as const)("Anthropic's models at %s", (_name, cloud, model) => {
  const ask = { model, max_tokens: 200, messages, tools: [weather] };

  it('answer /v1/messages, whole and streamed, with tools and betas', async () => {
    await save(cloud, 'messages');
    gateway.upstream.respondByDefault({ text: 'Let me look.', toolCalls: [CALL] });
    const asked = anthropic.messages.create(ask, { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } });
    const { data, response } = await asked.withResponse();
    expect(response.headers.get('x-service-credential')).toBe('models-account');
    expect(data).toMatchObject({
      model,
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
      ],
    });
    expect(gateway.upstream.requests.at(-1)).toMatchObject({
      headers: { 'anthropic-beta': 'context-1m-2025-08-07' },
      json: { model: 'claude-sonnet-4-5-20250929', tools: [{ name: 'weather' }] },
    });
    const streamed = await anthropic.messages.stream(ask).finalMessage();
    expect(streamed).toMatchObject({
      model,
      stop_reason: 'tool_use',
      content: data.content,
      usage: { output_tokens: 5 },
    });
    expect(gateway.upstream.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    expect(await member.usage()).toMatchObject([{ model, credential: 'models-account', requests: 2, cost_micros: 0 }]);
  });

  it("answer OpenAI's surfaces, translated", async () => {
    await save(cloud, 'messages');
    gateway.upstream.respondByDefault({ toolCalls: [CALL] });
    const stream = await openai.chat.completions.create({ model, messages, tools: functions, stream: true });
    const names: (string | undefined)[] = [];
    for await (const { choices } of stream)
      names.push(...(choices[0]?.delta.tool_calls ?? []).map(({ function: called }) => called?.name));
    expect(names.filter(Boolean)).toEqual(['weather']);
    gateway.upstream.respondByDefault({ text: 'Sunny.' });
    expect((await openai.responses.create({ model, input: 'Hello' })).output_text).toBe('Sunny.');
  });

  it.each([
    [{ status: 429, message: 'Too many tokens' }, 429, 'rate_limit_error', 'provider_rate_limited'],
    [{ status: 529, message: 'Overloaded' }, 529, 'overloaded_error', 'server_is_overloaded'],
    [{ status: 400, message: 'messages: bad order' }, 400, 'invalid_request_error', 'provider_refused'],
  ] as const)('pass a refusal on in the shape of the surface: %j', async (script, status, type, code) => {
    await save(cloud, 'messages');
    gateway.upstream.respondByDefault(script);
    for (const stream of [true, false])
      await expect(anthropic.messages.create({ ...ask, stream })).rejects.toMatchObject({
        status,
        error: { error: { type } },
      });
    const inOpenAi = await openai.chat.completions.create({ model, messages }).catch((error: unknown) => error);
    expect(inOpenAi).toMatchObject({ status: status === 529 ? 503 : status });
    if (cloud === 'google' || status === 529) expect(inOpenAi).toMatchObject({ code });
  });
});

describe('a key that a cloud does not accept', () => {
  const REJECTED = { status: 502, error: { error: { type: 'provider_key_rejected' } } };
  const ask = (model: string) => anthropic.messages.create({ model, max_tokens: 9, messages });

  it('at Bedrock is reported as such: a wrong secret, a session of another', async () => {
    const key = JSON.parse(clouds.aws.key) as Record<string, string>;
    for (const part of [{ secretAccessKey: 'wrong' }, { sessionToken: 'of-another' }]) {
      member = await gateway.newMember();
      anthropic = new Anthropic({ apiKey: await member.token(), baseURL: gateway.url, maxRetries: 0 });
      await save('aws', 'messages', { key: JSON.stringify({ ...key, ...part }) });
      await expect(ask(BEDROCK_MODEL)).rejects.toMatchObject(REJECTED);
    }
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('at Google too, whether it gives no token or takes it for another project', async () => {
    const key = JSON.parse(clouds.google.key) as Record<string, string>;
    await save('google', 'messages', { key: JSON.stringify({ ...key, client_email: 'other@example.com' }) });
    await expect(ask(VERTEX_MODEL)).rejects.toMatchObject(REJECTED);
    member = await gateway.newMember();
    anthropic = new Anthropic({ apiKey: await member.token(), baseURL: gateway.url, maxRetries: 0 });
    const url = clouds.google.url.replace('a-project', 'another');
    await member.saveAccount(member.organization.defaultId, url, clouds.google.key, ['*'], {
      auth: 'google',
      protocol: 'messages',
    });
    await expect(ask(VERTEX_MODEL)).rejects.toMatchObject(REJECTED);
  });

  it('at Google is exchanged once for many requests', async () => {
    await save('google', 'messages');
    await ask(VERTEX_MODEL);
    const before = clouds.google.exchanges();
    await Promise.all([ask(VERTEX_MODEL), ask(VERTEX_MODEL)]);
    expect(clouds.google.exchanges()).toBe(before);
  });
});

describe("Bedrock's streams", () => {
  const stream = () => anthropic.messages.stream({ model: BEDROCK_MODEL, max_tokens: 200, messages }).finalMessage();

  it('end with an error event for a failure in the middle', async () => {
    await save('aws', 'messages');
    clouds.aws.breakNext('exception');
    await expect(stream()).rejects.toMatchObject({ error: { error: { type: 'rate_limit_error' } } });
  });

  it('are broken off when a checksum is wrong', async () => {
    await save('aws', 'messages');
    clouds.aws.breakNext('checksum');
    await expect(stream()).rejects.toMatchObject({ error: { type: 'error' } });
  });
});

it.each([
  ['aws', 'openai.gpt-oss-120b-1:0'],
  ['google', 'google/gemini-2.5-flash'],
] as const)('the OpenAI-compatible path of %s answers every surface', async (cloud, model) => {
  await save(cloud, 'chat');
  gateway.upstream.respondByDefault({ text: 'Hello.' });
  expect((await openai.chat.completions.create({ model, messages })).choices[0]?.message.content).toBe('Hello.');
  expect(await anthropic.messages.stream({ model, max_tokens: 9, messages }).finalText()).toBe('Hello.');
});

describe('Azure OpenAI', () => {
  const model = 'gpt-5-mini';

  it('answers /v1/responses and /v1/chat/completions by its v1 API', async () => {
    await save('azure', 'responses', { path: '/openai/v1/' });
    gateway.upstream.respondByDefault({ text: 'Hello.' });
    expect((await openai.responses.create({ model, input: 'Hello' })).output_text).toBe('Hello.');
    const events: string[] = [];
    for await (const { type } of await openai.responses.create({ model, input: 'Hello', stream: true }))
      events.push(type);
    expect(events.at(-1)).toBe('response.completed');
    const translated = await openai.chat.completions.create({ model, messages });
    expect(translated.choices[0]?.message.content).toBe('Hello.');
    expect(new Set(gateway.upstream.requests.map(({ path }) => path))).toEqual(new Set(['/v1/responses']));
  });

  it('answers by the older API, whose address names a deployment and a version', async () => {
    await save('azure', 'chat', { path: `/openai/deployments/${model}?api-version=2024-10-21` });
    gateway.upstream.respondByDefault({ toolCalls: [CALL] });
    const whole = await openai.chat.completions.create({ model, messages, tools: functions });
    expect(whole.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'weather' } }]);
    const stream = openai.chat.completions.stream({ model, messages, tools: functions });
    expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('refuses a wrong key and an address that it does not know, in the shape of the surface', async () => {
    await save('azure', 'chat', { path: '/openai/v1', key: 'wrong' });
    const ask = () => openai.chat.completions.create({ model, messages });
    await expect(ask()).rejects.toMatchObject({ status: 502, code: 'provider_key_rejected' });
    member = await gateway.newMember();
    openai = new OpenAI({ apiKey: await member.token(), baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    await save('azure', 'chat', { path: `/openai/deployments/${model}?api-version=soon` });
    await expect(ask()).rejects.toMatchObject({ status: 404 });
  });
});
