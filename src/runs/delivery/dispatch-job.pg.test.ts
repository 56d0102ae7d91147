import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import type { Database } from '../../store/database.ts';
import { createDispatcher, type Dispatcher } from './dispatch-job.ts';
import { findJob } from '../record/find-jobs.ts';
import type { Job } from '../record/job.ts';
import { startControlJob } from './control-tasks.ts';

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

const start = async (): Promise<Job> => (await startControlJob(db, 'checkpoint', { actor: 'system:test' })).job;
const sweepNow = async (job: Job): Promise<void> => {
  await db.query('update :schema.job set look_at = now() where id = $1', [job.id]);
  await dispatcher.sweep();
};
const reasonOf = async (job: Job): Promise<string | undefined> => (await findJob(db, job.id))?.waitingReason;

describe('the sweep', () => {
  it('hands over a run that the broker never got, once', async () => {
    const job = await start();
    await sweepNow(job);
    expect(calls).toEqual([job.id]);
    await sweepNow(job);
    expect(calls).toEqual([job.id]);
  });

  it('shows that the broker is unreachable until it has the run', async () => {
    const job = await start();
    isDown = true;
    await sweepNow(job);
    expect(await reasonOf(job)).toBe('broker_unavailable');
    isDown = false;
    await sweepNow(job);
    expect([calls, await reasonOf(job)]).toEqual([[job.id], undefined]);
  });

  it('makes a call again, under the next id, when it ended before its run did', async () => {
    const job = await start();
    await sweepNow(job);
    states.set(job.id, 'rejected');
    await sweepNow(job);
    states.set(`${job.id}.1`, 'resolved');
    await sweepNow(job);
    expect(calls).toEqual([job.id, `${job.id}.1`, `${job.id}.2`]);
  });

  it('leaves runs alone that are not due', async () => {
    await start();
    await dispatcher.sweep();
    expect(calls).toEqual([]);
  });
});
