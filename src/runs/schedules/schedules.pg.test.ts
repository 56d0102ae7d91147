// Schedules on a real database: who may do what, what becomes of a planned time, and that it starts one run, whichever
// process dies at which statement.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { loadModels } from '../../catalog/load-models.ts';
import { SCOPES, type Scope } from '../../contract/tokens.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { removeMember } from '../../tenancy/members/change-member.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { MOST_REFUSALS } from '../../contract/standing/standing-runs.ts';
import { getStanding, listStanding } from '../standing/find-standing.ts';
import { claimDue } from './claim-due.ts';
import { type FireDeps, fireSchedule } from './fire-schedule.ts';
import { listFirings } from './list-firings.ts';
import { nextFiring } from './next-firing.ts';
import { changeSchedule, createSchedule, removeSchedule, type SaveDeps, type ScheduleWish } from './save-schedule.ts';
import { type Schedule, SCHEDULES } from './schedule.ts';
import { startNow } from './start-now.ts';

let db: Database;
let organization: TestOrganization;
let owner: Person;
let maker: Person;
let me: Caller;
const cancelled: string[] = [];
const runnable = {
  catalog: loadConnectors(),
  models: loadModels(undefined),
  engines: { chat: true, control: true, codex: true },
  announcer: { announce() {}, flush: async () => {} },
  dispatcher: { dispatch() {}, cancel: ({ id }: { id: string }) => cancelled.push(id) },
};

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 8 });
});
afterAll(() => db.close());
beforeEach(async () => {
  // Each test has its own due schedules.
  await db.query("delete from :schema.standing_run where kind = 'schedule'");
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  maker = await join(db, organization.id, await addPerson(db, 'maker'), 'member');
  me = await callerOf(maker);
});

async function callerOf(person: Person, scopes: readonly Scope[] = SCOPES): Promise<Caller> {
  const membership = await findMembership(db, { userId: person.id, organizationId: organization.id });
  return {
    userId: person.id,
    organizationId: organization.id,
    workspaceId: undefined,
    scopes: new Set(scopes),
    tokenId: undefined,
    expiresAtMs: Date.now() + 60_000,
    membership,
  };
}

const saving = (more: Partial<SaveDeps['rules']> = {}): SaveDeps => ({
  db,
  ...runnable,
  rules: { perPerson: 1_000, minSeconds: 60, ...more },
});
const firing = (on: Queryable = db): FireDeps => ({ ...runnable, db: on });

const make = (wish: Partial<ScheduleWish> = {}, caller = me): Promise<Schedule> =>
  createSchedule(saving(), caller, {
    name: 'Daily',
    run: { objective: 'look at it' },
    overlap: 'skip',
    catchUp: 'one',
    enabled: true,
    ...(wish.cron === undefined && wish.at === undefined ? { every: 3_600 } : {}),
    ...wish,
  });

const read = async (id: string, caller = me): Promise<Schedule> =>
  (await getStanding(db, SCHEDULES, caller, { id })).one;
const shift = (id: string, seconds: number): Promise<unknown> =>
  db.query(
    'update :schema.schedule set next_at = next_at - make_interval(secs => $2), anchored_at = anchored_at - make_interval(secs => $2), at = at - make_interval(secs => $2), look_at = next_at - make_interval(secs => $2) where id = $1',
    [id, seconds],
  );
/** The claims of processes that died. */
const endLeases = (): Promise<unknown> =>
  db.query('update :schema.schedule set look_at = now() where firing_at is not null');

/** One process, until nothing is due. */
async function process(on: Database = db): Promise<void> {
  for (;;) {
    const claims = await claimDue(on);
    if (claims.length === 0) return;
    for (const claimed of claims) await fireSchedule(firing(on), claimed);
  }
}

/** Makes it due, and starts what is due. */
async function fire(id: string, seconds = 3_601): Promise<Schedule> {
  await shift(id, seconds);
  await process();
  return read(id);
}

