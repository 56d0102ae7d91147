// Providers that are slow, huge, lying or gone; suites with sites; providers with an MCP server of their own.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Catalog } from '../../src/catalog/connector-types.ts';
import { loadConnectors } from '../../src/catalog/load-connectors.ts';
import { answerJson, type Answer, echo } from '../support/tools/mcp-provider.ts';
import { startToolStand, type ToolStand } from '../support/tools/mcp-stand.ts';
import type { Body } from '../support/http-client.ts';
import { addPerson } from '../support/people.ts';

let stand: ToolStand;
let token: string;

beforeAll(async () => {
  stand = await startToolStand();
  token = await stand.token();
  await stand.connect('zoom');
});
afterAll(() => stand.close());
beforeEach(() => {
  stand.provider.answer(echo);
  stand.provider.asked.length = 0;
});

const read = (path: string, more: Record<string, unknown> = {}, connection = 'zoom') =>
  stand.call(token, { connection, tool: 'read-provider-resource', arguments: { path, ...more } });
const lastReceipt = async ({ db, place } = stand): Promise<Body> => {
  const { rows } = await db.query<{ body: string }>(
    'select body from :schema.receipt where stream = $1 order by idx desc limit 1',
    [`connect/${place.workspaceId}`],
  );
  return JSON.parse(rows[0]?.body ?? 'null');
};

describe('read-provider-resource', () => {
  it('reads one path with its query', async () => {
    const { body } = await read('/v2/users/me/recordings', { query: { from: '2026-01-01', page: [1, 2], raw: true } });
    expect(body.data).toEqual({
      method: 'GET',
      url: '/v2/users/me/recordings?from=2026-01-01&page=1&page=2&raw=true',
      body: null,
    });
  });

  it('takes lines and tabs in the value of a query, and nowhere else', async () => {
    expect((await read('/v2/search', { query: { q: 'one\ntwo\tthree', list: ['a\r\nb'] } })).body.data.url).toBe(
      '/v2/search?q=one%0Atwo%09three&list=a%0D%0Ab',
    );
    for (const given of [
      { path: '/v2/a\nb' },
      { path: '/v2?q=a%0ab' },
      { path: '/v2', query: { 'a\nb': 'c' } },
      { path: '/v2', query: { a: 'b\u0000' } },
    ]) {
      expect(
        (await stand.call(token, { connection: 'zoom', tool: 'read-provider-resource', arguments: given })).status,
      ).toBe(400);
    }
  });

  it.each([
    [{ path: '/a/../b' }, 'arguments.path'],
    [{ path: '//evil' }, 'arguments.path'],
    [{ path: '/a', query: { a: ['${b}'] } }, 'arguments.query.a'],
    [{ path: '/a', headers: { accept: 'x' } }, 'arguments.headers'],
    [{}, 'arguments.path'],
  ])('refuses %j', async (given, field) => {
    const { status, body } = await stand.call(token, {
      connection: 'zoom',
      tool: 'read-provider-resource',
      arguments: given,
    });
    expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'invalid_request', [field]]);
    expect(stand.provider.asked).toEqual([]);
  });
});

