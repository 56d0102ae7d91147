// POST /connect/call from outside: answers, refusals byte for byte, receipts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addOrganization, addPerson, join, joinWorkspace, type Person } from '../support/people.ts';
import { answerJson, echo } from '../support/tools/mcp-provider.ts';
import { SECRET_KEY, startToolStand, type ToolStand } from '../support/tools/mcp-stand.ts';
import type { Body } from '../support/http-client.ts';

let stand: ToolStand;
let token: string;
let github: string;

beforeAll(async () => {
  stand = await startToolStand();
  token = await stand.token();
  github = await stand.connect('github');
});
afterAll(() => stand.close());
beforeEach(() => {
  stand.provider.answer(echo);
  stand.provider.asked.length = 0;
});

const receipts = async (): Promise<Body[]> => {
  const { rows } = await stand.db.query<{ body: string }>(
    'select body from :schema.receipt where stream = $1 order by idx',
    [`connect/${stand.place.workspaceId}`],
  );
  return rows.map((row) => JSON.parse(row.body));
};

describe('an allowed call', () => {
  it.each(['github', 'github:default', 'github: Default '])(
    'addressed as %j reaches the provider through the proxy and answers with its status, headers and data',
    async (connection) => {
      const { status, body } = await stand.call(token, {
        connection,
        tool: 'get-issue',
        arguments: { owner: 'acme', repo: 'a b', issue_number: '7' },
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ok: true,
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8', etag: '"1"', 'x-ratelimit-remaining': '7' },
        data: { method: 'GET', url: '/repos/acme/a%20b/issues/7', body: null },
        receipt: {
          stream: `connect/${stand.place.workspaceId}`,
          index: expect.any(Number),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      const [asked] = stand.provider.asked;
      expect(asked?.headers).toMatchObject({
        authorization: `Bearer ${SECRET_KEY}`,
        'connection-id': 'at-provider-github-default',
        'provider-config-key': 'github',
        retries: '0',
        'accept-encoding': 'identity',
        'nango-proxy-accept-encoding': 'identity',
      });
    },
  );

  it('is addressed by id too', async () => {
    expect((await stand.call(token, { connection: github, tool: 'list-repositories' })).body).toMatchObject({
      ok: true,
      data: { url: '/user/repos' },
    });
  });

  it('sends the rest of the arguments as a query on a GET and as JSON otherwise', async () => {
    const read = await stand.call(token, {
      connection: 'github',
      tool: 'list-issues',
      arguments: { owner: 'o', repo: 'r', labels: 'a&b,c', page: 2 },
    });
    expect(read.body.data.url).toBe('/repos/o/r/issues?labels=a%26b%2Cc&page=2');
    await stand.setPolicy(github, { actions: { 'create-issue': true } });
    const written = await stand.call(token, {
      connection: 'github',
      tool: 'create-issue',
      arguments: { owner: 'o', repo: 'r', title: 'Ünïcode ${ok} || here' },
    });
    expect(written.body.data).toEqual({
      method: 'POST',
      url: '/repos/o/r/issues',
      body: { title: 'Ünïcode ${ok} || here' },
    });
    expect(stand.provider.asked.at(-1)?.headers['content-type']).toBe('application/json');
    await stand.setPolicy(github, {});
  });

  it('repeats the key of an array, encodes a GitLab path once, and uses the origin of a manifest', async () => {
    for (const connector of ['google-mail', 'gitlab', 'google-cloud', 'sentry']) await stand.connect(connector);
    const mail = await stand.call(token, {
      connection: 'google-mail',
      tool: 'list-messages',
      arguments: { labelIds: ['INBOX', 'A B'] },
    });
    expect(mail.body.data.url).toBe('/gmail/v1/users/me/messages?labelIds=INBOX&labelIds=A%20B');
    const project = await stand.call(token, {
      connection: 'gitlab',
      tool: 'get-project',
      arguments: { id: 'group/sub/project' },
    });
    expect(project.body.data.url).toBe('/api/v4/projects/group%2Fsub%2Fproject');
    await stand.call(token, { connection: 'google-cloud', tool: 'list-projects' });
    expect(stand.provider.asked.at(-1)).toMatchObject({
      url: '/proxy/v3/projects:search',
      headers: { 'base-url-override': 'https://cloudresourcemanager.googleapis.com' },
    });
    expect((await stand.call(token, { connection: 'sentry', tool: 'list-projects' })).body.data.url).toBe(
      '/0/projects/',
    );
  });

  it('keeps the digits of numbers that no double holds', async () => {
    stand.provider.answer(
      (_asked, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":12345678901234567890}'),
    );
    expect((await stand.call(token, { connection: 'github', tool: 'list-repositories' })).text).toContain(
      '"data":{"id":12345678901234567890}',
    );
  });

  it.each([
    ['text/plain', Buffer.from('plain'), 'plain'],
    ['application/json', Buffer.from('{"broken'), '{"broken'],
    ['image/png', Buffer.from([0x89, 0x50, 0xff]), { base64: 'iVD/' }],
    ['application/json', Buffer.alloc(0), null],
    ['application/vnd.api+json', Buffer.from('\uFEFF[1]'), [1]],
  ])('hands on an answer of type %s', async (type, bytes, data) => {
    stand.provider.answer((_asked, response) => void response.writeHead(200, { 'content-type': type }).end(bytes));
    expect((await stand.call(token, { connection: 'github', tool: 'list-repositories' })).body.data).toEqual(data);
  });
});

describe('a refused call', () => {
  const arguments_ = { owner: 'o', repo: 'r' };

  it('is byte for byte the same for a disabled action, one that does not exist, no such connection, and an id of another workspace', async () => {
    const other = await addPerson(stand.db, 'other');
    const elsewhere = await addOrganization(stand.db, other);
    const foreign = await stand.connect('github', {
      place: { organizationId: elsewhere.id, workspaceId: elsewhere.defaultId },
    });
    const global = await stand.connect('github', {
      place: { organizationId: stand.organization.id, workspaceId: stand.organization.globalId },
    });
    await stand.connect('aws');
    await stand.connect('github', { name: 'imported', reference: { kind: 'code-host-token', token: 'secret' } });
    await stand.connect('google-cloud', { name: 'agent-registry' });
    await stand.setPolicy(github, { actions: { 'list-issues': false } });
    const texts = new Set<string>();
    for (const [connection, tool] of [
      ['github', 'list-issues'],
      ['github', 'create-issue'],
      ['github', 'no-such-tool'],
      ['github', 'constructor'],
      ['github', '__proto__'],
      ['slack', 'list-users'],
      ['no-such-app', 'list-issues'],
      ['github:nobody', 'list-issues'],
      [foreign, 'list-issues'],
      [global, 'list-issues'],
      ['con_00000000000000000000000000', 'list-issues'],
      ['aws', 'read-provider-resource'],
      ['github:imported', 'list-issues'],
      ['google-cloud:agent-registry', 'list-projects'],
      ['constructor', 'x'],
      ['github', 'read-provider-resource'],
    ] as const) {
      const { status, text } = await stand.call(token, { connection, tool, arguments: { junk: true } });
      expect([connection, tool, status]).toEqual([connection, tool, 404]);
      texts.add(text);
    }
    expect([...texts].map((text) => JSON.parse(text).error)).toEqual(['integration action not found or disabled']);
    expect(stand.provider.asked).toEqual([]);
    await stand.setPolicy(github, {});
  });

  it('needs connect:write for an enabled write, and says so only then', async () => {
    const reader = await stand.token({ scopes: ['connect:read'] });
    expect(
      (await stand.call(reader, { connection: 'github', tool: 'create-issue', arguments: arguments_ })).status,
    ).toBe(404);
    await stand.setPolicy(github, { actions: { 'create-issue': true } });
    const { status, body } = await stand.call(reader, { connection: 'github', tool: 'create-issue', arguments: {} });
    expect([status, body.ok, body.error]).toEqual([
      400,
      false,
      "integration action 'create-issue' requires connect:write",
    ]);
    await stand.setPolicy(github, {});
  });

  it('is 403 for anyone who is not a member, whatever the organization role, and for a workspace that does not exist', async () => {
    await stand.db.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_named1', $1, 'named', 'Named', 'named')",
      [stand.organization.id],
    );
    const named = { organizationId: stand.organization.id, workspaceId: 'ws_named1' };
    await stand.connect('github', { place: named });
    const stranger = await addPerson(stand.db, 'stranger');
    const member: Person = await join(stand.db, stand.organization.id, await addPerson(stand.db, 'member'), 'member');
    const call = { connection: 'github', tool: 'list-repositories' };
    for (const [person, workspace, expected] of [
      [stranger, undefined, 403],
      [stand.owner, 'named', 403],
      [stand.owner, 'ws_named1', 403],
      [stand.owner, 'nowhere', 403],
      [member, 'named', 403],
      [member, undefined, 200],
      [member, 'default', 200],
    ] as const) {
      const { status, body } = await stand.call(await stand.token({ person }), {
        ...call,
        ...(workspace === undefined ? {} : { workspace }),
      });
      expect([person.name, workspace, status]).toEqual([person.name, workspace, expected]);
      if (status === 403) expect(body.error).toBe('workspace_membership_required');
    }
    await joinWorkspace(stand.db, stand.organization.id, 'ws_named1', member, 'member');
    expect((await stand.call(await stand.token({ person: member }), { ...call, workspace: 'named' })).status).toBe(200);
    const bound = await stand.token({ person: member, workspaceId: 'ws_named1' });
    expect((await stand.call(bound, call)).body.receipt.stream).toBe('connect/ws_named1');
    expect((await stand.call(bound, { ...call, workspace: 'default' })).status).toBe(403);
  });

  it.each([
    [{ tool: 'list-issues' }, { connection: expect.any(String) }],
    [{ connection: 'github', tool: 'list-issues', arguments: arguments_, extra: 1 }, { extra: 'is not a known field' }],
    [
      { connection: 'github', tool: 'list-issues', arguments: { page: '2', extra: 1 } },
      {
        'arguments.owner': 'is required',
        'arguments.repo': 'is required',
        'arguments.page': 'must be integer',
        'arguments.extra': 'is not a known field',
      },
    ],
    [
      {
        connection: 'github',
        tool: 'list-issues',
        arguments: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, 1])),
      },
      expect.toSatisfy((details: Body) => Object.keys(details).length === 20),
    ],
    [
      {
        connection: 'github',
        tool: 'list-issues',
        arguments: { ...arguments_, labels: 'x'.repeat(100_000), extra: 1 },
      },
      expect.toSatisfy((details: Body) => Object.keys(details).length === 1),
    ],
    [{ connection: 'github', tool: 'list-issues', arguments: [] }, { arguments: 'must be an object' }],
    [
      { connection: 'github', tool: 'list-issues', arguments: { ...arguments_, labels: '${credentials.apiKey}' } },
      { 'arguments.labels': 'must not contain ${' },
    ],
    ['{', { body: 'must be valid JSON' }],
  ])('is 400 with details for %j', async (call, details) => {
    const before = (await receipts()).length;
    const { status, body } = await stand.call(token, call);
    expect([status, body.error, body.details]).toEqual([400, 'invalid_request', details]);
    expect((await receipts()).length).toBe(before);
    expect(stand.provider.asked).toEqual([]);
  });

  it('names a header that a call must not carry', async () => {
    const { status, body } = await stand.call(token, {
      connection: 'github',
      tool: 'list-repositories',
      headers: { 'x-forwarded-host': 'evil' },
    });
    expect([status, body.error]).toEqual([400, "header 'x-forwarded-host' is not allowed"]);
    expect(
      (await stand.call(token, { connection: 'github', tool: 'list-repositories', headers: { accept: '*/*' } })).body
        .details,
    ).toEqual({ headers: 'is not a known field' });
  });

  it('is 401 without a token, 403 without a connect scope, 413 over 1 MiB', async () => {
    expect((await stand.call('nonsense', {})).body).toMatchObject({ ok: false, error: 'unauthenticated' });
    const chat = await stand.call(await stand.token({ scopes: ['chat'] }), {});
    expect([chat.status, chat.body.error]).toEqual([403, 'insufficient_scope']);
    const large = await stand.call(token, {
      connection: 'github',
      tool: 'list-repositories',
      arguments: { x: 'a'.repeat(1024 * 1024) },
    });
    expect([large.status, large.body.error]).toEqual([413, 'request_too_large']);
  });
});

