// What becomes of a planned time, and of a schedule that can start nothing.
import { describe, expect, it } from 'vitest';
import { addOrganization, join } from '../../../test/support/people.ts';
import { useScheduleStand } from '../../../test/support/runs/schedule-stand.ts';
import { MOST_REFUSALS } from '../../contract/standing/standing-runs.ts';
import { removeMember } from '../../tenancy/members/change-member.ts';
import { claimDue } from './claim-due.ts';
import { changeSchedule } from './save-schedule.ts';
import { startNow } from './start-now.ts';

const stand = useScheduleStand();
const { callerOf, saving, firing, make, read, shift, process, fire, firings, runsOf, cancelled } = stand;

describe('a planned time', () => {
  it('starts a run for the person who made the schedule, and is followed by the next', async () => {
    const { standing, nextAt } = await make();
    const after = await fire(standing.id);
    const [run] = await runsOf(standing.id);
    const planned = new Date((nextAt?.getTime() ?? 0) - 3_601_000).toISOString();
    expect(run?.idempotency_key).toBe(`schedule:${standing.id}:${planned}`);
    expect(await firings(standing.id)).toMatchObject([{ plannedAt: planned, outcome: 'started', job: run?.id }]);
    expect(after.standing.lastRun).toBe(run?.id);
    expect(after.nextAt?.toISOString()).toBe(new Date(Date.parse(planned) + 3_600_000).toISOString());
  });

  it('that comes while the last run goes on is skipped, queued, or aborts it', async () => {
    for (const [overlap, outcomes, statuses] of [
      ['skip', ['skipped', 'started'], ['queued']],
      ['queue', ['started', 'started'], ['queued', 'queued']],
      ['abort', ['started', 'started'], ['aborted', 'queued']],
    ] as const) {
      const { standing } = await make({ overlap });
      await fire(standing.id);
      await fire(standing.id, 3_599.5);
      expect(
        (await firings(standing.id)).map((one) => one.outcome),
        overlap,
      ).toEqual(outcomes);
      expect(
        (await runsOf(standing.id)).map(({ status }) => status),
        overlap,
      ).toEqual(statuses);
    }
    expect(cancelled).toHaveLength(1);
  });

  it('that was missed is caught up with once, or not at all', async () => {
    const [one, none] = [await make(), await make({ catchUp: 'none' })];
    for (const { standing } of [one, none]) await shift(standing.id, 10 * 3_600 + 1_800);
    await process();
    expect(await runsOf(one.standing.id)).toHaveLength(1);
    expect(await runsOf(none.standing.id)).toHaveLength(0);
    expect(await firings(none.standing.id)).toMatchObject([{ outcome: 'skipped', code: 'missed' }]);
    for (const { standing } of [one, none])
      expect((await read(standing.id)).nextAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('is the only one of a schedule for one moment', async () => {
    const { standing } = await make({ at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await fire(standing.id)).nextAt).toBeUndefined();
    expect(await runsOf(standing.id)).toHaveLength(1);
  });
});

describe('a schedule', () => {
  it('is paused when its person has lost the right to its runs, and goes on when they turn it on', async () => {
    const { standing } = await make();
    await removeMember(stand.db, { userId: stand.owner.id, organizationId: stand.organization.id }, stand.maker.id);
    await shift(standing.id, 3_601);
    await process();
    const seen = await read(standing.id, await callerOf(stand.owner));
    expect(seen).toMatchObject({ standing: { paused: { reason: 'authority_lost' } }, nextAt: undefined });
    expect(await firings(standing.id)).toMatchObject([{ outcome: 'refused', code: 'authority_lost' }]);
    await join(stand.db, stand.organization.id, stand.maker, 'member');
    const resumed = await changeSchedule(saving(), await callerOf(stand.maker), { id: standing.id, enabled: true });
    expect(resumed.standing.paused).toBeUndefined();
    expect(resumed.nextAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('is paused when its run was refused five times in a row', async () => {
    const { standing } = await make();
    await stand.db.query("update :schema.standing_run set model = 'openai/gone' where id = $1", [standing.id]);
    for (let time = 1; time < MOST_REFUSALS; time++) {
      expect((await fire(standing.id)).standing, `time ${time}`).toMatchObject({ refusals: time, paused: undefined });
    }
    expect(await fire(standing.id)).toMatchObject({ standing: { paused: { reason: 'refused' } }, nextAt: undefined });
    expect((await firings(standing.id)).map(({ code }) => code)).toEqual(Array(MOST_REFUSALS).fill('model_not_found'));
  });

  it('can be run now, which its times and an unfinished run do not keep it from', async () => {
    const { standing, nextAt } = await make();
    await startNow(firing(), await read(standing.id));
    const run = await startNow(firing(), await read(standing.id));
    expect(await read(standing.id)).toMatchObject({ nextAt, standing: { lastRun: run.id } });
    expect((await firings(standing.id)).map(({ outcome: what }) => what)).toEqual(['started', 'started']);
  });

  it('starts at once when it is alone, and in its place when others are planned for the same time', async () => {
    const line = { cron: '0 9 * * *', timezone: 'UTC' };
    const delays: number[] = [];
    for (let at = 0; at < 12; at++) {
      const { standing } = await make(line);
      const { rows } = await stand.db.query<{ ms: number }>(
        'select extract(epoch from look_at - next_at)::float8 * 1000 as ms from :schema.schedule where id = $1',
        [standing.id],
      );
      delays.push(rows[0]?.ms ?? -1);
    }
    expect(delays[0]).toBe(0);
    expect(Math.max(...delays)).toBeGreaterThan(0);
    for (const [at, delay] of delays.entries()) expect(delay).toBeLessThanOrEqual(50 * at);
  });

  it('takes turns with those of other organizations', async () => {
    for (let at = 0; at < 60; at++) await shift((await make()).standing.id, 3_700);
    const other = await addOrganization(stand.db, stand.owner);
    stand.organization = other;
    const late = await make({}, await callerOf(stand.owner));
    await shift(late.standing.id, 3_601);
    expect((await claimDue(stand.db)).map(({ schedule }) => schedule.standing.id)).toContain(late.standing.id);
  });
});