describe('a provider', () => {
  /** Waits for no provider for long. */
  let hasty: ToolStand;
  beforeAll(async () => {
    hasty = await startToolStand({ timeoutMs: 700 });
    await hasty.connect('zoom');
  });
  afterAll(() => hasty.close());
  const MiB = 1024 * 1024;
  const whole =
    (bytes: Buffer, headers: Record<string, string> = {}): Answer =>
    (_asked, response) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(bytes);

  it.each<[string, Answer]>([
    ['that never answers', () => {}],
    ['that sends headers and then nothing', (_asked, response) => void response.writeHead(200).write('{')],
    [
      'that drips',
      (_asked, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s', async (_name, answer) => {
    hasty.provider.answer(answer);
    const { status, body } = await hasty.call(await hasty.token(), {
      connection: 'zoom',
      tool: 'read-provider-resource',
      arguments: { path: '/v2/users' },
    });
    expect([status, body.ok, body.error, body.receipt.stream]).toEqual([
      504,
      false,
      'provider_timeout',
      `connect/${hasty.place.workspaceId}`,
    ]);
    expect(await lastReceipt(hasty)).toMatchObject({ kind: 'tool.failed', body: { error: 'provider_timeout' } });
  });

  it.each<[string, Answer, number, string]>([
    ['that hangs up', (_asked, response) => void response.destroy(), 502, 'provider_unreachable'],
    [
      'that breaks off',
      (_asked, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        setTimeout(() => response.destroy(), 20);
      },
      502,
      'provider_unreachable',
    ],
    ['that sends too much', whole(Buffer.alloc(5 * MiB + 1, 0x20)), 502, 'provider_response_too_large'],
    [
      'that lies about its coding',
      whole(Buffer.from('{}'), { 'content-encoding': 'gzip' }),
      502,
      'provider_response_unreadable',
    ],
    [
      'that redirects',
      (_asked, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      502,
      'provider_redirect_refused',
    ],
  ])('%s', async (_name, answer, status, error) => {
    stand.provider.answer(answer);
    const { body, ...rest } = await read('/v2/users');
    expect([rest.status, body.ok, body.error, body.receipt.stream]).toEqual([
      status,
      false,
      error,
      `connect/${stand.place.workspaceId}`,
    ]);
    expect(await lastReceipt()).toMatchObject({ kind: 'tool.failed', body: { error } });
  });

  it('that sends exactly 5 MiB is read, and a depth bomb is text', async () => {
    stand.provider.answer(whole(Buffer.from(`"${'a'.repeat(5 * MiB - 2)}"`)));
    expect((await read('/x')).body.data).toHaveLength(5 * MiB - 2);
    stand.provider.answer(whole(Buffer.alloc(4 * MiB, '[')));
    expect((await read('/x')).body.data).toBe('['.repeat(4 * MiB));
  });

  it('whose limit is reached says when to come back', async () => {
    stand.provider.answer(answerJson(429, { error: { code: 'too_many_request' } }, { 'retry-after': '17' }));
    const { status, headers, body } = await read('/x');
    expect([status, body.error, headers.get('retry-after')]).toEqual([429, 'provider_rate_limited', '17']);
  });

  it('whose credential at the integration provider is gone says so without its ids', async () => {
    stand.provider.answer(
      answerJson(400, { error: { code: 'unknown_connection', message: 'no at-provider-zoom-default' } }),
    );
    const { text, body } = await read('/x');
    expect([body.ok, body.status, body.error]).toEqual([false, 401, 'reconnect_required']);
    expect(text).not.toContain('at-provider');
  });

  it('that breaks off behind the integration provider is said so', async () => {
    stand.provider.answer(
      (_asked, response) =>
        void response.writeHead(500, { Date: new Date().toUTCString(), 'Content-Length': '0' }).end(),
    );
    expect(await read('/x')).toMatchObject({
      status: 502,
      body: { ok: false, error: 'provider_unreachable', message: expect.stringContaining('cut off') },
    });
  });
});

describe('jira and confluence', () => {
  const SITES = [
    { id: 'conf-1', scopes: ['read:confluence-content.all'] },
    { id: 'jira-1', scopes: ['read:jira-work'] },
    { id: 'jira-2', scopes: ['read:jira-work'] },
  ];
  const withSites =
    (sites: unknown): Answer =>
    (asked, response) =>
      asked.url === '/proxy/oauth/token/accessible-resources'
        ? answerJson(200, sites)(asked, response)
        : echo(asked, response);

  it('read below the first site of their product, which is looked up once', async () => {
    stand.provider.answer(withSites(SITES));
    await stand.connect('jira');
    await stand.connect('confluence');
    expect((await read('/rest/api/3/issue/A-1', {}, 'jira')).body.data.url).toBe(
      '/ex/jira/jira-1/rest/api/3/issue/A-1',
    );
    expect((await read('/rest/api/3/myself', {}, 'jira')).body.data.url).toBe('/ex/jira/jira-1/rest/api/3/myself');
    expect((await read('/wiki/api/v2/pages', { query: { limit: 1 } }, 'confluence')).body.data.url).toBe(
      '/ex/confluence/conf-1/wiki/api/v2/pages?limit=1',
    );
    expect(stand.provider.asked.filter(({ url }) => url.includes('accessible-resources'))).toHaveLength(2);
  });

  it('read below the site that was stored with the connection', async () => {
    stand.provider.answer(withSites(SITES));
    await stand.connect('jira', { name: 'stored' });
    stand.provider.connections.set('at-provider-jira-stored', {
      connection_id: 'at-provider-jira-stored',
      provider_config_key: 'jira',
      connection_config: { cloudId: 'chosen-site' },
    });
    expect((await read('/x', {}, 'jira:stored')).body.data.url).toBe('/ex/jira/chosen-site/x');
  });

  it('read below the site that a reconnect chose, at once', async () => {
    stand.provider.answer(withSites(SITES));
    const reference = {
      kind: 'integration-reference',
      integrationId: 'jira',
      connectionId: 'at-provider-jira-moved',
    } as const;
    await stand.connect('jira', { name: 'moved', reference });
    expect((await read('/x', {}, 'jira:moved')).body.data.url).toBe('/ex/jira/jira-1/x');
    await stand.connect('jira', { name: 'moved', reference: { ...reference, cloudId: 'chosen-later' } });
    expect((await read('/x', {}, 'jira:moved')).body.data.url).toBe('/ex/jira/chosen-later/x');
    stand.provider.answer(withSites(SITES.slice(2)));
    await stand.connect('jira', { name: 'moved', reference });
    expect((await read('/x', {}, 'jira:moved')).body.data.url).toBe('/ex/jira/jira-2/x');
  });

  it('answer 502 when the account has no such site, or a hostile one', async () => {
    for (const [name, sites] of [
      ['none', []],
      ['other', [SITES[0]]],
      ['hostile', [{ id: '../../evil', scopes: ['read:jira-work'] }]],
      ['odd', { id: 'x' }],
    ] as const) {
      stand.provider.answer(withSites(sites));
      await stand.connect('jira', { name });
      const { status, body } = await read('/x', {}, `jira:${name}`);
      expect([status, body.error]).toEqual([502, 'provider_site_not_found']);
    }
    expect(await lastReceipt()).toMatchObject({ kind: 'tool.failed', body: { error: 'provider_site_not_found' } });
  });
});

describe('a provider with its own MCP server', () => {
  let server: Server;
  let own: ToolStand;
  let ownToken: string;
  let accepted = 'token-at-provider';
  let calls = 0;

  beforeAll(async () => {
    const handler = toNodeHandler(
      createMcpHandler(() => {
        const mcp = new McpServer({ name: 'provider', version: '1' });
        mcp.registerTool(
          'get_issue',
          { description: 'Reads.', inputSchema: z.object({ id: z.string() }), annotations: { readOnlyHint: true } },
          ({ id }) => ({ content: [{ type: 'text', text: `issue ${id}` }] }),
        );
        mcp.registerTool(
          'create_issue',
          { description: 'Writes.', inputSchema: z.object({ title: z.string() }) },
          ({ title }) => ({ content: [{ type: 'text', text: `created ${title}` }] }),
        );
        return mcp;
      }),
    );
    server = createServer((request, response) => {
      calls++;
      if (request.headers.authorization === `Bearer ${accepted}`) void handler(request as never, response);
      else response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const loaded = loadConnectors();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const connectors = loaded.connectors.map((connector) =>
      connector.surface === 'provider-mcp' ? { ...connector, mcp: { url } } : connector,
    );
    const catalog: Catalog = {
      ...loaded,
      connectors,
      byId: Object.fromEntries(connectors.map((connector) => [connector.id, connector])),
    };
    own = await startToolStand({ db: stand.db, catalog });
    ownToken = await own.token();
    await own.connect('linear-mcp');
    own.provider.connections.set('at-provider-linear-mcp-default', {
      connection_id: 'x',
      provider_config_key: 'linear-mcp',
      credentials: { type: 'OAUTH2', access_token: 'token-at-provider' },
    });
  });
  afterAll(async () => {
    await own.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const callOwn = (tool: string, given: unknown = {}) =>
    own.call(ownToken, { connection: 'linear-mcp', tool, arguments: given });

  it("is called over REST by the names it gives, with the connection's token", async () => {
    const { status, body } = await callOwn('get_issue', { id: 'A-1' });
    expect([status, body.ok, body.data.content[0].text]).toEqual([200, true, 'issue A-1']);
    expect(own.provider.asked).toEqual([]);
    const before = calls;
    await callOwn('get_issue', { id: 'A-2' });
    expect(calls - before).toBe(3);
  });

  it('has its writes off, indistinguishable from what it does not have', async () => {
    const [write, nothing] = [await callOwn('create_issue', { title: 't' }), await callOwn('nothing')];
    expect([write.status, write.text]).toEqual([404, nothing.text]);
    const { rows } = await own.db.query<{ id: string }>(
      "select id from :schema.org_connection_secret where provider = 'linear-mcp' and workspace_id = $1",
      [own.place.workspaceId],
    );
    await own.setPolicy(rows[0]?.id ?? '', { actions: { create_issue: true } });
    expect((await callOwn('create_issue', { title: 't' })).body.data.content[0].text).toBe('created t');
    expect(
      (
        await own.call(await own.token({ scopes: ['connect:read'] }), {
          connection: 'linear-mcp',
          tool: 'create_issue',
          arguments: {},
        })
      ).body.error,
    ).toBe("integration action 'create_issue' requires connect:write");
  });

  it('shows its tools, and which are enabled, to members of the workspace alone', async () => {
    const list = async (token: string, selector = 'linear-mcp/tools'): Promise<{ status: number; tools: Body }> => {
      const response = await fetch(`${own.url}/connect/connections/${selector}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: response.status, tools: ((await response.json()) as Body).tools };
    };
    expect(await list(await own.token({ scopes: ['connect:read'] }))).toMatchObject({
      status: 200,
      tools: [
        { name: 'get_issue', access: 'read', enabled: true, inputSchema: { type: 'object' } },
        { name: 'create_issue', access: 'write', description: 'Writes.', enabled: true },
      ],
    });
    const stranger = await addPerson(own.db, 'stranger');
    expect((await list(await own.token({ person: stranger }))).status).toBe(404);
    expect((await list(await own.token({ scopes: ['chat'] }))).status).toBe(403);
    for (const selector of ['%ZZ/tools', '%E0%A4/tools', '%/tools'])
      expect((await list(await own.token(), selector)).status).toBe(404);
  });

  it('says itself what it thinks of bad arguments, and asks for a reconnect when it refuses the token', async () => {
    expect((await callOwn('get_issue', { id: 7 })).body.data.isError).toBe(true);
    accepted = 'another';
    expect((await callOwn('get_issue', { id: 'A-1' })).body).toMatchObject({
      ok: false,
      status: 401,
      error: 'reconnect_required',
    });
    accepted = 'token-at-provider';
  });

  it.each([400, 424])('asks for a reconnect when its token cannot be renewed (%i), known or not', async (status) => {
    const refusal = { status, error: { code: 'invalid_credentials', message: 'at-provider' } };
    const known = own.provider.connections.get('at-provider-linear-mcp-default') ?? {};
    for (const name of ['default', `lost-${status}`]) {
      if (name !== 'default') await own.connect('linear-mcp', { name });
      own.provider.connections.set(`at-provider-linear-mcp-${name}`, refusal);
      const {
        status: answered,
        text,
        body,
      } = await own.call(ownToken, { connection: `linear-mcp:${name}`, tool: 'get_issue', arguments: { id: 'A-1' } });
      expect([answered, body.ok, body.status, body.error]).toEqual([200, false, 401, 'reconnect_required']);
      expect(text).not.toContain('at-provider');
    }
    own.provider.connections.set('at-provider-linear-mcp-default', known);
  });
});
