// The scripted model provider does what it is told: what other tests rely on.
import { Readable } from 'node:stream';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../support/models/model-faults.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';

const CHAT = '/v1/chat/completions';
const QUESTION = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

let upstream: ModelUpstream;
beforeAll(async () => {
  upstream = await startModelUpstream();
});
afterEach(() => upstream.reset());
afterAll(() => upstream.stop());

function post(path: string, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${upstream.url}${path}`, { method: 'POST', body: JSON.stringify(body), redirect: 'manual', ...init });
}

function message(more: object = {}): Promise<Response> {
  return post(
    '/v1/messages',
    { ...QUESTION, max_tokens: 9, ...more },
    { headers: { 'anthropic-version': '2023-06-01' } },
  );
}

function ask(init: RequestInit & { stream?: boolean } = {}): Promise<Response> {
  const { stream = true, ...rest } = init;
  return post(CHAT, { ...QUESTION, stream }, rest);
}

describe('answers', () => {
  test('are given in the order of the script, then by default', async () => {
    upstream.respond({ text: 'first' });
    upstream.respond({ text: 'second' });
    upstream.respondByDefault({ text: 'default' });
    const texts: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      const { choices } = (await (await ask({ stream: false })).json()) as {
        choices: { message: { content: string } }[];
      };
      texts.push(choices[0]?.message.content);
    }
    expect(texts).toEqual(['first', 'second', 'default', 'default']);
  });

  test('with a path wait for a request of that path', async () => {
    upstream.respond({ path: '/v1/models', status: 403 });
    expect((await ask()).status).toBe(200);
    expect((await fetch(`${upstream.url}/v1/models?limit=1`)).status).toBe(403);
  });

  test('reach the official clients on every surface: text, tool calls and usage', async () => {
    const toolCalls = [{ name: 'look', arguments: { at: 'the sky' } }];
    const usage = { inputTokens: 120, outputTokens: 30, cachedTokens: 100 };
    upstream.respondByDefault({ text: ['Let me', ' look.'], toolCalls, usage });
    const openai = new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1`, maxRetries: 0 });
    const anthropic = new Anthropic({ apiKey: 'k', baseURL: upstream.url, maxRetries: 0 });

    const chat = await openai.chat.completions
      .stream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(chat.choices[0]?.message).toMatchObject({
      content: 'Let me look.',
      tool_calls: [{ function: { name: 'look', arguments: '{"at":"the sky"}' } }],
    });
    expect(chat.usage).toMatchObject({
      prompt_tokens: 120,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 100 },
    });

    const response = await openai.responses.create({ model: 'm', input: 'Hi' });
    expect(response).toMatchObject({
      output_text: 'Let me look.',
      usage: { input_tokens: 120 },
      output: [{ type: 'message' }, { type: 'function_call', name: 'look' }],
    });

    const message = await anthropic.messages
      .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })
      .finalMessage();
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ text: 'Let me look.' }, { name: 'look', input: { at: 'the sky' } }],
      usage: { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 30 },
    });

    expect(
      (await openai.embeddings.create({ model: 'm', input: ['a', 'b'] })).data.map(({ embedding }) => embedding),
    ).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  test('can hold blocks of any kind, whole or in any legal order of events', async () => {
    const blocks = [
      { kind: 'thinking' as const, text: 'Hm 🙂.' },
      { kind: 'text' as const, text: 'Let me look.' },
      { kind: 'tool' as const, id: 'toolu_1', name: 'look', arguments: '{"at":"漢"}' },
    ];
    const anthropic = new Anthropic({ apiKey: 'k', baseURL: upstream.url, maxRetries: 0 });
    const openai = new OpenAI({ apiKey: 'k', baseURL: `${upstream.url}/v1`, maxRetries: 0 });
    for (const seed of [1, 2, 3, 4]) {
      upstream.respondByDefault({ blocks, seed });
      const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };
      const content = [
        { type: 'thinking', thinking: 'Hm 🙂.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', input: { at: '漢' } },
      ];
      expect((await anthropic.messages.create(asked)).content).toMatchObject(content);
      expect((await anthropic.messages.stream(asked).finalMessage()).content).toMatchObject(content);
      const response = await openai.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
      expect(response.output.filter(({ type }) => type !== 'web_search_call')).toMatchObject([
        { type: 'reasoning' },
        { type: 'message' },
        { type: 'function_call', arguments: '{"at":"漢"}' },
      ]);
      const chat = await openai.chat.completions.stream({ model: 'm', messages: asked.messages }).finalChatCompletion();
      expect(chat.choices[0]?.message).toMatchObject({
        content: 'Let me look.',
        tool_calls: [{ function: { arguments: '{"at":"漢"}' } }],
      });
    }
  });

  test('can leave the usage out, stop at a limit, be packed or lie about their type', async () => {
    upstream.respond({ usage: 'missing', end: 'length' });
    const whole = (await (await ask({ stream: false })).json()) as object;
    expect(whole).not.toHaveProperty('usage');
    expect(whole).toMatchObject({ choices: [{ finish_reason: 'length' }] });

    upstream.respond({ text: 'packed', gzip: true });
    const packed = await ask();
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.text()).toContain('packed');

    upstream.respond({ contentType: 'text/html' });
    expect((await ask()).headers.get('content-type')).toBe('text/html');
  });

  test('can drip, event by event', async () => {
    upstream.respond({ text: 'one two', dripMs: 20 });
    const response = await ask();
    const reads: string[] = [];
    for await (const chunk of Readable.fromWeb(response.body as never)) reads.push(String(chunk));
    expect(reads.length).toBeGreaterThan(1);
    expect(reads.join('')).toMatch(/"one"[^]*" two"[^]*\[DONE\]/);
  });
});

