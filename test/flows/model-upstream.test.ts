// The scripted model provider does what it is told: what other tests rely on.
import { Readable } from 'node:stream';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../support/model-faults.ts';
import { type ModelUpstream, startModelUpstream } from '../support/model-upstream.ts';

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
      const { choices } = (await (await ask({ stream: false })).json()) as { choices: { message: { content: string } }[] };
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

    const chat = await openai.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } }).finalChatCompletion();
    expect(chat.choices[0]?.message).toMatchObject({ content: 'Let me look.', tool_calls: [{ function: { name: 'look', arguments: '{"at":"the sky"}' } }] });
    expect(chat.usage).toMatchObject({ prompt_tokens: 120, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 100 } });

    const response = await openai.responses.create({ model: 'm', input: 'Hi' });
    expect(response).toMatchObject({ output_text: 'Let me look.', usage: { input_tokens: 120 }, output: [{ type: 'message' }, { type: 'function_call', name: 'look' }] });

    const message = await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }).finalMessage();
    expect(message).toMatchObject({ stop_reason: 'tool_use', content: [{ text: 'Let me look.' }, { name: 'look', input: { at: 'the sky' } }], usage: { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 30 } });

    expect((await openai.embeddings.create({ model: 'm', input: ['a', 'b'] })).data.map(({ embedding }) => embedding)).toEqual([[1, 0, 0], [1, 0, 0]]);
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
    expect([openai.status, openai.headers.get('retry-after'), await openai.json()]).toEqual([status, '7', { error: expect.objectContaining({ message: 'No.' }) }]);
    const anthropic = await post('/v1/messages', QUESTION);
    expect([anthropic.status, await anthropic.json()]).toEqual([status, { type: 'error', error: { type: expect.stringContaining('_error'), message: 'No.' } }]);
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

describe('faults', () => {
  test.each<Fault>(['never-answers', 'headers-then-silence', 'silent-midway', 'endless'])('%s lasts until the client leaves, and the client is seen to leave', async (fault) => {
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
  });

  test.each([true, false])('a connection that dies midway is an error to its reader (streaming: %s)', async (stream) => {
    upstream.respond({ fault: 'dies-midway' });
    const response = await ask({ stream });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await (await upstream.request(0)).aborted).toBe(false);
  });

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

  test('a malformed stream has what is no event in its middle', async () => {
    upstream.respond({ fault: 'malformed' });
    expect(await (await ask()).text()).toMatch(/data: \{"broken\n\nnonsense[^]*\[DONE\]/);
  });

  test('an error midway comes in the shape of its surface', async () => {
    upstream.respondByDefault({ fault: 'error-midway' });
    expect(await (await ask()).text()).toMatch(/data: \{"error":[^\n]+\n\n$/);
    expect(await (await post('/v1/messages', { ...QUESTION, stream: true })).text()).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"[^\n]+\n\n$/);
    expect(await (await post('/v1/responses', { model: 'm', input: 'Hi', stream: true })).text()).toMatch(/event: error\ndata: \{"type":"error","code":"server_error"[^\n]+\n\n$/);
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
    { method: 'POST', path: CHAT, headers: { authorization: 'Bearer k', 'x-mark': '1' }, json: { ...QUESTION, stream: true } },
    { method: 'GET', path: '/v1/models?limit=1', body: '', json: undefined },
  ]);
  expect(await upstream.requests[0]?.aborted).toBe(false);
});
