// A planned time starts one run, whichever process dies at which statement.
import { describe, expect, it } from 'vitest';
import { useScheduleStand } from '../../../test/support/runs/schedule-stand.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { nextFiring } from './next-firing.ts';

const stand = useScheduleStand();
const { make, read, shift, process, firings, runsOf } = stand;

/** The claims of processes that died. */
const endLeases = (): Promise<unknown> =>
  stand.db.query('update :schema.schedule set look_at = now() where firing_at is not null');

/** Counts statements, and dies at one of them: before it reaches the database, or before its answer is heard. */
function mortal(deathAt: number, heard: boolean): { db: Database; said: () => number } {
  let count = 0;
  const query: Queryable['query'] = async (sql, values) => {
    const dies = ++count === deathAt;
    if (count > deathAt || (dies && heard)) throw new Error('the process died');
    const result = await stand.db.query<never>(sql, values);
    if (dies) throw new Error('the process died');
    return result;
  };
  const dying: Database = {
    ...stand.db,
    query,
    batches: undefined as never,
    transaction: async (work) => {
      const before = ++count === deathAt;
      if (count > deathAt || (before && heard)) throw new Error('the process died');
      const result = await stand.db.transaction(work);
      if (before) throw new Error('the process died');
      return result;
    },
  };
  return { db: dying, said: () => count };
}

describe('processes that die', () => {
  it('at any statement, start one run for one planned time', async () => {
    const whole = mortal(Infinity, false);
    const first = await make();
    await shift(first.standing.id, 3_601);
    await process(whole.db);
    const steps = whole.said();
    expect(steps).toBeGreaterThan(5);
    for (let step = 1; step <= steps; step++)
      for (const heard of [true, false]) {
        const { standing } = await make();
        await shift(standing.id, 3_601);
        await expect(process(mortal(step, heard).db), `step ${step}`).rejects.toThrow('the process died');
        await endLeases();
        await Promise.all([process(), process()]);
        expect(await runsOf(standing.id), `step ${step}`).toHaveLength(1);
        expect(await firings(standing.id), `step ${step}`).toMatchObject([{ outcome: 'started' }]);
      }
  });

  it('leave what was planned as the reference has it, over many schedules and two processes', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => make({ every: 7_200 + at }).then(({ standing }) => standing.id)),
    );
    const expected = new Map(made.map((id) => [id, new Set<string>()]));
    for (let round = 0; round < 4; round++) {
      // A stop of some length, different for each. The newest time is then an hour ago, so that no other comes meanwhile.
      for (const [at, id] of made.entries()) {
        const { nextAt } = await read(id);
        const untilNext = ((nextAt?.getTime() ?? 0) - Date.now()) / 1_000;
        await shift(id, untilNext + ((at + round) % 5) * (7_200 + at) + 3_600);
      }
      const now = new Date();
      for (const id of made) {
        const { timing, nextAt } = await read(id);
        let newest = nextAt !== undefined && nextAt <= now ? nextAt : undefined;
        for (let next = newest; next && next <= now; next = nextFiring(timing, next)) newest = next;
        if (newest) expected.get(id)?.add(newest.toISOString());
      }
      const deaths = [3, 7, 12, 20, 33].map((step) => process(mortal(step, step % 2 === 0).db).catch(() => {}));
      await Promise.all(deaths);
      await endLeases();
      await Promise.all([process(), process()]);
      await stand.db.query(
        "update :schema.job set status = 'completed', ended_at = now() where status = 'queued' and started_by is not null",
      );
    }
    for (const id of made) {
      const started = (await runsOf(id)).map((run) => run.idempotency_key.replace(`schedule:${id}:`, ''));
      expect(started.toSorted(), id).toEqual([...(expected.get(id) ?? [])].toSorted());
    }
  });
});