const firings = async (id: string) => (await listFirings(db, id, {})).firings;
const runsOf = async (id: string): Promise<{ id: string; status: string; idempotency_key: string }[]> =>
  (
    await db.query<{ id: string; status: string; idempotency_key: string }>(
      'select id, status, idempotency_key from :schema.job where started_by = $1 order by id',
      [id],
    )
  ).rows;

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

/** Counts statements, and dies at one of them: before it reaches the database, or before its answer is heard. */
function mortal(deathAt: number, heard: boolean): { db: Database; said: () => number } {
  let count = 0;
  const query: Queryable['query'] = async (sql, values) => {
    const dies = ++count === deathAt;
    if (count > deathAt || (dies && heard)) throw new Error('the process died');
    const result = await db.query<never>(sql, values);
    if (dies) throw new Error('the process died');
    return result;
  };
  const dying: Database = {
    ...db,
    query,
    batches: undefined as never,
    transaction: async (work) => {
      const before = ++count === deathAt;
      if (count > deathAt || (before && heard)) throw new Error('the process died');
      const result = await db.transaction(work);
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
      await db.query(
        "update :schema.job set status = 'completed', ended_at = now() where status = 'queued' and started_by is not null",
      );
    }
    for (const id of made) {
      const started = (await runsOf(id)).map((run) => run.idempotency_key.replace(`schedule:${id}:`, ''));
      expect(started.toSorted(), id).toEqual([...(expected.get(id) ?? [])].toSorted());
    }
  });
});

