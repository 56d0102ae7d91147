// A run acts with the authority of the token that started it, and no longer than that lasts: through the gateway, with
// real processes, a real sandbox, a scripted model and a stand-in for the apps.
import { createSecretKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { mintToken } from '../../src/tenancy/tokens/mint-token.ts';
import type { Body } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { addPerson, addSession, join, type Person } from '../support/people.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { servicectl } from '../support/cli/servicectl.ts';

const CREATE = {
  toolCalls: [{ name: 'github__create-issue', arguments: { owner: 'o', repo: 'r', title: 'From a run' } }],
};

describe('the authority of a run', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  let session: string;
  beforeAll(async () => {
    stand = await openRunStand({ environment: { SERVICE_RUNS_QUEUED_PER_PERSON: '3' } });
    tenant = await stand.newTenant();
    session = await addSession(stand.db, { id: tenant.userId } as Person);
    await stand.startShipped('web');
    await stand.startShipped('gateway');
    await tenant.connect('github');
    await tenant.connect('slack');
    const { connections } = await get(
      '/connect/connections',
      await token('connections', ['connect:read', 'connect:write']),
    );
    const { id } = connections.find(({ provider }: Body) => provider === 'github');
    const { status } = await send(
      'PUT',
      `/connect/connections/${id}/policy`,
      await token('policy', ['connect:read', 'connect:write']),
      { actions: { 'create-issue': true } },
    );
    if (status !== 200) throw new Error(`enabling a write answered ${status}`);
  });
  afterAll(() => stand?.close());
  afterEach(() => {
    stand.models.reset();
    stand.apps.asked.length = 0;
  });

  async function send(
    method: string,
    path: string,
    bearer: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${stand.gatewayUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }
  const get = async (path: string, bearer: string): Promise<Body> => (await send('GET', path, bearer)).body;

  async function mint(body: Record<string, unknown>, as = session): Promise<{ id: string; token: string }> {
    const answer = await send('POST', '/api/tokens', as, { organization: tenant.organization.id, ...body });
    if (answer.status !== 201) throw new Error(`minting answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const token = async (name: string, scopes: string[]): Promise<string> => (await mint({ name, scopes })).token;

  async function start(bearer: string, more: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await send('POST', '/runtime/agents/factory/jobs', bearer, {
      objective: 'File an issue',
      ...more,
    });
    if (status !== 202) throw new Error(`starting answered ${status}: ${JSON.stringify(body)}`);
    return body.job.id;
  }
  const offered = (): string[] =>
    ((stand.models.requests[0]?.json ?? { tools: [] }) as Body).tools.map(({ name }: { name: string }) => name);
  /** What reached the apps themselves. */
  const asked = (): string[] =>
    stand.apps.asked.filter(({ url }) => url.startsWith('/proxy/')).map(({ method, url }) => `${method} ${url}`);
  const finals = async (id: string): Promise<Body[]> =>
    (await get(`/runtime/jobs/${id}/receipts`, tenant.token)).receipts.filter(({ kind }: Body) =>
      /^job\.(?:completed|failed|aborted)$/.test(kind),
    );

  it('does not reach connected apps with a token for runs alone, named or not', async () => {
    for (const given of [
      { name: 'runs only', scopes: ['jobs:read', 'jobs:write'] },
      { scopes: ['jobs:read', 'jobs:write'] },
    ]) {
      const { token: bearer } = await mint(given);
      expect(
        (
          await send('POST', '/connect/call', bearer, {
            connection: 'github',
            tool: 'create-issue',
            arguments: { owner: 'o', repo: 'r', title: 'x' },
          })
        ).body.error,
      ).toBe('insufficient_scope');
      for (const more of [{ capabilities: ['github'] }, {}]) {
        stand.script(CREATE, bash('env | grep -c "^GIT\\|^GH_"; ls -a /workspace'), { text: 'Could not.' });
        const id = await start(bearer, more);
        expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
          status: 'completed',
          scopes: ['jobs:read', 'jobs:write'],
        });
        expect(offered()).toEqual(['bash']);
        expect(JSON.stringify(await tenant.events(id))).not.toContain('github:service');
        expect(asked()).toEqual([]);
        stand.models.reset();
      }
    }
  });

  it('reads without connect:write, and writes with it', async () => {
    stand.script({ toolCalls: [{ name: 'github__list-issues', arguments: { owner: 'o', repo: 'r' } }] }, CREATE, {
      text: 'Done.',
    });
    await tenant.until(
      await start(await token('reads', ['jobs:write', 'connect:read']), { capabilities: ['github'] }),
      'completed',
    );
    expect(offered()).toContain('github__list-issues');
    expect(offered()).not.toContain('github__create-issue');
    expect(asked()).toEqual(['GET /proxy/repos/o/r/issues']);

    stand.models.reset();
    stand.script(CREATE, { text: 'Done.' });
    await tenant.until(await start(await token('writes', ['jobs:write', 'connect:write'])), 'completed');
    expect(asked()).toEqual(['GET /proxy/repos/o/r/issues', 'POST /proxy/repos/o/r/issues']);
  });

  it('ends at the capabilities that it names, at the endpoint itself', async () => {
    const { token: bearer } = await mintToken(
      { db: stand.db, key: createSecretKey(Buffer.from('connect secret of the runtime tests')), clock: systemClock },
      {
        userId: tenant.userId,
        organizationId: tenant.organization.id,
        scopes: ['connect:read', 'connect:write'],
        lifetimeSeconds: 600,
        capabilities: ['slack'],
      },
    );
    const rpc = (method: string, params: object): Promise<{ status: number; body: Body }> =>
      send('POST', '/connect/mcp', bearer, { jsonrpc: '2.0', id: 1, method, params });
    const names = (await rpc('tools/list', {})).body.result.tools.map(({ name }: Body) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name: string) => !name.startsWith('slack__'))).toEqual([]);
    expect(
      (await rpc('tools/call', { name: CREATE.toolCalls[0]?.name, arguments: CREATE.toolCalls[0]?.arguments })).body
        .result.isError,
    ).toBe(true);
    expect(
      (
        await send('POST', '/connect/call', bearer, {
          connection: 'github',
          tool: 'list-issues',
          arguments: { owner: 'o', repo: 'r' },
        })
      ).status,
    ).toBe(404);
    expect(asked()).toEqual([]);
    // Nor does a token of a run start another.
    expect((await send('POST', '/runtime/agents/factory/jobs', bearer, { objective: 'More' })).body.error).toBe(
      'insufficient_scope',
    );
  });

  it('ends with the token that started it, and says why', async () => {
    const { id: tokenId, token: bearer } = await mint({ name: 'to be revoked', scopes: ['jobs:read', 'jobs:write'] });
    stand.script(bash('sleep 271828.1'));
    const id = await start(bearer);
    await tenant.until(id, 'running');
    await stand.models.request(0);
    expect((await send('DELETE', `/api/tokens/${tokenId}`, session)).status).toBe(200);
    const job = await tenant.until(id, 'aborted', 'completed', 'failed');
    expect(job).toMatchObject({
      status: 'aborted',
      error: 'The token that the run was started with was revoked. (token_revoked)',
    });
    expect((await finals(id)).map(({ kind, body, actor }) => ({ kind, reason: body.reason, actor }))).toEqual([
      { kind: 'job.aborted', reason: 'token_revoked', actor: 'system:api' },
    ]);
    await expect
      .poll(() => stand.sandbox.client.health(), { timeout: 30_000 })
      .toMatchObject({ ok: true, sandboxes: 0 });
    const shown = await servicectl(['job', id], {
      environment: { SERVICE_URL: stand.gatewayUrl, SERVICE_TOKEN: tenant.token },
    });
    expect(shown.stdout).toContain('token_revoked');
  });

  it('ends with the membership of the person', async () => {
    const member = await join(stand.db, tenant.organization.id, await addPerson(stand.db, 'member'), 'member');
    const theirs = await mint(
      { name: 'of a member', scopes: ['jobs:read', 'jobs:write'] },
      await addSession(stand.db, member),
    );
    stand.script(bash('sleep 271828.2'));
    const id = await start(theirs.token);
    await tenant.until(id, 'running');
    expect(
      (await send('DELETE', `/api/organizations/${tenant.organization.id}/members/${member.id}`, session)).status,
    ).toBe(200);
    expect(await tenant.until(id, 'aborted', 'completed', 'failed')).toMatchObject({
      status: 'aborted',
      error: expect.stringContaining('membership_removed'),
    });
    expect(await finals(id)).toHaveLength(1);
  });

  it('outlives a short token of the session', async () => {
    const { token: bearer } = await mint({ scopes: ['jobs:write'], expiresIn: '5s' });
    stand.script(bash('sleep 8; echo over'), { text: 'Went on.' });
    const id = await start(bearer);
    expect(await tenant.until(id, 'aborted', 'completed', 'failed')).toMatchObject({
      status: 'completed',
      startedWith: 'session',
    });
    expect((await send('POST', '/runtime/agents/factory/jobs', bearer, { objective: 'Late' })).status).toBe(401);
  });

  it('covers so many queued runs of a person, and says when that is reached', async () => {
    // Nothing executes runs of this kind here, so they stay queued.
    const bearer = await token('many', ['jobs:read', 'jobs:write']);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        send('POST', '/runtime/agents/factory/jobs', bearer, { objective: 'One of many', kind: 'control' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      202,
      202,
      202,
      ...Array.from({ length: 7 }, () => 429),
    ]);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
      ok: false,
      error: 'too_many_runs',
      details: { limit: 3 },
    });
    const refused = await servicectl(['run', 'One more', '--kind', 'control', '--detach'], {
      environment: { SERVICE_URL: stand.gatewayUrl, SERVICE_TOKEN: bearer },
    });
    expect([refused.code === 0, refused.stderr]).toEqual([
      false,
      expect.stringContaining('the most one person can have'),
    ]);
  });
});
