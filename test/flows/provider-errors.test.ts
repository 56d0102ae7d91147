// What a provider refuses, as the clients of each surface read it: real clients, a real socket, a scripted provider.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';

let gateway: ChatGateway;
let member: Member;
let token: string;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
  token = await member.token();
});

const OPENAI = 'openai/gpt-5-mini';
const ANTHROPIC = 'anthropic/claude-sonnet-4-5';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const BODIES = {
  '/v1/chat/completions': { messages },
  '/v1/responses': { input: 'Hello' },
  '/v1/messages': { max_tokens: 100, messages },
} as const;
type Path = keyof typeof BODIES;

const ask = (path: Path, model: string, more: object = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ model, ...BODIES[path], ...more }),
  });
const refuse = (status: number, error: object, headers: Record<string, string> = {}): void =>
  gateway.upstream.respondByDefault({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ type: 'error', error }),
  });
const ownKeys = async (): Promise<void> => {
  await member.saveKey('openai', member.organization.defaultId, 'sk-own');
  await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
};

const ANTHROPIC_TOO_LONG = 'prompt is too long: 208310 tokens > 200000 maximum';
const OPENAI_TOO_LONG =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.";

describe('a conversation that is too long', () => {
  it('reaches every surface in the words that its clients compact on, from Anthropic', async () => {
    refuse(400, { type: 'invalid_request_error', message: ANTHROPIC_TOO_LONG });
    const inOwnWords = await ask('/v1/messages', ANTHROPIC);
    expect([inOwnWords.status, await inOwnWords.json()]).toEqual([
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: ANTHROPIC_TOO_LONG } },
    ]);
    for (const [path, param] of [
      ['/v1/chat/completions', 'messages'],
      ['/v1/responses', 'input'],
    ] as const) {
      const response = await ask(path, ANTHROPIC);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        {
          error: {
            type: 'invalid_request_error',
            code: 'context_length_exceeded',
            param,
            message: expect.stringContaining('maximum context length is 200000 tokens'),
          },
        },
      ]);
    }
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
  });

  it('and from OpenAI', async () => {
    refuse(400, {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
      message: OPENAI_TOO_LONG,
    });
    const translated = await ask('/v1/messages', OPENAI);
    expect([translated.status, await translated.json()]).toEqual([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 204308 tokens > 128000 maximum' },
      },
    ]);
    const passed = await ask('/v1/chat/completions', OPENAI);
    expect([passed.status, await passed.json()]).toEqual([
      400,
      {
        error: {
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages',
          message: OPENAI_TOO_LONG,
        },
      },
    ]);
  });

  it('is a failed response inside a stream of Responses, where Codex looks for it', async () => {
    refuse(400, { type: 'invalid_request_error', message: ANTHROPIC_TOO_LONG });
    const response = await ask('/v1/responses', ANTHROPIC, { stream: true });
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text.match(/^event: .*/gm)).toEqual([
      'event: response.created',
      'event: response.in_progress',
      'event: response.failed',
      'event: error',
    ]);
    expect(failedResponse(text)).toMatchObject({ status: 'failed', error: { code: 'context_length_exceeded' } });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: token, maxRetries: 0 });
    await expect(client.responses.stream({ model: ANTHROPIC, input: 'Hello' }).finalResponse()).rejects.toMatchObject({
      code: 'context_length_exceeded',
    });
    expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
  });
});