describe('refusals', () => {
  test.each([401, 403, 429, 500, 529])('%i comes in the shape of either provider', async (status) => {
    upstream.respondByDefault({ status, message: 'No.', headers: { 'retry-after': '7' } });
    const openai = await ask();
    expect([openai.status, openai.headers.get('retry-after'), await openai.json()]).toEqual([
      status,
      '7',
      { error: expect.objectContaining({ message: 'No.' }) },
    ]);
    const anthropic = await message();
    expect([anthropic.status, await anthropic.json()]).toEqual([
      status,
      { type: 'error', error: { type: expect.stringContaining('_error'), message: 'No.' } },
    ]);
  });

  test('a body of its own is sent as it stands', async () => {
    upstream.respond({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } });
    const response = await ask();
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/html', '<html>']);
  });

  test('a redirect names its target', async () => {
    upstream.respond({ redirectTo: 'http://elsewhere.test/v1', status: 302 });
    const response = await ask();
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://elsewhere.test/v1']);
  });
});

describe('what the real provider refuses', () => {
  const refused = async (answer: Promise<Response>): Promise<unknown> => {
    const response = await answer;
    return [response.status, await response.json()];
  };

  test('is refused in its words and shape before the script is played', async () => {
    upstream.respond({ text: 'later' });
    expect(await refused(message({ context_management: {} }))).toEqual([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'context_management: Extra inputs are not permitted' },
        request_id: 'req_scripted',
      },
    ]);
    expect(await refused(post(CHAT, { ...QUESTION, model: 'gpt-5', max_tokens: 9 }))).toEqual([
      400,
      {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          type: 'invalid_request_error',
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      },
    ]);
    expect(upstream.requests.map((request) => request.refused)).toEqual([
      'Extra inputs are not permitted',
      expect.stringContaining('max_completion_tokens'),
    ]);
    expect(await (await ask()).text()).toContain('later');
  });

  test('is taken where a test says why, until the next reset', async () => {
    upstream.allow({ 'reasoning models count all that they write': 'to see it taken' });
    expect((await post(CHAT, { ...QUESTION, model: 'gpt-5', max_tokens: 9 })).status).toBe(200);
    upstream.reset();
    expect((await post(CHAT, { ...QUESTION, model: 'gpt-5', max_tokens: 9 })).status).toBe(400);
  });

  test('is another thing at an OpenAI-compatible server', async () => {
    const account = (body: object): Promise<Response> =>
      fetch(`${upstream.accountUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ ...QUESTION, ...body }),
      });
    expect((await account({ max_tokens: 9 })).status).toBe(200);
    expect(await refused(account({ prompt_cache_key: 'k' }))).toMatchObject([
      400,
      { error: { code: 'unknown_parameter' } },
    ]);
    expect(upstream.requests[0]?.path).toBe(CHAT);
  });

  test('is a reference to what it did not keep, or kept for another key', async () => {
    const respond = (body: object, key = 'one'): Promise<Response> =>
      post('/v1/responses', { model: 'm', input: 'Hi', ...body }, { headers: { authorization: `Bearer ${key}` } });
    const kept = (await (await respond({})).json()) as { id: string; output: { id: string }[] };
    const gone = (await (await respond({ store: false })).json()) as { id: string };
    const reference = [{ type: 'item_reference', id: kept.output[0]?.id }];
    expect((await respond({ previous_response_id: kept.id })).status).toBe(200);
    expect((await respond({ input: reference })).status).toBe(200);
    expect(await refused(respond({ previous_response_id: gone.id }))).toMatchObject([
      400,
      { error: { code: 'previous_response_not_found' } },
    ]);
    expect(await refused(respond({ input: reference }, 'two'))).toMatchObject([404, { error: { param: 'input' } }]);
  });
});

describe('faults', () => {
  test.each<Fault>(['never-answers', 'headers-then-silence', 'silent-midway', 'endless'])(
    '%s lasts until the client leaves, and the client is seen to leave',
    async (fault) => {
      upstream.respond({ fault });
      const leaving = new AbortController();
      const answer = ask({ signal: leaving.signal });
      const seen = await upstream.request(0);
      if (fault !== 'never-answers') {
        const reader = (await answer).body?.getReader();
        if (fault !== 'headers-then-silence') expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      }
      leaving.abort();
      await answer.then(
        () => undefined,
        () => undefined,
      );
      expect(await seen.aborted).toBe(true);
    },
  );

  test.each([true, false])(
    'a connection that dies midway is an error to its reader (streaming: %s)',
    async (stream) => {
      upstream.respond({ fault: 'dies-midway' });
      const response = await ask({ stream });
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow('terminated');
      expect(await (await upstream.request(0)).aborted).toBe(false);
    },
  );

  test('a connection that dies before its headers has no answer', async () => {
    upstream.respond({ fault: 'dies-before-headers' });
    await expect(ask()).rejects.toThrow('fetch failed');
  });

  test('a stream that ends early lacks its end', async () => {
    upstream.respond({ text: 'one two three four', fault: 'ends-early' });
    const text = await (await ask()).text();
    expect(text).toContain('one');
    expect(text).not.toContain('[DONE]');
  });

  test('a malformed stream has something in its middle that is not an event', async () => {
    upstream.respond({ fault: 'malformed' });
    expect(await (await ask()).text()).toMatch(/data: \{"broken\n\nnonsense[^]*\[DONE\]/);
  });

  test('an error midway comes in the shape of its surface', async () => {
    upstream.respondByDefault({ fault: 'error-midway' });
    expect(await (await ask()).text()).toMatch(/data: \{"error":[^\n]+\n\n$/);
    expect(await (await message({ stream: true })).text()).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"[^\n]+\n\n$/,
    );
    expect(await (await post('/v1/responses', { model: 'm', input: 'Hi', stream: true })).text()).toMatch(
      /event: error\ndata: \{"type":"error","code":"server_error"[^\n]+\n\n$/,
    );
  });

  test('a huge chunk is one line of 32 MB', async () => {
    upstream.respond({ fault: 'huge-chunk' });
    const text = await (await ask()).text();
    expect(text).toHaveLength(6 + 32 * 1024 * 1024);
    expect(text.includes('\n')).toBe(false);
  });
});

test('every request is kept as it came', async () => {
  await ask({ headers: { authorization: 'Bearer k', 'x-mark': '1' } });
  await fetch(`${upstream.url}/v1/models?limit=1`);
  expect(upstream.requests).toMatchObject([
    {
      method: 'POST',
      path: CHAT,
      headers: { authorization: 'Bearer k', 'x-mark': '1' },
      json: { ...QUESTION, stream: true },
    },
    { method: 'GET', path: '/v1/models?limit=1', body: '', json: undefined },
  ]);
  expect(await upstream.requests[0]?.aborted).toBe(false);
});
