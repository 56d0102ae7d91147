// What ends a run of kind control or keeps it from beginning: its limits, strict mode, and the state of the sandbox.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { type Answered, DEBUG_TOKEN } from '../support/runs/runtime-stand.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { type ControllerProcess, sandboxSkipReason, startController } from '../support/sandbox/sandbox.ts';

describe('a run of kind control', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  const controllers: ControllerProcess[] = [];
  beforeAll(async () => {
    stand = await openRunStand({
      worker: 'worker-control',
      environment: { SERVICE_RUN_MAX_STEPS: '3', SERVICE_RUN_BUDGET_CENTS: '10', CHAT_REQUIRE_BYOK: 'true' },
    });
    tenant = await stand.newTenant();
    await tenant.saveKey('openai', tenant.organization.globalId, 'sk-own');
  });
  afterAll(async () => {
    await stand?.close();
    for (const one of controllers) await one.remove();
  });
  afterEach(() => stand.models.reset());

  const run = (more: Record<string, unknown> = {}): Promise<string> =>
    tenant.run('Do it', { kind: 'control', ...more });
  const finish = async (): Promise<Body> => tenant.until(await run(), 'completed', 'failed');
  const reasonOf = async (id: string): Promise<string | undefined> =>
    (await tenant.ask('GET', `/jobs/${id}`)).body.job.waiting?.reason;
  const diagnosed = (): Promise<Answered> => stand.request('GET', '/service-debug/sandbox', { token: DEBUG_TOKEN });
  const startAgain = async (environment: Record<string, string> = {}): Promise<void> => {
    controllers.push(
      await startController({
        environment: { ...environment, SERVICE_SANDBOX_URL: stand.sandbox.url },
        directory: stand.sandbox.directory,
      }),
    );
  };

  it('is confined as its controller says, which anyone who may read runs can see', async () => {
    const health = await stand.sandbox.client.health();
    const { driver, limits } = health.ok ? health : expect.unreachable();
    expect(await tenant.ask('GET', '/sandbox')).toEqual({ status: 200, body: { ok: true, driver, limits } });
    expect((await diagnosed()).body).toMatchObject({
      reachable: true,
      ok: true,
      driver,
      limits,
      sandboxes: expect.any(Number),
    });
    const token = await stand.mint(stand.owner, stand.organization.id, ['chat']);
    expect(await stand.request('GET', '/sandbox', { token })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });

  it('is ended after so many steps', async () => {
    stand.models.respondByDefault(bash('true'));
    expect(await finish()).toMatchObject({ status: 'failed', error: expect.stringContaining('SERVICE_RUN_MAX_STEPS') });
    expect(stand.models.requests).toHaveLength(3);
  });

  it('is ended when it has used its budget, on an own key too', async () => {
    stand.script({ ...bash('true'), usage: { inputTokens: 1_000_000, outputTokens: 1_000 } });
    expect(await finish()).toMatchObject({ status: 'failed', error: expect.stringContaining('run_budget_exhausted') });
    expect(stand.models.requests).toHaveLength(1);
  });

  it('is denied in strict mode without a key, in the words of the specification', async () => {
    const other = await stand.newTenant();
    const job = await other.until(await other.run('Do it', { kind: 'control' }), 'failed');
    expect(job.error).toContain('This provider requires an organization API key, but no key is configured.');
    expect(job.error).toContain('policy_denied:missing_provider_api_key:openai');
    expect(stand.models.requests).toEqual([]);
  });

  it('is shown the beginning and the end of a long output', async () => {
    stand.script(bash('echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last'), { text: 'Long.' });
    expect((await finish()).status).toBe('completed');
    const [, second] = stand.models.requests.map(({ json }) => json as Body);
    const output: string = second.input.at(-1).output;
    expect(output.length).toBeLessThan(30_000);
    expect(output).toMatch(/^first\n[^]*characters cut[^]*\nlast\n\n\[exit code 0\]$/);
  });

  it.each(['dies-midway', 'error-midway', 'ends-early'] as const)(
    'asks for an answer again that broke off: %s',
    async (fault) => {
      stand.script({ text: 'This one breaks off in the middle of it.', fault }, { text: 'Whole.' });
      expect(await finish()).toMatchObject({ status: 'completed', attempt: 1, result: { text: 'Whole.' } });
    },
  );

  it('fails with words for people when no answer is ever whole', async () => {
    stand.models.respondByDefault({ text: 'This one breaks off in the middle of it.', fault: 'dies-midway' });
    expect(await finish()).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: expect.stringContaining('provider_unavailable'),
    });
  });

  it('begins again when the sandbox is lost under it', async () => {
    stand.script(bash('sleep 16180.3'));
    const id = await run();
    await expect
      .poll(async () => (await tenant.events(id)).filter(({ data }) => data.progress?.type === 'tool.started').length, {
        timeout: 60_000,
      })
      .toBe(1);
    stand.script({ text: 'Second time.' });
    await stand.sandbox.stop('SIGKILL');
    await startAgain();
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      attempt: 2,
      result: { text: 'Second time.' },
    });
    expect((await tenant.events(id)).find(({ type }) => type === 'job.retried')?.['data']).toEqual({
      attempt: 2,
      reason: 'sandbox_lost',
    });
  });

  it('waits while the controller cannot be reached, says so, and begins once it answers', async () => {
    await controllers.at(-1)?.stop();
    // The worker keeps an answer of the controller for one second, and nothing shows when it has expired.
    await sleep(1_500);
    const id = await run();
    await expect.poll(() => reasonOf(id), { timeout: 60_000 }).toBe('sandbox_unreachable');
    expect((await tenant.ask('GET', `/jobs/${id}`)).body.job).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await tenant.ask('GET', '/sandbox')).toMatchObject({
      status: 200,
      body: { ok: false, reason: 'unreachable', fix: expect.any(String) },
    });
    expect((await diagnosed()).body).toMatchObject({ reachable: false });
    await startAgain();
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('is refused where no sandbox is safe, with the reason and what to do', async () => {
    await controllers.at(-1)?.stop();
    await startAgain({ SERVICE_SANDBOX_WHEN_UNSAFE: 'refuse', SERVICE_SANDBOX_DRIVER: 'gvisor' });
    await expect
      .poll(
        async () => (await tenant.ask('POST', '/agents/factory/jobs', { objective: 'x', kind: 'control' })).status,
        { timeout: 30_000 },
      )
      .toBe(503);
    const { body } = await tenant.ask('POST', '/agents/factory/jobs', { objective: 'x', kind: 'control' });
    expect(body).toMatchObject({
      ok: false,
      error: 'sandbox_unavailable',
      message: expect.stringContaining('To fix it'),
      details: { reason: expect.any(String), fix: expect.any(String) },
    });
    // What is said before anybody starts one are the same words.
    expect(await tenant.ask('GET', '/sandbox')).toMatchObject({ status: 200, body: { ok: false, ...body.details } });
    expect((await diagnosed()).body).toMatchObject({ reachable: true, ok: false, ...body.details });
  });
});