describe('a schedule', () => {
  it('is paused when its person has lost the right to its runs, and goes on when they turn it on', async () => {
    const { standing } = await make();
    await removeMember(db, { userId: owner.id, organizationId: organization.id }, maker.id);
    await shift(standing.id, 3_601);
    await process();
    const seen = await read(standing.id, await callerOf(owner));
    expect(seen).toMatchObject({ standing: { paused: { reason: 'authority_lost' } }, nextAt: undefined });
    expect(await firings(standing.id)).toMatchObject([{ outcome: 'refused', code: 'authority_lost' }]);
    await join(db, organization.id, maker, 'member');
    const resumed = await changeSchedule(saving(), await callerOf(maker), { id: standing.id, enabled: true });
    expect(resumed.standing.paused).toBeUndefined();
    expect(resumed.nextAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('is paused when its run was refused five times in a row', async () => {
    const { standing } = await make();
    await db.query("update :schema.standing_run set model = 'openai/gone' where id = $1", [standing.id]);
    for (let time = 1; time < MOST_REFUSALS; time++) {
      expect((await fire(standing.id)).standing, `time ${time}`).toMatchObject({ refusals: time, paused: undefined });
    }
    expect(await fire(standing.id)).toMatchObject({ standing: { paused: { reason: 'refused' } }, nextAt: undefined });
    expect((await firings(standing.id)).map(({ code }) => code)).toEqual(Array(MOST_REFUSALS).fill('model_not_found'));
  });

  it('belongs to who made it; owners and admins see, pause and delete it', async () => {
    const { standing } = await make();
    const [manager, stranger] = [
      await callerOf(owner),
      await callerOf(await join(db, organization.id, await addPerson(db), 'member')),
    ];
    expect(await outcome(read(standing.id, stranger))).toBe('not_found');
    expect((await listStanding(db, SCHEDULES, stranger, {})).found).toEqual([]);
    expect((await listStanding(db, SCHEDULES, manager, {})).found.map((one) => one.standing.id)).toEqual([standing.id]);
    expect(await outcome(changeSchedule(saving(), manager, { id: standing.id, name: 'Mine' }))).toBe('maker_required');
    expect(await outcome(changeSchedule(saving(), manager, { id: standing.id, enabled: true }))).toBe('maker_required');
    const off = await changeSchedule(saving(), manager, { id: standing.id, enabled: false });
    expect(off).toMatchObject({ standing: { enabled: false }, nextAt: undefined });
    expect(await outcome(removeSchedule(db, stranger, standing.id))).toBe('not_found');
    await removeSchedule(db, manager, standing.id);
    expect(await outcome(read(standing.id))).toBe('not_found');
  });

  it('acts with the authority of the last change, and not of one that only turned it off', async () => {
    const { standing } = await make();
    const narrow = await callerOf(maker, ['jobs:write']);
    const off = await changeSchedule(saving(), narrow, { id: standing.id, enabled: false });
    expect(off.standing.authority.scopes).toEqual(SCOPES);
    const changed = await changeSchedule(saving(), narrow, { id: standing.id, run: { objective: 'do more' } });
    expect(changed.standing).toMatchObject({
      enabled: false,
      run: { objective: 'do more' },
      authority: { scopes: ['jobs:write'] },
    });
  });

  it('is one of so many that a person may have, however many are made at once', async () => {
    const wish: ScheduleWish = {
      name: 'One',
      run: { objective: 'x' },
      every: 60,
      overlap: 'skip',
      catchUp: 'one',
      enabled: true,
    };
    const made = await Promise.all(
      Array.from({ length: 8 }, () => outcome(createSchedule(saving({ perPerson: 3 }), me, wish))),
    );
    expect(made.filter((one) => one === 'too_many_schedules')).toHaveLength(5);
    expect((await listStanding(db, SCHEDULES, me, {})).found).toHaveLength(3);
  });

  it('is refused when it is saved for what it could never start', async () => {
    const wishes: readonly [Partial<ScheduleWish>, string][] = [
      [{ run: { objective: 'x', model: 'openai/none' } }, 'model_not_found'],
      [{ run: { objective: 'x', capabilities: ['none/none'] } }, 'capability_unusable'],
      [{ run: { objective: 'x', workspace: 'elsewhere' } }, 'workspace_membership_required'],
      [{ cron: '0 0 31 2 *', timezone: 'UTC' }, 'invalid_schedule'],
      [{ cron: '0 0 9 * * *', timezone: 'UTC' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *', timezone: 'Mars/Phobos' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *' }, 'invalid_schedule'],
      [{ cron: '0 9 * * *', timezone: 'UTC', every: 60 }, 'invalid_schedule'],
      [{ every: 59 }, 'invalid_schedule'],
      [{ every: 60, timezone: 'UTC' }, 'invalid_schedule'],
      [{ at: '2020-01-01T00:00:00Z' }, 'invalid_schedule'],
    ];
    for (const [wish, code] of wishes) expect(await outcome(make(wish)), JSON.stringify(wish)).toBe(code);
    expect((await listStanding(db, SCHEDULES, me, {})).found).toEqual([]);
  });

  it('keeps its next time when other things change, and its zone when the line does', async () => {
    const { standing, nextAt } = await make({ cron: '30 9 * * *', timezone: 'Asia/Kathmandu' });
    const renamed = await changeSchedule(saving(), me, { id: standing.id, name: 'Early', overlap: 'queue' });
    expect(renamed).toMatchObject({ nextAt, overlap: 'queue', standing: { name: 'Early' } });
    const moved = await changeSchedule(saving(), me, { id: standing.id, cron: '0 10 * * *' });
    expect(moved.timing).toEqual({ cron: '0 10 * * *', timezone: 'Asia/Kathmandu' });
    expect(moved.nextAt?.toISOString()).toMatch(/T04:15:00/);
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
      const { rows } = await db.query<{ ms: number }>(
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
    const other = await addOrganization(db, owner);
    organization = other;
    const late = await make({}, await callerOf(owner));
    await shift(late.standing.id, 3_601);
    expect((await claimDue(db)).map(({ schedule }) => schedule.standing.id)).toContain(late.standing.id);
  });
});
