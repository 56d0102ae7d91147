// Runs that cannot begin yet: every one says why, is not lost, and can be aborted.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTROL_TASKS } from '../../src/jobs/control/control-tasks.ts';
import { type JobStand, openJobStand } from '../support/job-stand.ts';

let stand: JobStand;
beforeEach(async () => {
  stand = await openJobStand();
});
afterEach(() => stand?.close());

const reason = async (id: string): Promise<string | undefined> => (await stand.request('GET', `/jobs/${id}`)).body.job.waiting?.reason;

describe('a run of a person', () => {
  it('waits for an engine, says so in the record and in lists, and is executed once there is one', async () => {
    const unable = await stand.start('api', { environment: { TEST_WITHOUT_ENGINES: '1' } });
    const { status, body } = await stand.request('POST', '/agents/factory/jobs', { body: { objective: 'quick', kind: 'codex', idempotencyKey: 'once' } });
    expect([status, body.job]).toMatchObject([202, { status: 'queued', attempt: 0, kind: 'codex', waiting: { reason: 'sandbox_engine_unavailable', message: expect.stringContaining('execute') } }]);
    expect((await stand.request('POST', '/agents/factory/jobs', { body: { objective: 'quick', kind: 'codex', idempotencyKey: 'once' } })).body).toEqual(body);
    expect((await stand.request('POST', '/agents/factory/jobs', { body: { objective: 'else', kind: 'codex', idempotencyKey: 'once' } })).body.error).toBe('idempotency_conflict');
    expect((await stand.request('GET', '/jobs?status=queued')).body.jobs).toMatchObject([{ id: body.job.id, waiting: { reason: 'sandbox_engine_unavailable' } }]);
    const other = await stand.run('quick');
    expect((await stand.request('POST', `/jobs/${other}/abort`)).body.job).toMatchObject({ status: 'aborted', attempt: 0 });
    expect(await unable.stop()).toBe(0);

    await Promise.all([stand.start('broker'), stand.start('driver'), stand.start('worker-codex'), stand.start('api')]);
    expect(await stand.until(body.job.id, 'completed')).toMatchObject({ attempt: 1 });
    expect((await stand.request('GET', `/jobs/${other}`)).body.job.status).toBe('aborted');
  });

  it('waits for the broker, then for a worker, and comes through when both are there', async () => {
    await stand.start('api');
    const id = await stand.run('quick');
    await expect.poll(() => reason(id), { timeout: 30_000 }).toBe('broker_unavailable');
    await Promise.all([stand.start('broker'), stand.start('driver')]);
    await expect.poll(() => reason(id), { timeout: 30_000 }).toBe('no_worker');
    await stand.start('worker-chat');
    expect(await stand.until(id, 'completed')).toMatchObject({ attempt: 1 });
  });
});

it('the shipped roles hold one stream each and run the jobs of the service', async () => {
  const api = await stand.start('api', { shipped: true });
  const others = await Promise.all([stand.start('broker'), ...(['driver', 'worker-chat', 'worker-control', 'worker-codex'] as const).map((part) => stand.start(part, { shipped: true }))]);
  const { rows } = await expect
    .poll(async () => stand.db.query("select task, status from :schema.job where organization_id is null and status = 'completed' order by task"), { timeout: 40_000 })
    .toMatchObject({ rowCount: CONTROL_TASKS.length })
    .then(() => stand.db.query<{ task_group: string }>('select task_group from :schema.broker_stream where ended_at is null order by 1'));
  expect(rows.map((row) => row.task_group)).toEqual(['service-chat', 'service-codex', 'service-control', 'service-driver']);
  for (const one of [api, ...others.slice(1)]) expect(await one.stop()).toBe(0);
});