describe('selected repositories', () => {
  it.each([
    ['github', 'list-issues', { owner: 'Acme', repo: 'App' }, 200],
    ['github', 'list-issues', { owner: 'acme', repo: 'other' }, 403],
    ['github', 'list-issues', { owner: 'acme/app', repo: 'x' }, 403],
    ['github', 'list-repositories', {}, 403],
    ['gitlab', 'get-project', { id: 'acme/APP' }, 200],
    ['gitlab', 'get-project', { id: '4711' }, 403],
    ['gitlab', 'list-projects', {}, 403],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/acme/app/pullrequests' }, 200],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/ac%6De/App' }, 200],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/acme/other/x' }, 403],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/acme/app;x' }, 403],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/acme/app/../other' }, 403],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/repositories/acme' }, 403],
    ['bitbucket', 'read-provider-resource', { path: '/2.0/user' }, 403],
  ])('%s %s %j answers %i', async (connector, tool, given, expected) => {
    const connection = await stand.connect(connector);
    await stand.setPolicy(connection, { enforce: true, selected: ['acme/app'] });
    const { status, body } = await stand.call(token, { connection, tool, arguments: given });
    expect(status).toBe(expected);
    if (expected === 403) expect(body.error).toBe('repository_not_selected');
    await stand.setPolicy(connection, {});
  });
});

