import { describe, expect, it } from 'vitest';
import { content, json } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();

describe('api', () => {
  it('sends the credential that the path needs, and fields as query or body', async () => {
    stand.serve({ 'GET /api/x': { a: 1 }, 'POST /runtime/x': ({ body }) => json(body) });
    expect(await stand.servicectl(['api', 'GET', '/api/x', '--field', 'limit=1'])).toEqual({
      code: 0,
      stdout: '{"a":1}\n',
      stderr: '',
    });
    await stand.servicectl([
      'api',
      'post',
      '/runtime/x',
      '--field',
      'count=2',
      '--field',
      'name=a',
      '--header',
      'x-a: b',
    ]);
    expect(stand.requests()).toMatchObject([
      { bearer: 'the-session', query: { limit: '1' } },
      { bearer: TOKEN, body: { count: 2, name: 'a' }, headers: { 'x-a': 'b' } },
    ]);
  });

  it('prints any content, also of a refusal, which fails', async () => {
    stand.serve({ 'GET /text': content('text/plain', 'hello') });
    expect((await stand.servicectl(['api', 'GET', '/text'])).stdout).toBe('hello');
    expect(await stand.servicectl(['api', 'GET', '/nothing'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"error":"not_found"'),
      stderr: expect.stringContaining('→ Check the name or ID'),
    });
  });
});

describe('api --paginate', () => {
  it('follows the cursor and joins the lists', async () => {
    const pages: Record<string, object> = {
      '': { items: [1, 2], total: 3, cursor: 'a&b' },
      'a&b': { items: [3], total: 9 },
    };
    stand.serve({ 'GET /api/x': ({ query }) => json(pages[query['cursor'] ?? ''] ?? {}) });
    expect((await stand.servicectl(['api', 'GET', '/api/x?limit=2', '--paginate'])).stdout).toBe(
      '{"items":[1,2,3],"total":3}\n',
    );
    expect(stand.requests().map(({ query }) => query)).toEqual([{ limit: '2' }, { limit: '2', cursor: 'a&b' }]);
    expect((await stand.servicectl(['api', 'GET', '/api/x', '--paginate', '--jq', '.items | length'])).stdout).toBe(
      '3\n',
    );
  });

  it('fails for a cursor that repeats, a refusal, and what is not a page', async () => {
    stand.serve({
      'GET /api/again': { items: [], cursor: 'same' },
      'GET /api/list': () => json([1]),
    });
    for (const path of ['/api/again', '/api/list', '/api/nothing'])
      expect(await stand.servicectl(['api', 'GET', path, '--paginate'])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('--debug', () => {
  it('prints a line per request, without the query, the credentials or a body', async () => {
    stand.serve({ 'POST /api/x': () => json({ secret: 'hush' }, 200, { 'x-request-id': 'req_1' }) });
    const { stderr } = await stand.servicectl(['api', 'POST', '/api/x?q=private', '--field', 'a=hidden', '--debug']);
    expect(stderr).toMatch(new RegExp(`^POST ${stand.url}/api/x  200  \\d+ ms  req_1\\n$`));
    expect((await stand.servicectl(['api', 'POST', '/api/x'])).stderr).toBe('');
  });
});

describe('version', () => {
  it('prints both versions, and its own where the service cannot be reached', async () => {
    stand.serve({ 'GET /healthz': { ok: true, version: '9.9.9', build: 'abc' } });
    expect((await stand.servicectl(['version'])).stdout).toMatch(
      new RegExp(`^servicectl\\t\\d+\\.\\S+, Node v\\S+\\nservice\\t9\\.9\\.9 \\(build abc\\) at ${stand.url}\\n$`),
    );
    expect(JSON.parse((await stand.servicectl(['version', '--json'])).stdout)).toMatchObject({
      service: { url: stand.url, version: '9.9.9' },
    });
    const alone = await stand.servicectl(['version', '--url', 'http://127.0.0.1:9']);
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^servicectl\t[^\n]*\n$/) });
    expect(alone.stderr).toContain('cannot reach http://127.0.0.1:9');
    stand.serve({});
    expect((await stand.servicectl(['version', '--client'])).code).toBe(0);
    expect(stand.requests()).toEqual([]);
  });
});

describe('open', () => {
  it('prints the address of a page, in the organization in use', async () => {
    expect((await stand.servicectl(['open', 'job_1'])).stdout).toBe(`${stand.url}/runs/job_1?org=acme\n`);
    expect((await stand.servicectl(['open', 'connect/ws_1'])).stdout).toContain('/receipts/connect%2Fws_1?org=acme');
    expect((await stand.servicectl(['open', 'api-docs', '--json'])).stdout).toBe(`{"url":"${stand.url}/docs/api"}\n`);
  });

  it('refuses what has no page', async () => {
    expect(await stand.servicectl(['open', 'sk-1234'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('completion', () => {
  it('prints a script, and refuses an unknown shell', async () => {
    expect(await stand.servicectl(['completion', 'fish'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^# fish completion for servicectl\n/),
    });
    expect(await stand.servicectl(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });

  it('completes values from the service, and nothing when it fails', async () => {
    stand.serve({
      'GET /connect/connections': {
        connections: [
          { provider: 'github', name: 'work', status: 'valid' },
          { provider: 'slack', name: 'default', status: 'valid' },
        ].map((one) => ({
          ...one,
          id: 'con_1',
          organization: 'org_1',
          workspace: 'ws_1',
          kind: 'integration-reference',
          createdAt: '2026-01-02T03:04:05.000Z',
          updatedAt: '2026-01-02T03:04:05.000Z',
        })),
      },
    });
    const complete = (...words: string[]) => stand.servicectl(['__complete', '--', ...words]);
    expect(await complete('disconnect', 'g')).toEqual({ code: 0, stdout: 'github:work\tvalid\n', stderr: '' });
    expect(await complete('connections', 'policy', 's')).toMatchObject({ stdout: 'slack\tvalid\n' });
    expect(await complete('job', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

it('completes fields and values of the policy, members and sign-ins', async () => {
  stand.serve({
    'GET /api/organizations/org_1/members': {
      members: [
        { user: 'usr_1', name: 'Ada', email: 'ada@example.test', role: 'owner', createdAt: '2026-01-02T03:04:05.000Z' },
      ],
    },
  });
  const complete = async (...words: string[]) => (await stand.servicectl(['__complete', '--', ...words])).stdout;
  expect(await complete('policy', 'set', 'require-z')).toBe('require-zdr\n');
  expect(await complete('policy', 'set', 'require-zdr', 'o')).toBe('on\noff\n');
  expect(await complete('members', 'remove', '')).toBe('ada@example.test\tAda\n');
  expect(await complete('members', 'role', 'ada@example.test', 'o')).toBe('owner\n');
  expect(await complete('caps', 'set', 'member', 'a')).toBe('ada@example.test\tAda\n');
  expect(await complete('auth', 'switch', 'ac')).toBe(`acme@${new URL(stand.url).host}\tAcme\n`);
  expect(await complete('jobs', '--as', 'ac')).toBe(`acme@${new URL(stand.url).host}\tAcme\n`);
});

describe('help', () => {
  it('shows the help of a command, and refuses an unknown one', async () => {
    expect((await stand.servicectl(['help', 'tokens', 'create'])).stdout).toMatch(/^Usage: servicectl tokens create /);
    expect(await stand.servicectl(['help', 'tokens', 'make'])).toMatchObject({ code: 2 });
  });
});
