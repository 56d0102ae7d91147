// Background runs of kind chat, end to end: real processes, a real sandbox, a scripted model, a stand-in for the apps.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { loadConnectors } from '../../src/catalog/load-connectors.ts';
import type { Body } from '../support/http-client.ts';
import { bash, openRunStand, PLATFORM_KEY, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { processesWith } from '../support/sandbox/processes-with.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

/** The bodies of the model calls. */
const asked = (stand: RunStand): Body[] => stand.models.requests.map(({ json }) => json as Body);

const facts = (events: Body[], type: string): Body[] => events.filter((event) => event.data.progress?.type === type);

describe('a run of kind chat', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  beforeAll(async () => {
    stand = await openRunStand();
    tenant = await stand.newTenant();
  });
  afterAll(() => stand?.close());
  afterEach(() => stand.models.reset());

  it('works with a shell and a connected app, leaves artifacts and answers', async () => {
    await tenant.connect('github');
    await tenant.connect('slack');
    stand.script(
      bash('echo "hello $((40 + 2))"; false', 'I look around first.'),
      { toolCalls: [{ name: 'github__list-issues', arguments: { owner: 'o', repo: 'r' } }] },
      bash(
        'mkdir -p artifacts/deep && echo report > artifacts/report.txt && echo x > artifacts/deep/x.txt && ln -s /etc/passwd artifacts/link',
      ),
      { text: 'Done: forty-two.', usage: { inputTokens: 100, outputTokens: 7 } },
    );
    const id = await tenant.run('Add up, look at the issues, leave a report', { capabilities: ['github'] });
    const job = await tenant.until(id, 'completed', 'failed');
    expect(job).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: {
        text: 'Done: forty-two.',
        steps: 4,
        usage: { calls: 4, inputTokens: 130, outputTokens: 22 },
        credential: 'platform',
        artifacts: [
          { name: 'report.txt', size: 7 },
          { name: 'deep/x.txt', size: 2 },
        ],
        artifactsCut: { count: 1, examples: [{ path: 'link', reason: 'not a plain file' }] },
      },
    });

    expect(await stand.sandbox.client.health()).toMatchObject({ ok: true, ...job.sandbox });
    expect(job.sandbox.limits).toMatchObject({ time: 'timer' });

    // What the model was shown: the output with its exit code, and the answer of the app.
    const [, second, third] = asked(stand);
    expect(second.input.at(-1)).toMatchObject({ type: 'function_call_output', output: 'hello 42\n\n[exit code 1]' });
    expect(JSON.stringify(third.input.at(-1))).toContain('/repos/o/r/issues');
    // The capability that the run names narrows the tools; the other connection is not offered.
    const offered = second.tools.map(({ name }: { name: string }) => name);
    expect(offered).toContain('bash');
    expect(offered.filter((name: string) => name !== 'bash' && !name.startsWith('github__'))).toEqual([]);
    expect(stand.apps.asked.map(({ url }) => url)).toEqual(['/proxy/repos/o/r/issues']);

    const events = await tenant.events(id);
    expect(
      facts(events, 'tool.ended').map(({ data }) => [data.progress.tool, data.progress.exit ?? data.progress.ok]),
    ).toEqual([
      ['bash', 1],
      ['github__list-issues', true],
      ['bash', 0],
    ]);
    expect(facts(events, 'tool.ended')[0]?.['detail']).toMatchObject({
      command: expect.stringContaining('40 + 2'),
      output: 'hello 42\n',
    });
    expect(facts(events, 'model').map(({ detail }) => detail?.text)).toEqual([
      'I look around first.',
      undefined,
      undefined,
      'Done: forty-two.',
    ]);
    // The chain itself names content by its hash only.
    const receipts = JSON.stringify((await tenant.ask('GET', `/jobs/${id}/receipts`)).body.receipts);
    for (const content of ['hello', '40 + 2', 'look around', 'forty-two', 'leave a report'])
      expect(receipts).not.toContain(content);

    expect((await tenant.ask('GET', `/jobs/${id}/artifacts`)).body.artifacts).toEqual([
      { name: 'deep/x.txt', size: 2 },
      { name: 'report.txt', size: 7 },
    ]);
    expect((await tenant.ask('GET', `/jobs/${id}/artifacts/report.txt`)).body).toBe('report\n');
    // The token of the run went with it.
    expect(
      (await stand.db.query("select 1 from :schema.connect_token where id like 'tkt\\_%' and revoked_at is not null"))
        .rowCount,
    ).toBeGreaterThan(0);
  });

  it('is offered tools to find tools with, where there are many', async () => {
    const many = await stand.newTenant();
    const { connectors } = loadConnectors();
    for (const { id } of connectors.filter(({ surface }) => surface === 'typed-proxy')) await many.connect(id);
    stand.script({ toolCalls: [{ name: 'find-tools', arguments: { query: 'github issues' } }] }, { text: 'Found.' });
    const id = await many.run('Find something');
    expect((await many.until(id, 'completed', 'failed')).status).toBe('completed');
    const [first, second] = asked(stand);
    expect(first.tools.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'bash',
      'call-tool',
      'describe-tool',
      'find-tools',
    ]);
    expect(JSON.stringify(second.input.at(-1))).toContain('github__list-issues');
  });

  it('gets an error for an unknown tool or wrong arguments, and continues', async () => {
    stand.script(
      { toolCalls: [{ name: 'browser', arguments: {} }] },
      { toolCalls: [{ name: 'github__list-issues', arguments: { wrong: true } }] },
      { text: 'Went on.' },
    );
    const id = await tenant.run('Try');
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      result: { text: 'Went on.', steps: 3 },
    });
  });

  it('is aborted when the person who started it has left', async () => {
    const leaver = await stand.newTenant();
    stand.script(bash('sleep 1'), { text: 'Too late.' });
    const id = await leaver.run('Go on without me');
    await stand.models.request(0);
    await stand.db.transaction(async (tx) => {
      await tx.query('delete from :schema.workspace_member where user_id = $1', [leaver.userId]);
      await tx.query('delete from :schema.organization_member where user_id = $1', [leaver.userId]);
    });
    await expect
      .poll(
        async () =>
          (
            await stand.db.query<{ status: string; error: string }>(
              'select status, error from :schema.job where id = $1',
              [id],
            )
          ).rows[0],
        { timeout: 60_000 },
      )
      .toMatchObject({ status: 'aborted', error: expect.stringContaining('membership_removed') });
  });

  it('shows the same events live, with messages and tool calls', async () => {
    stand.script(bash('echo live'), { text: 'Seen.' });
    const id = await tenant.run('Say something');
    const response = await fetch(`${stand.url}/jobs/${id}/events`, {
      headers: { authorization: `Bearer ${tenant.token}`, accept: 'text/event-stream' },
    });
    const live = (await response.text())
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    expect(live).toEqual(await tenant.events(id));
    expect(facts(live, 'tool.ended')[0]?.['detail'].output).toBe('live\n');
  });

  it('sees nothing of the service from inside, and no network', async () => {
    stand.script(
      bash(
        'id -u; env; cat /proc/*/environ /proc/*/cmdline /proc/self/mountinfo | tr "\\0" "\\n"; ls -a / /workspace /tmp /home/* /run; cat /proc/net/dev; timeout 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT" && echo rea""ched'.replace(
          '$PORT',
          new URL(stand.models.url).port,
        ),
      ),
      { text: 'Nothing.' },
    );
    const id = await tenant.run('Look for secrets');
    await tenant.until(id, 'completed');
    const output: string = facts(await tenant.events(id), 'tool.ended')[0]?.['detail'].output;
    expect(output).toContain('1000');
    // The positive control: the worker holds what is looked for.
    expect(stand.models.requests[0]?.headers['authorization']).toBe(`Bearer ${PLATFORM_KEY}`);
    for (const secret of [
      PLATFORM_KEY,
      'postgres',
      'SERVICE_',
      'OPENAI',
      'eyJ',
      stand.directory,
      stand.models.url,
      'reached',
      'eth0',
    ])
      expect(output).not.toContain(secret);
    for (const secret of [PLATFORM_KEY, 'eyJ']) expect(stand.worker.lines.join('\n')).not.toContain(secret);
  });

  it('is ended with its whole tree when it is aborted', async () => {
    stand.script(bash('setsid sleep 31415.9 & (trap "" TERM; sleep 31415.8) & sleep 31415.7'));
    const id = await tenant.run('Wait for a long time');
    await expect
      .poll(() => ['31415.9', '31415.8', '31415.7'].map((name) => processesWith(name).length > 0), { timeout: 60_000 })
      .toEqual([true, true, true]);
    expect((await tenant.ask('POST', `/jobs/${id}/abort`)).body.job.status).toBe('aborted');
    await expect.poll(() => processesWith('31415.'), { timeout: 30_000 }).toEqual([]);
    await expect
      .poll(() => stand.sandbox.client.health(), { timeout: 30_000 })
      .toMatchObject({ ok: true, sandboxes: 0 });
    expect((await tenant.until(id, 'aborted')).attempt).toBe(1);
    expect(stand.models.requests).toHaveLength(1);
  });

  it('says when it begins to wait for the model, and shows what a command prints while it runs', async () => {
    stand.script(bash('echo first; seq 1 300000; echo last; sleep 12345.6; echo after'), { text: 'Seen.' });
    const id = await tenant.run('Print a lot and wait');
    const output = async (): Promise<Body> => (await tenant.ask('GET', `/jobs/${id}/output`)).body.output;
    await expect.poll(async () => (await output())?.['text'].slice(-12), { timeout: 60_000 }).toBe('300000\nlast\n');
    const shown = await output();
    const started = facts(await tenant.events(id), 'tool.started')[0];
    expect([shown['event'], shown['text'].length]).toEqual([started?.['id'], 16_000]);
    // The numbers in lines of their own, with both words around them.
    expect(shown['from'] + 16_000).toBe('first\n'.length + 1_988_895 + 'last\n'.length);
    for (const pid of processesWith('sleep\x0012345.6')) process.kill(Number(pid));
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    expect(await output()).toBeNull();
    const types = (await tenant.events(id)).flatMap(({ data }) => data.progress?.type ?? []);
    // An account that another test connected is said first.
    expect(types.filter((type) => type !== 'clients')).toEqual([
      'began',
      'model.started',
      'model',
      'tool.started',
      'tool.ended',
      'model.started',
      'model',
    ]);
    expect(facts(await tenant.events(id), 'model.started').map(({ data }) => data.progress)).toEqual([
      { type: 'model.started', step: 1, model: 'service/auto' },
      { type: 'model.started', step: 2, model: 'service/auto' },
    ]);
    expect(facts(await tenant.events(id), 'tool.ended')[0]?.['detail'].output).toMatch(
      /^first\n1\n2\n[^]*characters cut[^]*\nlast\n[^]*after\n$/,
    );
  });

  it('shows where the output of a command is cut off', async () => {
    stand.script(bash('head -c 10000000 /dev/zero | tr "\\0" x; sleep 12345.7'));
    const id = await tenant.run('Print ten megabytes');
    await expect
      .poll(async () => (await tenant.ask('GET', `/jobs/${id}/output`)).body.output?.text, { timeout: 60_000 })
      .toMatch(/^x{15958}\n\[output beyond 4194304 bytes was dropped\]$/);
    await tenant.ask('POST', `/jobs/${id}/abort`);
    expect((await tenant.ask('GET', `/jobs/${id}/output`)).body).toEqual({ output: null });
    await expect
      .poll(() => stand.sandbox.client.health(), { timeout: 30_000 })
      .toMatchObject({ ok: true, sandboxes: 0 });
  });

  it('keeps the files that it had left when it is aborted', async () => {
    stand.script(bash('mkdir artifacts && echo half > artifacts/half.txt && sleep 14142.1'));
    const id = await tenant.run('Leave a file and wait');
    await expect.poll(() => processesWith('sleep\x0014142.1').length, { timeout: 60_000 }).toBeGreaterThan(0);
    await tenant.ask('POST', `/jobs/${id}/abort`);
    await expect
      .poll(async () => (await tenant.ask('GET', `/jobs/${id}/artifacts`)).body.artifacts, { timeout: 30_000 })
      .toEqual([{ name: 'half.txt', size: 5 }]);
    expect(processesWith('14142.1')).toEqual([]);
    expect((await tenant.ask('GET', `/jobs/${id}/artifacts/half.txt`)).body).toBe('half\n');
    await expect
      .poll(() => stand.sandbox.client.health(), { timeout: 30_000 })
      .toMatchObject({ ok: true, sandboxes: 0 });
  });

  it('tells the provider when it is aborted while the model answers', async () => {
    stand.script({ text: 'a very slow answer that nobody waits for', dripMs: 2_000 });
    const id = await tenant.run('Think');
    const asked = await stand.models.request(0);
    // The worker's packet, in the data directory: ids only, and only while it has the run.
    const packets = join(stand.directory, 'packets');
    expect(JSON.parse(readFileSync(join(packets, `${id}.json`), 'utf8'))).toEqual({
      job: id,
      role: 'worker-chat',
      pid: expect.any(Number),
      since: expect.any(String),
    });
    await tenant.ask('POST', `/jobs/${id}/abort`);
    expect(await asked.aborted).toBe(true);
    await expect.poll(() => readdirSync(packets), { timeout: 30_000 }).toEqual([]);
    // The input was used all the same.
    expect((await tenant.budget()).spent).toBeGreaterThan(0);
  });

  it('goes on where it was when its worker is killed, and ends once', async () => {
    const only = await openRunStand();
    try {
      const lonely = await only.newTenant();
      only.script(
        bash('mkdir -p deep && echo left-behind > deep/one.txt && echo first-is-done'),
        bash('sleep 27182.8'),
      );
      const id = await lonely.run('Survive');
      await expect.poll(() => processesWith('27182.8').length > 0, { timeout: 60_000 }).toBe(true);
      await only.worker.stop('SIGKILL');
      await expect.poll(() => processesWith('27182.8'), { timeout: 60_000 }).toEqual([]);
      only.script(bash('cat deep/one.txt; rm deep/one.txt'), { text: 'Done at last.' });
      await only.startShipped('worker-chat');
      expect(await lonely.until(id, 'completed', 'failed')).toMatchObject({
        status: 'completed',
        attempt: 2,
        result: { text: 'Done at last.', steps: 4, usage: { calls: 4 } },
      });
      // The finished step is told again, not made again; the one under way is told as unknown; the files are there.
      const [, , third, fourth] = asked(only);
      expect(JSON.stringify(third)).toContain('first-is-done');
      expect(JSON.stringify(third)).toContain('It is not known how this ended');
      expect(JSON.stringify(fourth)).toContain('left-behind');
      const events = await lonely.events(id);
      expect(facts(events, 'tool.started').map(({ data }) => data.progress.step)).toEqual([1, 2, 3]);
      expect(facts(events, 'began').map(({ data }) => [data.progress.step, data.progress.files])).toEqual([
        [undefined, undefined],
        [2, true],
      ]);
      const kinds = (await lonely.ask('GET', `/jobs/${id}/receipts`)).body.receipts.map(
        ({ kind }: { kind: string }) => kind,
      );
      expect(kinds.filter((kind: string) => ['job.completed', 'job.failed', 'job.aborted'].includes(kind))).toEqual([
        'job.completed',
      ]);
      expect(kinds).toContain('job.retried');
    } finally {
      await only.close();
    }
  }, 240_000);
});
