// Runs on a worker whose machine has a wrong clock: their times are the database's, and the difference is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { listProcesses } from '../../src/store/process-registry.ts';
import { fakeClockMissing, makeFakeClock } from '../support/fake-clock.ts';
import { leaveOut } from '../support/needs.ts';
import { openRuntimeStand, type RuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';

describe('a worker whose clock is an hour ahead', leaveOut(fakeClockMissing), () => {
  let stand: RuntimeStand;
  let worker: Program;
  beforeAll(async () => {
    stand = await openRuntimeStand();
    await stand.start('api');
    await Promise.all([stand.start('broker'), stand.start('driver')]);
    const clock = makeFakeClock(stand.directory);
    clock.shift(3_600);
    worker = await stand.start('worker-chat', { environment: clock.environment });
  });
  afterAll(() => stand?.close());

  it('records runs and receipts with the times of the database', async () => {
    const before = Date.now();
    const id = await stand.run('artifact hello');
    const job = await stand.until(id, 'completed', 'failed');
    const after = Date.now();
    expect(job.status).toBe('completed');
    const { body } = await stand.request('GET', `/jobs/${id}/receipts`);
    const times = [job.createdAt, job.startedAt, job.endedAt, ...body.receipts.map(({ at }: Body) => at)].map((at) =>
      Date.parse(at as string),
    );
    expect(times.length).toBeGreaterThan(6);
    // What the comparison of the clocks may be wrong by.
    expect(Math.min(...times)).toBeGreaterThan(before - 500);
    expect(Math.max(...times)).toBeLessThan(after + 500);
  });

  it('tells in its log and in the process table', async () => {
    await worker.said('clock of this machine differs from that of the database');
    const figure = async (role: string): Promise<number | undefined> =>
      (await listProcesses(stand.db)).find((one) => one.role === role)?.figures['clockAheadMs'];
    await expect.poll(() => figure('worker-chat'), { timeout: 30_000 }).toBeGreaterThan(3_590_000);
    expect(await figure('driver')).toBe(0);
  });
});