describe('a provider that cannot take more', () => {
  it('overloaded: 529 for clients of Anthropic, 503 for those of OpenAI', async () => {
    refuse(529, { type: 'overloaded_error', message: 'Overloaded' });
    const client = new Anthropic({ baseURL: gateway.url, apiKey: token, maxRetries: 0 });
    await expect(client.messages.create({ model: ANTHROPIC, max_tokens: 10, messages })).rejects.toMatchObject({
      status: 529,
      type: 'overloaded_error',
    });
    const response = await ask('/v1/responses', ANTHROPIC);
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { code: 'server_is_overloaded', message: 'Overloaded' } },
    ]);
  });

  it('limits the rate: 429 with its retry-after; only the owner of the account sees its message', async () => {
    refuse(
      429,
      {
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        message: 'Limit 30000 reached in organization org-AbCdEfGh12345678. Please try again in 11s.',
      },
      { 'retry-after': '11' },
    );
    const platform = await ask('/v1/chat/completions', OPENAI);
    expect([platform.status, platform.headers.get('retry-after'), await platform.json()]).toMatchObject([
      429,
      '11',
      { error: { code: 'provider_rate_limited', message: expect.not.stringContaining('30000') } },
    ]);
    await ownKeys();
    const own = await ask('/v1/chat/completions', OPENAI);
    expect([own.status, await own.json()]).toMatchObject([
      429,
      {
        error: {
          code: 'rate_limit_exceeded',
          message: 'Limit 30000 reached in organization [account]. Please try again in 11s.',
        },
      },
    ]);
    const anthropic = await ask('/v1/messages', OPENAI);
    expect([anthropic.status, await anthropic.json()]).toMatchObject([429, { error: { type: 'rate_limit_error' } }]);
  });

  it('takes no request of this size: 413', async () => {
    refuse(413, { type: 'request_too_large', message: 'Request exceeds the maximum size' });
    for (const path of Object.keys(BODIES) as Path[]) {
      const response = await ask(path, ANTHROPIC);
      const { error } = (await response.json()) as { error: { type: string; code?: string } };
      expect([response.status, error.code ?? error.type]).toEqual([413, 'request_too_large']);
    }
  });

  it('has no credit left: only the owner of the account sees it, and on platform credit no one does', async () => {
    refuse(429, {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota.',
    });
    expect(await (await ask('/v1/chat/completions', OPENAI)).json()).toMatchObject({
      error: { code: 'provider_unavailable', message: expect.not.stringContaining('quota') },
    });
    await ownKeys();
    const own = await ask('/v1/chat/completions', OPENAI);
    expect([own.status, await own.json()]).toMatchObject([
      429,
      {
        error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'You exceeded your current quota.' },
      },
    ]);
    const anthropic = await ask('/v1/messages', OPENAI);
    expect([anthropic.status, await anthropic.json()]).toMatchObject([402, { error: { type: 'billing_error' } }]);
  });

  it('refuses a field: its code, and its place where the client knows it', async () => {
    await ownKeys();
    refuse(400, {
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param: 'max_tokens',
      message: "Unsupported parameter: 'max_tokens'.",
    });
    expect(await (await ask('/v1/chat/completions', OPENAI)).json()).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'unsupported_parameter',
        param: 'max_tokens',
        message: "Unsupported parameter: 'max_tokens'.",
      },
    });
    expect(await (await ask('/v1/responses', ANTHROPIC)).json()).toMatchObject({ error: { param: null } });
  });
});

describe('a stream that is cut off', () => {
  it.each([
    ['/v1/chat/completions', OPENAI],
    ['/v1/chat/completions', ANTHROPIC],
    ['/v1/responses', OPENAI],
    ['/v1/responses', ANTHROPIC],
    ['/v1/messages', ANTHROPIC],
    ['/v1/messages', OPENAI],
  ] as const)('%s on %s ends as its clients expect', async (path, model) => {
    gateway.upstream.respondByDefault({ text: 'one two three four five six seven eight', fault: 'dies-midway' });
    const text = await (await ask(path, model, { stream: true })).text();
    if (path === '/v1/chat/completions')
      expect(JSON.parse(lastEvent(text).data)).toMatchObject({ error: { code: 'provider_unavailable' } });
    if (path === '/v1/messages')
      expect(lastEvent(text)).toMatchObject({ event: 'error', data: expect.stringContaining('provider_unavailable') });
    if (path === '/v1/responses') {
      expect(failedResponse(text)).toMatchObject({
        object: 'response',
        status: 'failed',
        error: { code: 'server_error', message: 'The provider ended the connection before the answer was complete.' },
      });
      const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(numbers.map((_, index) => index));
    }
  });

  it('within an event: what follows is an event of its own', async () => {
    gateway.upstream.respondByDefault({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_cut"}}\n\nevent: response.output_text.delta\ndata: {"type":"respon',
    });
    const text = await (await ask('/v1/responses', OPENAI, { stream: true })).text();
    expect(failedResponse(text)).toMatchObject({ id: 'resp_cut', status: 'failed' });
    expect(text).toContain('"sequence_number":1,');
  });

  it("by the provider's own failure: on platform credit it names no account, and the owner of an account sees it unchanged", async () => {
    const said =
      'data: {"error":{"message":"Limit reached in organization org-AbCdEfGh12345678.","code":"rate_limit_exceeded"}}\n\n';
    gateway.upstream.respondByDefault({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: said });
    expect(await (await ask('/v1/chat/completions', OPENAI, { stream: true })).text()).toContain(
      'Limit reached in organization [account].',
    );
    await ownKeys();
    expect(await (await ask('/v1/chat/completions', OPENAI, { stream: true })).text()).toContain(said);
  });

  it('before its first event: begins and fails', async () => {
    gateway.upstream.respondByDefault({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' });
    const text = await (await ask('/v1/responses', OPENAI, { stream: true })).text();
    expect(text.match(/^event: .*/gm)).toEqual([
      'event: response.created',
      'event: response.in_progress',
      'event: response.failed',
      'event: error',
    ]);
  });
});

function lastEvent(text: string): { event?: string | undefined; data: string } {
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  return { event: /^event: (.*)$/m.exec(last)?.[1], data: /^data: (.*)$/m.exec(last)?.[1] ?? '' };
}

function failedResponse(text: string): unknown {
  const found = /^event: response\.failed\ndata: (.*)$/m.exec(text)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as { response: unknown }).response;
}
