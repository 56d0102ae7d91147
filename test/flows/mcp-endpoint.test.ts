// /connect/mcp from outside, request by request: who gets in, what both revisions answer, what is refused and how.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPerson, join } from '../support/people.ts';
import { answerJson, echo } from '../support/tools/mcp-provider.ts';
import { startToolStand, type ToolStand } from '../support/tools/mcp-stand.ts';
import type { Body } from '../support/http-client.ts';

let stand: ToolStand;
let token: string;
let slack: string;

beforeAll(async () => {
  stand = await startToolStand();
  token = await stand.token();
  slack = await stand.connect('slack');
  await stand.connect('github', { name: 'work' });
});
afterAll(() => stand.close());
beforeEach(() => stand.provider.answer(echo));

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Era = 'modern' | 'legacy';

interface Sent {
  readonly bearer?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly httpMethod?: string;
  readonly at?: ToolStand;
}

async function send(
  body: unknown,
  { bearer = token, headers = {}, query = '', httpMethod = 'POST', at = stand }: Sent = {},
): Promise<{ status: number; headers: Headers; body: Body; text: string }> {
  const response = await fetch(`${at.url}/connect/mcp${query}`, {
    method: httpMethod,
    headers: {
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(httpMethod === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json === '' ? undefined : JSON.parse(json),
  };
}

function ask(era: Era, method: string, params: Record<string, unknown> = {}, sent: Sent = {}) {
  if (era === 'legacy')
    return send(
      { jsonrpc: '2.0', id: 1, method, params },
      { ...sent, headers: { 'mcp-protocol-version': '2025-11-25', ...sent.headers } },
    );
  const named = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return send(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    { ...sent, headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named, ...sent.headers } },
  );
}

const call = async (name: string, given: unknown = {}, sent: Sent = {}): Promise<Body> =>
  (await ask('modern', 'tools/call', { name, arguments: given }, sent)).body.result;
const names = async (sent: Sent = {}): Promise<string[]> =>
  (await ask('modern', 'tools/list', {}, sent)).body.result.tools.map((tool: Body) => tool.name);

describe('the door', () => {
  const METADATA = 'http://localhost:4000/.well-known/oauth-protected-resource/connect/mcp';

  it('says where to sign in when there is no token, and that a bad token is bad', async () => {
    const none = await ask('modern', 'tools/list', {}, { bearer: '' });
    expect([none.status, none.headers.get('www-authenticate'), none.body.error]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}"`,
      'unauthenticated',
    ]);
    const bad = await ask('legacy', 'tools/list', {}, { bearer: 'bad' });
    expect([bad.status, bad.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}", error="invalid_token"`,
    ]);
  });

  it('asks a token without a connect scope to step up', async () => {
    const { status, headers, body } = await ask(
      'modern',
      'tools/list',
      {},
      { bearer: await stand.token({ scopes: ['chat', 'jobs:read'] }) },
    );
    expect([status, body.error, body.message, headers.get('www-authenticate')]).toEqual([
      403,
      'insufficient_scope',
      expect.stringContaining('lacks the scope connect:read.'),
      `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="connect:read"`,
    ]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405', async (httpMethod) => {
    const { status, headers } = await send(undefined, { httpMethod });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['https://evil.test', 403],
    ['http://localhost:4000', 200],
    ['null', 403],
    ['http://localhost:4000.evil.test', 403],
    ['http://localhost:9', 403],
  ])('lets a browser in from its own origin only: %s', async (origin, status) => {
    expect((await ask('modern', 'tools/list', {}, { headers: { origin } })).status).toBe(status);
  });

  it('lets one person ask so often and no more, and another all the same', async () => {
    const limited = await startToolStand({ db: stand.db, requestsPerMinute: 3 });
    const [first, second] = [
      await limited.token(),
      await limited.token({
        person: await join(stand.db, limited.organization.id, await addPerson(stand.db), 'member'),
      }),
    ];
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn++)
      statuses.push((await ask('modern', 'tools/list', {}, { bearer: first, at: limited })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask('modern', 'tools/list', {}, { bearer: first, at: limited });
    expect([refused.body.error, Number(refused.headers.get('retry-after'))]).toEqual([
      'rate_limited',
      expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60),
    ]);
    expect((await ask('modern', 'tools/list', {}, { bearer: second, at: limited })).status).toBe(200);
    await limited.close();
  });
});

