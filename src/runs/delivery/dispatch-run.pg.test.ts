import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import type { Database } from '../../store/database.ts';
import { createDispatcher, type Dispatcher } from './dispatch-run.ts';
import { findRun } from '../record/find-runs.ts';
import type { Run } from '../record/run.ts';
import { startControlRun } from './control-tasks.ts';

let db: Database;
let dispatcher: Dispatcher;
const calls: string[] = [];
let isDown = false;
/** What the broker knows of each call. */
const states = new Map<string, string>();

beforeAll(async () => {
  db = await openTestDatabase();
  const broker = {
    async call(id: string) {
      if (isDown) throw new Error('ECONNREFUSED');
      calls.push(id);
      states.set(id, 'pending');
    },
    cancel: async () => {},
    resonate: {
      promises: {
        async get(id: string) {
          if (isDown) throw new Error('ECONNREFUSED');
          const state = states.get(id);
          if (state === undefined) throw Object.assign(new Error('not there'), { serverError: { code: 404 } });
          return { state };
        },
      },
    },
  };
  dispatcher = createDispatcher({
    db,
    broker: broker as never,
    driverGroup: 'driver',
    engines: { chat: undefined, control: undefined, codex: undefined },
    log: quiet,
  });
});
afterAll(async () => {
  await dispatcher.stop();
  await db.close();
});
beforeEach(async () => {
  isDown = false;
  calls.length = 0;
  await db.query('update :schema.job set look_at = null');
});

const start = async (): Promise<Run> => (await startControlRun(db, 'checkpoint', { actor: 'system:test' })).run;
const sweepNow = async (run: Run): Promise<void> => {
  await db.query('update :schema.job set look_at = now() where id = $1', [run.id]);
  await dispatcher.sweep();
};
const reasonOf = async (run: Run): Promise<string | undefined> => (await findRun(db, run.id))?.waitingReason;

describe('the sweep', () => {
  it('hands over a run that the broker never got, once', async () => {
    const run = await start();
    await sweepNow(run);
    expect(calls).toEqual([run.id]);
    await sweepNow(run);
    expect(calls).toEqual([run.id]);
  });

  it('shows that the broker is unreachable until it has the run', async () => {
    const run = await start();
    isDown = true;
    await sweepNow(run);
    expect(await reasonOf(run)).toBe('broker_unavailable');
    isDown = false;
    await sweepNow(run);
    expect([calls, await reasonOf(run)]).toEqual([[run.id], undefined]);
  });

  it('makes a call again, under the next id, when it ended before its run did', async () => {
    const run = await start();
    await sweepNow(run);
    states.set(run.id, 'rejected');
    await sweepNow(run);
    states.set(`${run.id}.1`, 'resolved');
    await sweepNow(run);
    expect(calls).toEqual([run.id, `${run.id}.1`, `${run.id}.2`]);
  });

  it('leaves runs alone that are not due', async () => {
    await start();
    await dispatcher.sweep();
    expect(calls).toEqual([]);
  });
});
