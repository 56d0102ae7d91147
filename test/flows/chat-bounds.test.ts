// What a request on platform credit can cost, on real sockets: what the provider is sent, what is held for it, and
// what the organization is charged when the provider reports as much as it honestly can.
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
const QUESTION = [{ role: 'user', content: 'What is six times seven?' }];

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await member.token()}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const sent = (): Record<string, unknown> => (gateway.upstream.requests.at(-1)?.json ?? {}) as Record<string, unknown>;

describe('a request without an output limit', () => {
  it.each([
    ['/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION }, 'max_completion_tokens'],
    ['/v1/responses', { model: OPENAI_MODEL, input: 'Hello' }, 'max_output_tokens'],
    ['/v1/chat/completions', { model: ANTHROPIC_MODEL, messages: QUESTION }, 'max_tokens'],
    ['/v1/responses', { model: ANTHROPIC_MODEL, input: 'Hello' }, 'max_tokens'],
  ])('%s %j: is sent with the one that is held, and charged for all of it', async (path, body, field) => {
    expect((await post(path, body)).status).toBe(200);
    const limit = Number(sent()[field]);
    expect(limit).toBeGreaterThanOrEqual(8_192);
    gateway.upstream.respondByDefault({ text: 'x', usage: { inputTokens: 50, outputTokens: limit } });
    const before = await member.budget();
    expect((await post(path, body)).status).toBe(200);
    const price = body.model === OPENAI_MODEL ? { input: 0.25, output: 2 } : { input: 3, output: 15 };
    expect((await member.budget()).spent - before.spent).toBe(Math.ceil(50 * price.input + limit * price.output));
  });

  it('keeps the limit that the client gave, in the field that the model takes', async () => {
    await post('/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION, max_tokens: 77 });
    expect(sent()).toMatchObject({ max_completion_tokens: 77 });
    expect(sent()).not.toHaveProperty('max_tokens');
  });

  it('is sent as it is on a key of the organization', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    await post('/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION });
    expect(sent()).not.toHaveProperty('max_completion_tokens');
  });
});

describe('what the provider is asked to keep', () => {
  const KEEPS = { store: true, metadata: { ticket: '7' }, prompt_cache_retention: '24h' };
  const CASES: [string, object, object][] = [
    ['/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION }, {}],
    // With tools this model is called by the Responses API.
    [
      '/v1/chat/completions',
      {
        model: 'openai/gpt-5.6-sol',
        messages: QUESTION,
        reasoning_effort: 'low',
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      },
      { store: false },
    ],
    ['/v1/responses', { model: OPENAI_MODEL, input: 'Hello' }, { store: false }],
  ];

  it.each(CASES)('is nothing on platform credit: %s %j', async (path, body, arrives) => {
    expect((await post(path, { ...body, ...KEEPS })).status).toBe(200);
    expect(sent()).toMatchObject(arrives);
    expect(sent()['store'] ?? false).toBe(false);
    expect(sent()).not.toHaveProperty('prompt_cache_retention');
  });

  it.each(CASES)(
    'is nothing on an own key under Require ZDR, and what was asked without: %s %j',
    async (path, body) => {
      await member.saveKey('openai', member.organization.defaultId, 'sk-own');
      expect((await post(path, { ...body, ...KEEPS })).status).toBe(200);
      expect(sent()).toMatchObject({ prompt_cache_retention: '24h' });
      await member.setPolicy({ require_zdr: true });
      const answer = await post(path, { ...body, ...KEEPS });
      expect([answer.status, answer.headers.get('x-service-credential')]).toEqual([200, 'own-key']);
      expect(sent()['store'] ?? false).toBe(false);
      expect(sent()).not.toHaveProperty('prompt_cache_retention');
      if (path === '/v1/responses') expect((await post(path, { ...body, background: true })).status).toBe(400);
    },
  );
});

describe('input by reference', () => {
  const image = { type: 'image_url', image_url: { url: 'https://x.test/a.png' } };
  it.each([
    [
      '/v1/chat/completions',
      { model: OPENAI_MODEL, messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, image] }] },
      'messages.0.content.1.image_url',
    ],
    [
      '/v1/chat/completions',
      { model: ANTHROPIC_MODEL, messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, image] }] },
      'messages.0.content.1.image_url',
    ],
    [
      '/v1/responses',
      { model: OPENAI_MODEL, input: [{ type: 'item_reference', id: 'rs_of_others' }] },
      'input.0',
      "there is no item with the id 'rs_of_others' here",
    ],
    [
      '/v1/responses',
      {
        model: ANTHROPIC_MODEL,
        input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://x.test/a.pdf' }] }],
      },
      'input.0.content.0.file_url',
    ],
    [
      '/v1/messages',
      {
        model: ANTHROPIC_MODEL,
        max_tokens: 9,
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_of_others' } }] },
        ],
      },
      'messages.0.content.0.source',
    ],
    [
      '/v1/messages',
      {
        model: ANTHROPIC_MODEL,
        max_tokens: 9,
        messages: QUESTION,
        thread: { type: 'continue', previous_message_id: 'msg_of_others' },
      },
      'thread',
      'there is no such thread',
    ],
  ])(
    '%s %j: names the part, and nothing is asked or charged',
    async (path, body, at, why = 'is not accepted on platform credit') => {
      const refused = await post(path, body);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('invalid_request');
      expect(refused.text).toContain(`${at}: ${why}`);
      expect(gateway.upstream.requests).toHaveLength(0);
      expect(await member.budget()).toEqual({ spent: 0, reserved: 0 });
    },
  );

  it('passes on a key of the organization', async () => {
    await member.saveKey('openai', member.organization.defaultId, 'sk-own');
    expect(
      (await post('/v1/chat/completions', { model: OPENAI_MODEL, messages: [{ role: 'user', content: [image] }] }))
        .status,
    ).toBe(200);
  });
});