describe('both revisions', () => {
  it('discover and initialize', async () => {
    const discovered = await ask('modern', 'server/discover');
    expect(discovered.body.result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      capabilities: { tools: {} },
      resultType: 'complete',
    });
    const initialized = await send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    });
    expect(initialized.body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'agent-platform-service', version: '9.9.9' },
    });
    expect(initialized.headers.get('mcp-session-id')).toBeNull();
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it('list in the order of names, with schemas as the catalogue has them', async () => {
    const modern = (await ask('modern', 'tools/list')).body.result;
    const legacy = (await ask('legacy', 'tools/list')).body.result;
    expect(modern).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { version: '9.9.9' } },
    });
    expect(Object.keys(legacy)).toEqual(['tools']);
    expect(legacy.tools).toEqual(modern.tools);
    const listed: string[] = modern.tools.map((tool: Body) => tool.name);
    expect(listed).toEqual([...listed].sort());
    expect(listed).toEqual([
      'github--work__get-issue',
      'github--work__get-repository',
      'github--work__list-issues',
      'github--work__list-pull-requests',
      'github--work__list-repositories',
      'slack__get-channel-history',
      'slack__list-channels',
      'slack__list-users',
    ]);
    const { tools } = stand.tools.catalog.byId['slack'] ?? { tools: [] };
    expect(modern.tools.find((tool: Body) => tool.name === 'slack__list-users')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: tools.find((tool) => tool.name === 'list-users')?.inputSchema,
    });
    expect(modern.tools[0].description).toContain('Account: work.');
  });

  // What the fast path answers and what the SDK answers must not differ: a request is sent past the fast path by a
  // field that means nothing.
  it.each(['modern', 'legacy'] as const)('%s: the fast path and the SDK give the same answers', async (era) => {
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/list', { cursor: 'slack' }],
      ['tools/call', { name: 'slack__list-users', arguments: { limit: 2 } }],
      ['tools/call', { name: 'slack__list-users', arguments: { limit: 'two' } }],
      ['tools/call', { name: 'slack__nothing' }],
      ['tools/call', { name: 'slack__post-message', arguments: {} }],
    ] as const) {
      const fast = await ask(era, method, params);
      const slow = await ask(
        era,
        method,
        { ...params, task: undefined, ...(method === 'tools/call' ? { inputResponses: {} } : {}) },
        method === 'tools/list'
          ? {
              headers: {
                accept: 'application/json;q=0.9,text/*;q=0.8,text/event-stream',
                'content-type': 'application/json ;charset=utf-8',
              },
            }
          : {},
      );
      expect([fast.status, fast.body.result]).toEqual([slow.status, slow.body.result]);
    }
  });

  it.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', undefined])(
    'refuse a list of messages under %s: nothing in it is done',
    async (version) => {
      const headers: Record<string, string> = version === undefined ? {} : { 'mcp-protocol-version': version };
      const one = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slack__list-users', arguments: {} } };
      const deep = JSON.stringify([{ ...one, params: { ...one.params, _meta: 0 } }]).replace(
        '"_meta":0',
        `"_meta":{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
      );
      const before = stand.provider.asked.length;
      for (const [body, code] of [
        [[one], -32_600],
        [[], -32_600],
        [[one, one], -32_600],
        [[{ jsonrpc: '2.0', method: 'notifications/initialized' }], -32_600],
        [` \r\n\t${JSON.stringify([one])}`, -32_600],
        [`\uFEFF${JSON.stringify([one])}`, -32_700],
        [deep, -32_700],
      ]) {
        const { status, body: answer } = await send(body, { headers });
        expect([status, answer]).toEqual([
          400,
          { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
        ]);
      }
      expect(stand.provider.asked).toHaveLength(before);
    },
  );

  it('modern: headers that disagree with the body are -32020, an unknown method 404, junk 400', async () => {
    const mismatch = await ask(
      'modern',
      'tools/call',
      { name: 'slack__list-users' },
      { headers: { 'mcp-name': 'other' } },
    );
    expect([mismatch.status, mismatch.body.error.code]).toEqual([400, -32020]);
    const method = await ask('modern', 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } });
    expect([method.status, method.body.error.code]).toEqual([400, -32020]);
    const unknown = await ask('modern', 'tools/destroy');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, -32601]);
    expect((await send('{')).body.error.code).toBe(-32700);
    expect((await send('['.repeat(10_000))).body.error.code).toBe(-32700);
    expect(
      (await send('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\\ud800"}}')).body,
    ).toMatchObject({ ok: false, error: 'invalid_request' });
    expect(
      (await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers: { accept: 'application/json' } })).status,
    ).toBe(406);
    expect(
      (await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers: { accept: '*/*' } })).body.result.tools,
    ).toHaveLength(8);
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: { accept: '*/*' } })).body.result).toEqual(
      {},
    );
    expect((await send({ a: 'x'.repeat(1024 * 1024) })).status).toBe(413);
  });
});

describe('a call', () => {
  it('answers with what REST does, without a receipt, and writes none', async () => {
    const count = async () =>
      (await stand.db.query<{ n: number }>('select count(*) as n from :schema.receipt')).rows[0]?.n;
    const before = await count();
    const { content, isError } = await call('slack__list-users', { limit: 2 });
    expect(isError).toBeUndefined();
    expect(JSON.parse(content[0].text)).toEqual({
      ok: true,
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', etag: '"1"', 'x-ratelimit-remaining': '7' },
      data: { method: 'GET', url: '/users.list?limit=2', body: null },
    });
    expect(await count()).toBe(before);
  });

  it('reaches a named connection', async () => {
    await call('github--work__list-repositories');
    expect(stand.provider.asked.at(-1)?.headers['connection-id']).toBe('at-provider-github-work');
  });

  it('of a connection with a long or foreign name works under the name that is listed', async () => {
    for (const name of ['x'.repeat(64), 'büro-köln', 'work--']) {
      const id = await stand.connect('slack', { name });
      const listed = (await names()).find((tool) => tool.startsWith('slack--') && tool.endsWith('__list-users')) ?? '';
      expect(listed).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      await call(listed);
      expect(stand.provider.asked.at(-1)?.headers['connection-id']).toBe(`at-provider-slack-${name}`);
      await stand.db.query('delete from :schema.org_connection_secret where id = $1', [id]);
    }
  });

  it('that is refused is a tool error with the text of REST', async () => {
    const reader = await stand.token({ scopes: ['connect:read'] });
    const stranger = await stand.token({ person: await addPerson(stand.db) });
    await stand.setPolicy(slack, { actions: { 'post-message': true, 'list-channels': false } });
    const expectError = async (result: Promise<Body>, text: string) =>
      expect(await result).toMatchObject({ isError: true, content: [{ type: 'text', text }, {}] });
    await expectError(call('slack__list-channels'), 'integration action not found or disabled');
    await expectError(call('slack__no-such'), 'integration action not found or disabled');
    await expectError(call('nonsense'), 'integration action not found or disabled');
    await expectError(call('linear-mcp__anything'), 'integration action not found or disabled');
    await expectError(
      call('slack__post-message', { channel: 'C1', text: 'hi' }, { bearer: reader }),
      "integration action 'post-message' requires connect:write",
    );
    await expectError(call('slack__list-users', {}, { bearer: stranger }), 'workspace_membership_required');
    await expectError(call('slack__list-users', { limit: 0 }), 'invalid_request');
    expect((await call('slack__list-users', { limit: 0 })).content[1].text).toContain('arguments.limit: must be >= 1');
    for (const given of [null, [], 'text'])
      expect(await call('slack__list-users', given)).toMatchObject({
        isError: true,
        content: [{ text: 'invalid_request' }, { text: expect.stringMatching(/^arguments: must be an object$/m) }],
      });
    stand.provider.answer(answerJson(401, {}));
    await expectError(call('slack__list-users'), 'reconnect_required');
    stand.provider.answer(answerJson(500, { message: 'down' }));
    expect(await call('slack__list-users')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"status":500') }],
    });
    await stand.setPolicy(slack, {});
  });

  it('says first that integrations are not configured, whatever is called, as REST does', async () => {
    const bare = await startToolStand({ configured: false });
    await bare.connect('slack');
    const bearer = await bare.token();
    for (const name of ['slack__list-users', 'slack__no-such', 'linear-mcp__anything']) {
      expect(await call(name, {}, { at: bare, bearer })).toMatchObject({
        isError: true,
        content: [
          { text: 'integrations_not_configured' },
          { text: expect.stringContaining('SERVICE_INTEGRATIONS_URL') },
        ],
      });
    }
    await bare.close();
  });

  it('with a long answer is cut and says how to get the rest', async () => {
    stand.provider.answer(answerJson(200, { text: 'x'.repeat(300_000) }));
    const { text } = (await call('slack__list-users')).content[0];
    expect(text.length).toBeLessThan(101_000);
    expect(text).toMatch(/\[cut: the first 100000 of 300\d+ characters\. .*POST \/connect\/call/);
  });
});

describe('the list', () => {
  it('belongs to the requested workspace', async () => {
    await stand.connect('figma', {
      place: { organizationId: stand.organization.id, workspaceId: stand.organization.globalId },
    });
    expect(await names({ query: '?workspace=global' })).toEqual(['figma__get-file', 'figma__list-comments']);
    expect(await names({ query: `?workspace=${stand.organization.globalId}` })).toEqual([
      'figma__get-file',
      'figma__list-comments',
    ]);
    expect(await names({ bearer: await stand.token({ workspaceId: stand.organization.globalId }) })).toEqual([
      'figma__get-file',
      'figma__list-comments',
    ]);
  });

  it("leaves out a provider's own MCP server, imports, commands and the agent registry", async () => {
    const before = await names();
    await stand.connect('linear-mcp');
    await stand.connect('aws');
    await stand.connect('google-cloud', { name: 'agent-registry' });
    await stand.connect('github', { reference: { kind: 'code-host-token', token: 'x' } });
    expect(await names()).toEqual(before);
  });
});

describe('?tools=search', () => {
  const sent = { query: '?tools=search' };

  it('shows three tools that find, describe and call', async () => {
    expect(await names(sent)).toEqual(['call-tool', 'describe-tool', 'find-tools']);
    const found = JSON.parse((await call('find-tools', { query: 'people in slack', limit: 2 }, sent)).content[0].text);
    expect(found.tools[0]).toMatchObject({ name: 'slack__list-users', access: 'read' });
    const described = JSON.parse((await call('describe-tool', { name: 'slack__list-users' }, sent)).content[0].text);
    expect(described.inputSchema.properties).toHaveProperty('cursor');
    expect(
      (await call('call-tool', { name: 'slack__list-users', arguments: { limit: 3 } }, sent)).content[0].text,
    ).toContain('/users.list?limit=3');
  });

  it('refuses what the list would not show, in the same words', async () => {
    for (const [tool, given] of [
      ['describe-tool', { name: 'slack__post-message' }],
      ['call-tool', { name: 'slack__post-message' }],
      ['slack__list-users', {}],
    ] as const) {
      expect(await call(tool, given, sent)).toMatchObject({
        isError: true,
        content: [{ text: 'integration action not found or disabled' }, {}],
      });
    }
    expect(JSON.parse((await call('find-tools', {}, sent)).content[0].text)).toMatchObject({
      total: (await names()).length,
    });
  });
});
