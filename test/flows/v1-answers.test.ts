// Every answer of /v1 is as the printed contract has it: on a model whose provider speaks the same protocol, where it
// passes through, and on one that is translated; whole, streamed and refused.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerCheck, createAnswerCheck } from '../support/models/answer-faults.ts';
import { type ChatGateway, startChatGateway } from '../support/http/chat-gateway.ts';
import type { Document } from '../support/http/openapi-faults.ts';

let gateway: ChatGateway;
let findFaults: AnswerCheck;
let token: string;
beforeAll(async () => {
  gateway = await startChatGateway();
  findFaults = createAnswerCheck((await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document);
});
afterAll(() => gateway?.close());
beforeEach(async () => {
  gateway.upstream.reset();
  token = await (await gateway.newMember()).token();
});

async function ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

const messages = [{ role: 'user', content: 'What is six times seven?' }];
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
/** What each surface is sent, and the tool that it offers, as the surface has it. */
const SURFACES = {
  '/v1/chat/completions': {
    body: { messages },
    tools: [{ type: 'function', function: { name: 'multiply', parameters: schema } }],
  },
  '/v1/responses': {
    body: { input: 'What is six times seven?', store: false },
    tools: [{ type: 'function', name: 'multiply', parameters: schema }],
  },
  '/v1/messages': { body: { messages, max_tokens: 500 }, tools: [{ name: 'multiply', input_schema: schema }] },
} as const;

const CASES = Object.keys(SURFACES).flatMap((path) =>
  ['openai/gpt-5-mini', 'anthropic/claude-sonnet-4-5'].flatMap((model) =>
    [false, true].map((stream) => ({ path: path as keyof typeof SURFACES, model, stream })),
  ),
);

describe('an answer', () => {
  it.each(CASES)('of $path on $model, streamed: $stream', async ({ path, model, stream }) => {
    const { body, tools } = SURFACES[path];
    for (const script of [{ text: 'Forty-two.' }, { toolCalls: [{ name: 'multiply', arguments: { a: 6 } }] }]) {
      gateway.upstream.respondByDefault(script);
      const { status, text } = await ask('POST', path, { ...body, model, tools, stream });
      expect([status, text]).toEqual([200, expect.stringContaining('text' in script ? 'Forty' : 'multiply')]);
      expect(findFaults(`POST ${path}`, status, text)).toEqual([]);
    }
  });

  it.each([
    ['POST', '/v1/embeddings', { model: 'openai/text-embedding-3-small', input: ['a', 'b'] }],
    ['POST', '/v1/messages/count_tokens', { model: 'anthropic/claude-sonnet-4-5', messages }],
    ['GET', '/v1/models', undefined],
  ])('of %s %s', async (method, path, body) => {
    const { status, text } = await ask(method, path, body);
    expect(status).toBe(200);
    expect(findFaults(`${method} ${path}`, status, text)).toEqual([]);
  });

  it.each(Object.keys(SURFACES))('of %s that refuses has the shape of its protocol', async (path) => {
    for (const body of [{}, { ...SURFACES[path as keyof typeof SURFACES].body, model: 'nobody/nothing' }]) {
      const { status, text } = await ask('POST', path, body);
      expect([400, 404]).toContain(status);
      expect(findFaults(`POST ${path}`, status, text)).toEqual([]);
    }
  });
});

it('is told from one that the contract does not have', () => {
  expect(findFaults('POST /v1/messages', 200, '{"id":"msg_1"}')).toHaveLength(1);
  expect(findFaults('POST /v1/messages', 200, 'event: message_start\ndata: {"type":"message_start"}\n\n')).toHaveLength(
    1,
  );
  expect(findFaults('POST /v1/messages', 201, '{}')).toEqual(['POST /v1/messages: 201 is not declared']);
  expect(findFaults('POST /v1/messages', 404, '{"ok":false}')).toHaveLength(1);
});
