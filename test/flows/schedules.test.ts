// Schedules with the processes that are shipped: two api processes, of which one dies, and a run that ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { pollUntil } from '../support/poll.ts';
import { openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';

describe('schedules', () => {
  let stand: RuntimeStand;
  let other: Program;
  beforeAll(async () => {
    stand = await openRuntimeStand();
    const environment = { SERVICE_SCHEDULE_MIN_SECONDS: '1' };
    await stand.start('broker');
    await stand.start('api', { environment });
    other = await stand.start('api', {
      environment: { ...environment, SERVICE_RUNTIME_PORT: String(await freePort()) },
    });
    await Promise.all([stand.start('driver'), stand.start('worker-chat')]);
  });
  afterAll(() => stand?.close());

  const make = async (body: object): Promise<string> => {
    const answer = await stand.request('POST', '/schedules', { body: { name: 'Timed', ...body } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.schedule.id as string;
  };
  const firings = async (id: string): Promise<{ plannedAt: string; outcome: string; job?: string }[]> =>
    (await stand.request('GET', `/schedules/${id}/firings`)).body.firings;

  it('start a run at their time, which works and ends like any other', async () => {
    const at = new Date(Date.now() + 1_500).toISOString();
    const id = await make({ run: { objective: 'sleep 10' }, at });
    const [fired] = await pollUntil(
      () => firings(id),
      (found) => found.length > 0,
    );
    expect(fired).toMatchObject({ plannedAt: at, outcome: 'started' });
    const job = await stand.until(fired?.job ?? '', 'completed', 'failed');
    expect(job).toMatchObject({ status: 'completed', startedBy: id, createdBy: stand.owner.id });
    const { body } = await stand.request('GET', `/schedules/${id}`);
    expect(body.schedule).toMatchObject({ lastRun: fired?.job, at });
    expect(body.schedule.nextAt).toBeUndefined();
  });

  it.each(['schedule:sch_1:2027-01-01T09:00:00.000Z', 'trigger:trg_1:dlv_1'])(
    'keep their key %s to themselves',
    async (key) => {
      const { status, body } = await stand.request('POST', '/agents/factory/jobs', {
        body: { objective: 'sleep 10', idempotencyKey: key },
      });
      expect({ status, error: body.error }).toMatchObject({ status: 400, error: 'invalid_request' });
    },
  );

  it('go on when an api process dies, each time once', async () => {
    const id = await make({ run: { objective: 'sleep 10' }, every: 1, overlap: 'queue' });
    await pollUntil(
      () => firings(id),
      (found) => found.length >= 2,
    );
    await other.stop('SIGKILL');
    const before = (await firings(id)).length;
    const found = await pollUntil(
      () => firings(id),
      (all) => all.length >= before + 2,
    );
    await stand.request('DELETE', `/schedules/${id}`);
    expect(new Set(found.map(({ plannedAt }) => plannedAt)).size).toBe(found.length);
    const { rows } = await stand.db.query<{ key: string }>(
      'select idempotency_key as key from :schema.job where started_by = $1',
      [id],
    );
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });
});
