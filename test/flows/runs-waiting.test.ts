// Runs that cannot begin yet: every one says why, is not lost, and can be aborted.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTROL_TASKS } from '../../src/runs/delivery/control-tasks.ts';
import { windowKey } from '../../src/runs/delivery/control-schedule.ts';
import { presentRun, storedWaiting } from '../../src/runs/reading/present-run.ts';
import { insertRun } from '../../src/runs/record/insert-run.ts';
import { freePort } from '../support/free-port.ts';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';

let stand: RuntimeStand;
beforeEach(async () => {
  stand = await openRuntimeStand();
});
afterEach(() => stand?.close());

const reason = async (id: string): Promise<string | undefined> =>
  (await stand.request('GET', `/jobs/${id}`)).body.job.waiting?.reason;

describe('a run of a person', () => {
  it('that an earlier version had no engine for says so, and is executed by this one', async () => {
    const job = {
      organizationId: stand.organization.id,
      workspaceId: stand.organization.defaultId,
      createdBy: stand.owner.id,
      actor: `user:${stand.owner.id}`,
      kind: 'chat',
      objective: 'quick',
    } as const;
    const kept = await insertRun(stand.db, { ...job, waitingReason: 'sandbox_engine_unavailable' });
    const shown = presentRun(kept.run, storedWaiting(kept.run));
    expect(shown).toMatchObject({
      status: 'queued',
      attempt: 0,
      waiting: { reason: 'sandbox_engine_unavailable', message: expect.stringContaining('execute') },
    });
    await Promise.all((['broker', 'driver', 'worker-chat', 'api'] as const).map((part) => stand.start(part)));
    expect(await stand.until(kept.run.id, 'completed')).toMatchObject({ attempt: 1 });
  });

  it('is one run however often it is requested with one key, and stays aborted', async () => {
    await stand.start('api');
    const ask = (objective: string): ReturnType<RuntimeStand['request']> =>
      stand.request('POST', '/agents/factory/jobs', { body: { objective, idempotencyKey: 'once' } });
    const { status, body } = await ask('quick');
    expect([status, body.job]).toMatchObject([202, { status: 'queued', attempt: 0 }]);
    expect((await ask('quick')).body.job.id).toBe(body.job.id);
    expect((await ask('else')).body.error).toBe('idempotency_conflict');
    expect((await stand.request('GET', '/jobs?status=queued')).body.jobs).toMatchObject([
      { id: body.job.id, waiting: { reason: expect.any(String) } },
    ]);
    expect((await stand.request('POST', `/jobs/${body.job.id}/abort`)).body.job).toMatchObject({
      status: 'aborted',
      attempt: 0,
    });
    await Promise.all((['broker', 'driver', 'worker-chat'] as const).map((part) => stand.start(part)));
    await stand.until(await stand.run('quick'), 'completed');
    expect((await stand.request('GET', `/jobs/${body.job.id}`)).body.job).toMatchObject({
      status: 'aborted',
      attempt: 0,
    });
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

  it('is not handed again and again to a worker that cannot reach the sandbox, past those that can', async () => {
    const blind = { environment: { SERVICE_SANDBOX_URL: `http://127.0.0.1:${await freePort()}` } };
    await Promise.all([
      ...(['api', 'broker', 'driver', 'worker-chat'] as const).map((part) => stand.start(part)),
      stand.start('worker-chat', blind),
    ]);
    const ids = await Promise.all(Array.from({ length: 12 }, () => stand.run('quick')));
    for (const id of ids) expect(await stand.until(id, 'completed')).toMatchObject({ attempt: 1 });
    const { rows } = await stand.db.query<{ round: number }>(
      'select round from :schema.job where id = any($1) order by round desc',
      [ids],
    );
    expect(rows).toHaveLength(ids.length);
    expect(rows[0]?.round).toBeLessThan(8);
  });
});

/** Nothing is recorded for these while there is nothing to do. */
const WHEN_DUE: ReadonlySet<string> = new Set(['mail', 'cap-warnings']);

it('the roles hold one stream each and do the work of the service itself', async () => {
  const api = await stand.start('api');
  const others = await Promise.all([
    stand.start('broker'),
    ...(['driver', 'worker-chat', 'worker-control', 'worker-codex'] as const).map((part) => stand.start(part)),
  ]);
  const { rows } = await expect
    .poll(
      async () =>
        stand.db.query(
          "select task, status from :schema.job where organization_id is null and status = 'completed' order by task",
        ),
      { timeout: 40_000 },
    )
    .toMatchObject({
      rowCount: CONTROL_TASKS.filter((task) => windowKey(task, new Date()) !== undefined && !WHEN_DUE.has(task)).length,
    })
    .then(() =>
      stand.db.query<{ task_group: string }>(
        'select task_group from :schema.broker_stream where ended_at is null order by 1',
      ),
    );
  expect(rows.map((row) => row.task_group)).toEqual([
    'service-chat',
    'service-codex',
    'service-control',
    'service-driver',
  ]);
  for (const one of [api, ...others.slice(1)]) expect(await one.stop()).toBe(0);
});
