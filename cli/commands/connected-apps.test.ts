import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const CONNECTION = {
  id: 'con_1',
  organization: 'org_1',
  workspace: 'ws_1',
  provider: 'github',
  name: 'work',
  kind: 'integration-reference',
  status: 'valid',
  createdAt: AT,
  updatedAt: AT,
};
const tool = (name: string, access: string) => ({
  name,
  access,
  description: `The tool ${name}.`,
  inputSchema: {
    type: 'object',
    properties: { owner: { type: 'string' }, page: { type: 'integer' } },
    required: ['owner'],
    additionalProperties: false,
  },
});
const CONNECTORS = {
  connectors: [
    {
      id: 'github',
      name: 'GitHub',
      category: 'code',
      words: ['tickets'],
      auth: { mode: 'oauth2', provider: 'github' },
      surface: 'nango-proxy',
      tools: [tool('list-issues', 'read'), tool('create-issue', 'write')],
    },
    {
      id: 'linear-mcp',
      name: 'Linear',
      category: 'planning',
      auth: { mode: 'mcp', provider: 'linear' },
      surface: 'provider-mcp',
      tools: [],
    },
  ],
  counts: { connectors: 2, tools: 2, writes: 1, surfaces: {} },
  configured: true,
};
const LISTED = { 'GET /connect/connections': { connections: [CONNECTION] } };
const CATALOGUE = { 'GET /connect/connectors': CONNECTORS };

describe('apps', () => {
  it('lists the catalogue and what is connected', async () => {
    stand.serve({ ...CATALOGUE, ...LISTED });
    expect((await stand.servicectl(['apps'])).stdout).toBe(
      'github\tGitHub\tcode\t2\tgithub:work\nlinear-mcp\tLinear\tplanning\tfrom app\t-\n',
    );
    expect((await stand.servicectl(['apps', 'plan'])).stdout).toMatch(/^linear-mcp\t/);
    expect((await stand.servicectl(['apps', 'Ticket'])).stdout).toMatch(/^github\t.*\n$/);
  });

  it('says that the integration provider is not set up', async () => {
    stand.serve({ 'GET /connect/connectors': { ...CONNECTORS, configured: false }, ...LISTED });
    expect((await stand.servicectl(['apps', 'nothing'])).stderr).toMatch(/^No app matches[\s\S]*has not set up/);
  });
});

describe('connect', () => {
  const session = (milliseconds: number) => () =>
    json(
      {
        token: 'secret',
        connectLink: 'https://connect.test/?session_token=secret',
        expiresAt: new Date(Date.now() + milliseconds).toISOString(),
      },
      201,
    );

  it('prints the link and waits until the app is connected', async () => {
    const lists = [{ connections: [] }, { connections: [CONNECTION] }];
    stand.serve({ 'GET /connect/connections': () => json(lists.shift()), 'POST /connect/sessions': session(60_000) });
    expect(await stand.servicectl(['connect', 'github:work', '--no-browser'])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/https:\/\/connect\.test\/\?session_token=secret[\s\S]*Connected github:work\.\n$/),
    });
    expect(stand.requests()[1]?.body).toEqual({ provider: 'github', name: 'work' });
  });

  it('fails when the session expires first', async () => {
    stand.serve({ 'GET /connect/connections': { connections: [] }, 'POST /connect/sessions': session(20) });
    expect(await stand.servicectl(['connect', 'github'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not connected in time'),
    });
  });
});

