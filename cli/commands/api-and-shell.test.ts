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
    expect(await complete('job', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('help', () => {
  it('shows the help of a command, and refuses an unknown one', async () => {
    expect((await stand.servicectl(['help', 'tokens', 'create'])).stdout).toMatch(/^Usage: servicectl tokens create /);
    expect(await stand.servicectl(['help', 'tokens', 'make'])).toMatchObject({ code: 2 });
  });
});