describe('receipts', () => {
  it('are tool.called then tool.observed on a 2xx, and prove the arguments without holding them', async () => {
    const before = (await receipts()).length;
    const { body } = await stand.call(token, {
      connection: 'github',
      tool: 'list-issues',
      arguments: { owner: 'secret-owner', repo: 'r' },
    });
    const [called, observed] = (await receipts()).slice(before);
    expect(called).toMatchObject({
      kind: 'tool.called',
      actor: `user:${stand.owner.id}`,
      body: { connection: github, provider: 'github', name: 'default', tool: 'list-issues' },
    });
    expect(observed).toMatchObject({
      kind: 'tool.observed',
      body: { call: called.body.call, status: 200, argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(body.receipt.index).toBe(before + 1);
    expect(JSON.stringify([called, observed])).not.toContain('secret-owner');
  });

  it('are tool.failed for another status, and the answer is still 200', async () => {
    stand.provider.answer(answerJson(404, { message: 'Not Found' }));
    const { status, body } = await stand.call(token, { connection: 'github', tool: 'list-repositories' });
    expect([status, body.ok, body.status, body.data]).toEqual([200, false, 404, { message: 'Not Found' }]);
    const last = (await receipts()).at(-1);
    expect(last).toMatchObject({ kind: 'tool.failed', body: { status: 404 } });
  });

  it("ask for a reconnect on the provider's 401 and when the credential cannot be renewed", async () => {
    stand.provider.answer(answerJson(401, { message: 'Bad credentials' }));
    expect((await stand.call(token, { connection: 'github', tool: 'list-repositories' })).body).toMatchObject({
      ok: false,
      status: 401,
      error: 'reconnect_required',
      receipt: {},
    });
    stand.provider.answer(
      answerJson(424, { error: { code: 'invalid_credentials', message: 'at-provider-github-default' } }),
    );
    const { status, text, body } = await stand.call(token, { connection: 'github', tool: 'list-repositories' });
    expect([status, body.ok, body.status, body.error]).toEqual([200, false, 401, 'reconnect_required']);
    expect(text).not.toContain('at-provider');
    expect((await receipts()).at(-1)).toMatchObject({ kind: 'tool.failed', body: { error: 'reconnect_required' } });
  });
});

it('answers 503 naming the three variables while integrations are not configured', async () => {
  const bare = await startToolStand({ configured: false });
  await bare.connect('github');
  const { status, body } = await bare.call(await bare.token(), { connection: 'github', tool: 'list-repositories' });
  expect([status, body.error]).toEqual([503, 'integrations_not_configured']);
  for (const name of [
    'SERVICE_INTEGRATIONS_URL',
    'SERVICE_INTEGRATIONS_SECRET_KEY',
    'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
  ])
    expect(body.message).toContain(name);
  await bare.close();
});
