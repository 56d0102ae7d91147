// A model provider that the service has never heard of, added as a row of PROVIDERS and a codec of PROTOCOLS: nothing
// else may need its name. The wire is made up, and its server is strict: what is not in it is refused.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NeutralEvent, NeutralRequest } from '../../src/model-providers/codecs/neutral.ts';
import { PROTOCOLS, type ProtocolRow } from '../../src/model-providers/codecs/protocols.ts';
import { type ProviderRow, PROVIDERS } from '../../src/model-providers/providers.ts';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';

const WIRE = 'verses' as never;

const row: ProviderRow = {
  ...PROVIDERS.openai,
  name: 'Third',
  keyPrefix: 'third-',
  authorize: (key) => ({ 'x-third-key': key }),
  wire: { protocols: [WIRE], fields: 'account' },
  stores: WIRE,
};

/** A line of the wire: `model`, then `said`, then `counted`. */
type Line = { readonly model: string } | { readonly said: string } | { readonly counted: [number, number] };

function readLine(line: Line): NeutralEvent[] {
  if ('model' in line) return [{ type: 'start', id: 'v1', model: line.model }];
  if ('said' in line) return [{ type: 'text', text: line.said }];
  const [inputTokens, outputTokens] = line.counted;
  return [
    {
      type: 'usage',
      usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      final: true,
    },
    { type: 'finish', reason: 'stop' },
  ];
}

const codec: ProtocolRow = {
  ...PROTOCOLS.chat,
  path: '/verses',
  decodeRequest: () => {
    throw new Error('no client speaks it');
  },
  encodeRequest: (request, { model }) => ({ model, asked: askedIn(request), streamed: request.stream }),
  decodeResponse: (body) => (body as Line[]).flatMap(readLine),
  createStreamDecoder() {
    let rest = '';
    return {
      feed(bytes) {
        const lines = (rest + Buffer.from(bytes).toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        return lines.flatMap((line) => readLine(JSON.parse(line) as Line));
      },
      end: () => [],
    };
  },
};

function askedIn({ messages }: NeutralRequest): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
}

let third: Server;
let gateway: ChatGateway;
let member: Member;
const sent: unknown[] = [];
beforeAll(async () => {
  third = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as Record<string, unknown>;
      sent.push({ path: request.url, key: request.headers['x-third-key'], body });
      const isKnown = Object.keys(body).toSorted().join() === 'asked,model,streamed';
      if (request.url !== '/verses' || !isKnown) return void response.writeHead(400).end('{}');
      const lines: Line[] = [{ model: 'gemini-2.5-pro' }, { said: 'A ' }, { said: 'verse.' }, { counted: [7, 3] }];
      if (body['streamed'] !== true)
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lines));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
      response.end();
    })();
  }).listen(0, '127.0.0.1');
  await once(third, 'listening');
  Object.assign(PROVIDERS, { google: row });
  Object.assign(PROTOCOLS, { [WIRE]: codec });
  gateway = await startChatGateway({ OPENAI_API_URL: `http://127.0.0.1:${(third.address() as AddressInfo).port}` });
  member = await gateway.newMember();
  await member.saveKey('google', member.organization.defaultId, 'third-key');
});
afterAll(async () => {
  await gateway.close();
  third.close();
  Reflect.deleteProperty(PROVIDERS, 'google');
  Reflect.deleteProperty(PROTOCOLS, WIRE);
});

const ask = async (path: string, body: object): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await member.token()}` },
    body: JSON.stringify({ model: 'google/gemini-2.5-pro', ...body }),
  });
const messages = [{ role: 'user', content: 'Say a verse.' }];

describe('a third provider answers', () => {
  it('whole answers, on every surface', async () => {
    const chat = await ask('/v1/chat/completions', { messages });
    expect([chat.status, chat.headers.get('x-service-provider'), chat.headers.get('x-service-credential')]).toEqual([
      200,
      'google',
      'own-key',
    ]);
    expect(await chat.json()).toMatchObject({
      choices: [{ message: { content: 'A verse.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    });
    expect(await (await ask('/v1/messages', { messages, max_tokens: 100 })).json()).toMatchObject({
      content: [{ type: 'text', text: 'A verse.' }],
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    expect(await (await ask('/v1/responses', { input: 'Say a verse.' })).json()).toMatchObject({
      output: [{ type: 'message', content: [{ text: 'A verse.' }] }],
    });
    expect(sent).toEqual(
      Array.from({ length: 3 }, () => ({
        path: '/verses',
        key: 'third-key',
        body: { model: 'gemini-2.5-pro', asked: ['Say a verse.'], streamed: false },
      })),
    );
  });

  it('streams', async () => {
    const answer = await (await ask('/v1/chat/completions', { messages, stream: true })).text();
    const said = [...answer.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    expect(said).toBe('A verse.');
    expect(answer).toContain('data: [DONE]');
  });
});