describe('tools that the provider runs', () => {
  it.each([
    [
      '/v1/responses',
      {
        model: OPENAI_MODEL,
        input: 'x',
        tools: [
          { type: 'web_search' },
          { type: 'namespace', name: 'mcp', description: '', tools: [{ type: 'function', name: 'f', parameters: {} }] },
          { type: 'custom', name: 'apply_patch' },
        ],
      },
      'web_search',
      ['namespace', 'custom'],
    ],
    [
      '/v1/messages',
      {
        model: ANTHROPIC_MODEL,
        max_tokens: 9,
        messages: QUESTION,
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { name: 'f', input_schema: { type: 'object' } },
        ],
      },
      'web_search_20250305',
      [undefined],
    ],
    [
      '/v1/responses',
      {
        model: ANTHROPIC_MODEL,
        input: 'x',
        tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: { type: 'object' } }],
      },
      'web_search',
      [undefined],
    ],
  ])('%s %j: are left out and named', async (path, body, leftOut, kept) => {
    const answered = await post(path, body);
    expect([answered.status, answered.headers.get('x-service-left-out')]).toEqual([200, leftOut]);
    expect((sent()['tools'] as { type?: string }[]).map(({ type }) => type)).toEqual(kept);
  });

  it('are named on a stream too, and refused where the choice demands one', async () => {
    const body = { model: OPENAI_MODEL, input: 'x', stream: true, tools: [{ type: 'code_interpreter' }] };
    const streamed = await post('/v1/responses', body);
    expect([streamed.status, streamed.headers.get('x-service-left-out')]).toEqual([200, 'code_interpreter']);
    expect(sent()).not.toHaveProperty('tools');
    const refused = await post('/v1/responses', { ...body, tool_choice: 'required' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('tool_choice: asks for code_interpreter');
  });
});

describe('anthropic-beta', () => {
  const body = { model: ANTHROPIC_MODEL, max_tokens: 9, messages: QUESTION };
  it('reaches the provider on platform credit and on an own key; one that changes the price does so on the latter alone', async () => {
    const plain = { 'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14' };
    expect((await post('/v1/messages', body, plain)).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.headers['anthropic-beta']).toBe(plain['anthropic-beta']);
    const refused = await post('/v1/messages', body, {
      'anthropic-beta': 'claude-code-20250219,context-1m-2025-08-07',
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('context-1m-2025-08-07')]);
    // A model with that window anyway is sent what Claude Code asks for by default.
    const long = { ...body, model: 'anthropic/claude-sonnet-5' };
    expect((await post('/v1/messages', long, { 'anthropic-beta': 'context-1m-2025-08-07' })).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.headers['anthropic-beta']).toBe('context-1m-2025-08-07');
    await member.saveKey('anthropic', member.organization.defaultId, 'sk-ant-own');
    expect((await post('/v1/messages', body, { 'anthropic-beta': 'context-1m-2025-08-07' })).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.headers['anthropic-beta']).toBe('context-1m-2025-08-07');
  });

  it('is nothing to other providers', async () => {
    expect(
      (await post('/v1/messages', { ...body, model: OPENAI_MODEL }, { 'anthropic-beta': 'context-1m-2025-08-07' }))
        .status,
    ).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.headers).not.toHaveProperty('anthropic-beta');
  });
});

describe('settings that change all the time', () => {
  it('never refuse a turn, and the last of them decide', async () => {
    const enough = new AbortController();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      while (!enough.signal.aborted)
        await gateway.db.query(
          'insert into :schema.org_policy as p (organization_id, disabled_models) values ($1, $2) on conflict (organization_id) do update set disabled_models = excluded.disabled_models',
          [member.organization.id, [`nobody/${writer}`]],
        );
    });
    try {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => post('/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    } finally {
      enough.abort();
      await Promise.all(writers);
    }
    await member.setPolicy({ disabled_models: [OPENAI_MODEL] });
    expect((await post('/v1/chat/completions', { model: OPENAI_MODEL, messages: QUESTION })).status).toBe(403);
  });
});

it('beyond the monthly ceiling platform credit pays for no one, and an own key still works', async () => {
  const closed = await startChatGateway({ SERVICE_PLATFORM_MONTHLY_LIMIT_USD: '0' });
  try {
    const one = await closed.newMember();
    const ask = async (): Promise<[number, string]> => {
      const response = await fetch(`${closed.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await one.token()}` },
        body: JSON.stringify({ model: OPENAI_MODEL, messages: QUESTION }),
      });
      return [response.status, await response.text()];
    };
    expect(await ask()).toEqual([429, expect.stringContaining('quota_exceeded')]);
    expect(closed.upstream.requests).toHaveLength(0);
    expect(await one.budget()).toEqual({ spent: 0, reserved: 0 });
    await one.saveKey('openai', one.organization.defaultId, 'sk-own');
    expect((await ask())[0]).toBe(200);
  } finally {
    await closed.close();
  }
});
