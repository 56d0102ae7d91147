// The wire of /v1 apart from what is said on it: ids, paths, methods, origins, compressed bodies; straight and through
// the gateway.
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/create-gateway.ts';
import { SERVICE_GRAPH } from '../../src/gateway/service-graph.ts';
import { parseUpstream } from '../../src/gateway/upstream-addresses.ts';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import { quiet } from '../support/database.ts';
import { pageFetch } from '../support/browser/page-fetch.ts';

const PAGE = 'https://page.example';
const OPENAI = 'openai/gpt-5-mini';
const messages = [{ role: 'user' as const, content: 'Hello' }];

/** Small on the wire, far beyond the limit once they are read. */
const BOMB_BYTES = 128 * 1024 * 1024;
const spaces = Buffer.alloc(BOMB_BYTES, ' ');
const BOMBS = {
  gzip: new Uint8Array(gzipSync(spaces, { level: 1 })),
  br: new Uint8Array(brotliCompressSync(spaces, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  zstd: new Uint8Array(zstdCompressSync(spaces)),
};

let chat: ChatGateway;
let gateway: Gateway;
let urls: Record<'server' | 'gateway', string>;
let member: Member;
let token: string;
beforeAll(async () => {
  chat = await startChatGateway({ SERVICE_V1_CORS_ORIGINS: `${PAGE}, http://localhost:5173` });
  gateway = createGateway({
    graph: SERVICE_GRAPH,
    addresses: {
      web: parseUpstream(chat.url),
      runtime: undefined,
      integrations: undefined,
      'integrations-connect': undefined,
      broker: undefined,
      sandbox: undefined,
    },
    publicUrl: 'https://app.test',
    showPrivate: false,
    log: quiet,
  });
  urls = { server: chat.url, gateway: `http://127.0.0.1:${await gateway.listen(0, '127.0.0.1')}` };
});
afterAll(async () => {
  await gateway.close();
  await chat.close();
});
beforeEach(async () => {
  chat.upstream.reset();
  member = await chat.newMember();
  token = await member.token();
});

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const asked = (more: object = {}): string => JSON.stringify({ model: OPENAI, messages, ...more });

describe.each(['server', 'gateway'] as const)('through the %s', (way) => {
  const to = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${urls[way]}${path}`, init);

  it.each([
    ['POST', '/v1/chat/completions', 200],
    ['POST', '/v1/messages', 400],
    ['GET', '/v1/models', 200],
    ['GET', '/v1/nothing', 404],
    ['POST', '/v1/messages/nothing', 404],
  ])('%s %s carries one id under both names', async (method, path, status) => {
    const response = await to(path, { method, headers: bearer(), ...(method === 'POST' ? { body: asked() } : {}) });
    await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^\S{8,}$/);
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
  });

  it('keeps the id that a client gave', async () => {
    const response = await to('/v1/models', { headers: { ...bearer(), 'x-request-id': 'a:client/id=1' } });
    expect([response.headers.get('x-request-id'), response.headers.get('request-id')]).toEqual([
      'a:client/id=1',
      'a:client/id=1',
    ]);
  });

  it("Anthropic's client shows it, in an answer and in an error", async () => {
    const client = new Anthropic({ baseURL: urls[way], apiKey: token, maxRetries: 0 });
    const { _request_id: id } = await client.messages.create({ model: OPENAI, max_tokens: 10, messages });
    expect(id).toMatch(/^\S{8,}$/);
    await expect(client.messages.create({ model: 'none', max_tokens: 10, messages })).rejects.toMatchObject({
      status: 404,
      requestID: expect.stringMatching(/^\S{8,}$/),
    });
  });

  it('an unknown path answers in the shape of its clients', async () => {
    expect(await (await to('/v1/messages/batches', { headers: bearer() })).json()).toMatchObject({
      type: 'error',
      error: { type: 'surface_not_served' },
    });
    expect(await (await to('/v1/files', { headers: bearer() })).json()).toMatchObject({
      error: { code: 'surface_not_served', type: 'invalid_request_error' },
    });
  });

  it.each(['/v1/chat/completions/', '/v1/models/', `/v1/models/${OPENAI}/`])(
    '%s is the same without its last slash',
    async (path) => {
      const response = await to(path, {
        headers: bearer(),
        ...(path.includes('chat') ? { method: 'POST', body: asked() } : {}),
      });
      expect(response.status).toBe(200);
    },
  );

  it('answers HEAD, OPTIONS and other methods as HTTP says', async () => {
    const head = await to('/v1/models', { method: 'HEAD', headers: bearer() });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await to('/v1/messages', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    const wrong = await to('/v1/messages', { headers: bearer() });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await to('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('takes a body compressed with %s', async (encoding, compress) => {
    const response = await to('/v1/chat/completions', {
      method: 'POST',
      headers: { ...bearer(), 'content-encoding': encoding },
      body: new Uint8Array(compress(asked({ user: 'x'.repeat(400_000) }))),
    });
    expect(response.status).toBe(200);
    expect(chat.upstream.requests[0]?.json).toMatchObject({ messages });
  });

  it.each(Object.keys(BOMBS) as (keyof typeof BOMBS)[])(
    'refuses what %s makes larger than the limit, without holding it',
    async (encoding) => {
      const before = process.memoryUsage().arrayBuffers;
      const refused = await to('/v1/chat/completions', {
        method: 'POST',
        headers: { ...bearer(), 'content-encoding': encoding },
        body: BOMBS[encoding],
      });
      expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'request_too_large' } }]);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(BOMB_BYTES / 2);
    },
  );

  it('says what is wrong with a body that is not what it says', async () => {
    const post = (encoding: string): Promise<Response> =>
      to('/v1/chat/completions', {
        method: 'POST',
        headers: { ...bearer(), 'content-encoding': encoding },
        body: asked(),
      });
    expect(await (await post('gzip')).json()).toMatchObject({
      error: { code: 'invalid_request', message: 'body: is not gzip.' },
    });
    expect(await (await post('rot13')).json()).toMatchObject({
      error: { code: 'invalid_request', param: 'content-encoding' },
    });
  });

  it('the official clients work on a page that is allowed, streamed and whole, and read what they need', async () => {
    const fetch = pageFetch(PAGE);
    const openai = new OpenAI({
      baseURL: `${urls[way]}/v1`,
      apiKey: token,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      fetch,
    });
    const { response } = await openai.chat.completions.create({ model: OPENAI, messages }).withResponse();
    expect([response.headers.get('x-service-provider'), response.headers.get('x-request-id')]).toEqual([
      'openai',
      expect.any(String),
    ]);
    expect(
      (await openai.chat.completions.stream({ model: OPENAI, messages }).finalChatCompletion()).choices[0]?.message
        .content,
    ).toBeTruthy();
    await expect(openai.chat.completions.create({ model: 'none', messages })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    const anthropic = new Anthropic({
      baseURL: urls[way],
      apiKey: token,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      fetch,
    });
    expect((await anthropic.messages.create({ model: OPENAI, max_tokens: 10, messages }))._request_id).toBeTruthy();
    expect(
      (await anthropic.messages.stream({ model: OPENAI, max_tokens: 10, messages }).finalMessage()).content,
    ).not.toEqual([]);
  });

  it('a page of another origin is allowed nothing, and no page is allowed cookies', async () => {
    const preflight = (origin: string): Promise<Response> =>
      to('/v1/messages', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
      });
    expect(
      [...(await preflight('https://other.example')).headers.keys()].filter((name) =>
        name.startsWith('access-control'),
      ),
    ).toEqual([]);
    const allowed = await preflight(PAGE);
    expect([
      allowed.status,
      allowed.headers.get('access-control-allow-headers'),
      allowed.headers.get('access-control-allow-credentials'),
    ]).toEqual([204, 'x-api-key', null]);
    expect(allowed.headers.get('vary')).toContain('origin');
  });
});

describe('a refusal', () => {
  it('that will be the same in a moment says so, so that clients do not repeat it', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    const ask = async (): Promise<unknown> => {
      const { status, headers } = await fetch(`${chat.url}/v1/chat/completions`, {
        method: 'POST',
        headers: bearer(),
        body: asked(),
      });
      return [status, headers.get('x-should-retry')];
    };
    chat.upstream.respondByDefault({ status: 402 });
    expect(await ask()).toEqual([429, 'false']);
    chat.upstream.respondByDefault({ status: 503 });
    expect(await ask()).toEqual([503, null]);
  });
});