describe('connections', () => {
  it('lists the connections of a workspace', async () => {
    stand.serve({
      'GET /connect/connections': { connections: [{ ...CONNECTION, status: 'invalid', reason: 'revoked' }] },
    });
    expect(await stand.servicectl(['connections', '--workspace', 'research'])).toEqual({
      code: 0,
      stdout: `github:work\tinvalid (revoked)\tintegration-reference\tcon_1\t${AT}\n`,
      stderr: '',
    });
    expect(stand.requests()[0]).toMatchObject({ bearer: TOKEN, query: { workspace: 'research' } });
  });

  it('fails for a workspace that you are not in', async () => {
    stand.serve({ 'GET /connect/connections': refuse(403, 'workspace_membership_required') });
    expect(await stand.servicectl(['connections'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→ Choose another workspace'),
    });
  });
});

describe('connections policy', () => {
  const POLICY = {
    actions: { 'list-issues': true, 'create-issue': false },
    repositories: { enforce: false, selected: [] },
    push: 'off',
  };

  it('shows what is allowed, and changes only what is named', async () => {
    stand.serve({
      ...LISTED,
      'GET /connect/connections/con_1/policy': POLICY,
      'PUT /connect/connections/con_1/policy': ({ body }) => json({ push: 'off', ...(body as object) }),
    });
    expect(await stand.servicectl(['connections', 'policy', 'github:work'])).toMatchObject({
      code: 0,
      stdout: 'list-issues\tyes\ncreate-issue\tno\n',
      stderr: expect.stringContaining('all that the account can access'),
    });
    const changed = await stand.servicectl(
      'connections policy github:work --json --enable create-issue --repository acme/site'.split(' '),
    );
    expect(JSON.parse(changed.stdout)).toEqual({
      connection: 'github:work',
      actions: { 'list-issues': true, 'create-issue': true },
      repositories: { enforce: true, selected: ['acme/site'] },
      push: 'off',
    });
  });

  it('refuses a tool that does not exist', async () => {
    stand.serve({ ...LISTED, 'GET /connect/connections/con_1/policy': POLICY });
    expect(await stand.servicectl(['connections', 'policy', 'con_1', '--enable', 'nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It has: list-issues, create-issue'),
    });
  });
});

describe('disconnect', () => {
  it('removes a connection', async () => {
    stand.serve({ ...LISTED, 'DELETE /connect/connections/con_1': { ok: true } });
    expect(await stand.servicectl(['disconnect', 'github:work', '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Disconnected github:work.\n',
    });
  });

  it('needs a confirmation and an existing connection', async () => {
    stand.serve(LISTED);
    expect(await stand.servicectl(['disconnect', 'github:work'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['disconnect', 'slack', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no connection 'slack'"),
    });
    expect(stand.requests().every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('capabilities', () => {
  it('lists them', async () => {
    const capability = {
      command: 'gh',
      provider: 'github',
      source: 'connection',
      transport: 'cli',
      status: 'valid',
      connectionId: 'con_1',
      name: 'work',
      metadata: {},
      discoveredAt: AT,
    };
    stand.serve({ 'GET /connect/capabilities': { status: 'online', capabilities: { github: capability } } });
    expect((await stand.servicectl(['capabilities'])).stdout).toBe('github\tvalid\tgithub\tcli\tgh\t-\n');
  });

  it('says how to get one, and fails with an unusable token', async () => {
    stand.serve({ 'GET /connect/capabilities': { status: 'offline', capabilities: {} } });
    expect((await stand.servicectl(['capabilities'])).stderr).toContain('servicectl connect <provider>');
    stand.serve({ 'GET /connect/capabilities': refuse(401, 'unauthenticated') });
    expect(await stand.servicectl(['capabilities'])).toMatchObject({ code: 3 });
  });
});

describe('tools', () => {
  it('lists the tools of the connections, also those that the app itself lists', async () => {
    stand.serve({
      ...CATALOGUE,
      'GET /connect/connections': {
        connections: [CONNECTION, { ...CONNECTION, id: 'con_2', provider: 'linear-mcp', name: 'default' }],
      },
      'GET /connect/connections/con_2/tools': { tools: [tool('find', 'read')] },
    });
    expect((await stand.servicectl(['tools'])).stdout).toBe(
      [
        'github:work\tlist-issues\tread\towner [page]\tThe tool list-issues.',
        'github:work\tcreate-issue\twrite\towner [page]\tThe tool create-issue.',
        'linear-mcp\tfind\tread\towner [page]\tThe tool find.\n',
      ].join('\n'),
    );
  });

  it('fails for an unknown connection or app', async () => {
    stand.serve({ ...CATALOGUE, ...LISTED });
    expect(await stand.servicectl(['tools', 'slack'])).toMatchObject({ code: 1 });
    expect(await stand.servicectl(['tools', 'slack', '--all'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no app 'slack'"),
    });
  });
});

describe('call', () => {
  it('sends typed arguments and prints the data and the receipt', async () => {
    stand.serve({
      ...CATALOGUE,
      'POST /connect/call': {
        ok: true,
        status: 200,
        data: [1],
        receipt: { stream: 'connect/ws_1', index: 3, hash: 'a'.repeat(64) },
      },
    });
    expect(
      await stand.servicectl(['call', 'github:work', 'list-issues', '--arg', 'owner=acme', '--arg', 'page=2']),
    ).toEqual({ code: 0, stdout: '[\n  1\n]\n', stderr: 'status 200, receipt 3 of connect/ws_1\n' });
    expect(stand.requests().at(-1)?.body).toEqual({
      connection: 'github:work',
      tool: 'list-issues',
      arguments: { owner: 'acme', page: 2 },
    });
  });

  it('sends nothing if the arguments are invalid', async () => {
    stand.serve(CATALOGUE);
    expect(await stand.servicectl(['call', 'github', 'list-issues', '--json', '{"page":"x"}'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/arguments\.owner.*is required/),
    });
    expect(stand.requests()).toHaveLength(1);
  });

  it('fails when the app refuses', async () => {
    stand.serve({ ...CATALOGUE, 'POST /connect/call': { ok: false, status: 401, error: 'reconnect_required' } });
    expect(await stand.servicectl(['call', 'github', 'list-issues', '--arg', 'owner=acme'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→ Run: servicectl connect github'),
    });
  });
});

describe('import', () => {
  const imported = (kind: string, provider: string) => () =>
    json({ connection: { ...CONNECTION, kind, provider, name: 'default' } }, 201);

  it('stores a profile, credentials and a token', async () => {
    stand.serve({ 'POST /connect/connections/import': imported('local-cloud-profile', 'aws') });
    expect((await stand.servicectl(['import', 'aws', '--profile', 'staging'])).stderr).toBe(
      'Imported aws (local-cloud-profile).\n',
    );
    const bundle = { Version: 1, AccessKeyId: 'AKIA', SecretAccessKey: 'secret' };
    await stand.servicectl(['import', 'aws', '--bundle', '-'], { input: JSON.stringify(bundle) });
    await stand.servicectl(['import', 'code-host', 'github'], { input: 'ghp_token\n' });
    expect(stand.requests().map(({ body }) => body)).toEqual([
      { kind: 'local-cloud-profile', provider: 'aws', profile: 'staging' },
      { kind: 'cloud-credential-process', provider: 'aws', bundle },
      { kind: 'code-host-token', provider: 'github', token: 'ghp_token' },
    ]);
  });

  it('refuses a bundle that is not JSON without repeating it, and an empty token', async () => {
    const { code, stderr } = await stand.servicectl(['import', 'aws', '--bundle', '-'], { input: 'AKIA-secret' });
    expect([code, stderr.includes('secret')]).toEqual([2, false]);
    expect(await stand.servicectl(['import', 'code-host', 'github'])).toMatchObject({ code: 2 });
  });
});

describe('mcp', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const input = `${JSON.stringify(initialize)}\n${JSON.stringify(list)}\n`;

  it('carries messages both ways, with the negotiated version', async () => {
    stand.serve({
      'POST /connect/mcp': ({ body }) =>
        json({ jsonrpc: '2.0', id: (body as { id: number }).id, result: { protocolVersion: '2025-06-18' } }),
    });
    const { code, stdout, stderr } = await stand.servicectl(['mcp', '--search'], { input });
    expect([
      code,
      stderr,
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ]).toEqual([0, '', [1, 2]]);
    expect(stand.requests().map(({ query, headers }) => [query['tools'], headers['mcp-protocol-version']])).toEqual([
      ['search', undefined],
      ['search', '2025-06-18'],
    ]);
  });

  it('answers with a JSON-RPC error when the service refuses', async () => {
    stand.serve({ 'POST /connect/mcp': refuse(401, 'unauthenticated') });
    const { stdout } = await stand.servicectl(['mcp'], { input: `${JSON.stringify(list)}\nnot json\n` });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toContainEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32_000, message: expect.stringContaining('servicectl login') },
    });
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_700 }) });
  });
});
