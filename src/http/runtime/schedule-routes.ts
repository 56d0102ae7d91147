// Schedules over HTTP. The scope that the contract names for a route is checked first; what the caller may see and change
// is a predicate of the statements.
import { implement } from '@orpc/server';
import { runtimeContract } from '../../contract/contract.ts';
import { presentRun, storedWaiting } from '../../runs/reading/present-run.ts';
import { listFirings } from '../../runs/schedules/list-firings.ts';
import { nextFiring, type Timing } from '../../runs/schedules/next-firing.ts';
import { readTiming } from '../../runs/schedules/read-timing.ts';
import { changeSchedule, createSchedule, removeSchedule, type SaveDeps } from '../../runs/schedules/save-schedule.ts';
import { presentSchedule, SCHEDULES } from '../../runs/schedules/schedule.ts';
import { startNow } from '../../runs/schedules/start-now.ts';
import type { BeginDeps } from '../../runs/standing/begin-run.ts';
import { findListedWorkspace, getStanding, listStanding, requireMaker } from '../../runs/standing/find-standing.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';

export type ScheduleRouteDeps = SaveDeps & BeginDeps;

const SHOWN_TIMES = 5;

export function schedulesRouter(deps: ScheduleRouteDeps) {
  const { db, rules } = deps;
  const route = implement(runtimeContract.schedules).$context<{ caller: Caller }>();

  return route.router({
    create: route.create.handler(async ({ input, context: { caller } }) => ({
      schedule: presentSchedule(await createSchedule(deps, caller, input)),
    })),

    list: route.list.handler(async ({ input: { workspace, cursor, limit }, context: { caller } }) => {
      const query = { workspaceId: await findListedWorkspace(db, caller, workspace), cursor, limit };
      const { found, cursor: next } = await listStanding(db, SCHEDULES, caller, query);
      return { schedules: found.map(presentSchedule), ...(next === undefined ? {} : { cursor: next }) };
    }),

    times: route.times.handler(({ input }) => {
      const now = new Date();
      return { times: listTimes(readTiming(input, { now, minSeconds: rules.minSeconds }), now) };
    }),

    get: route.get.handler(async ({ input: { id }, context: { caller } }) => ({
      schedule: presentSchedule((await getStanding(db, SCHEDULES, caller, { id })).one),
    })),

    update: route.update.handler(async ({ input, context: { caller } }) => ({
      schedule: presentSchedule(await changeSchedule(deps, caller, input)),
    })),

    remove: route.remove.handler(async ({ input: { id }, context: { caller } }) => {
      await removeSchedule(db, caller, id);
      return { ok: true as const };
    }),

    run: route.run.handler(async ({ input: { id }, context: { caller } }) => {
      const { one, right } = await getStanding(db, SCHEDULES, caller, { id });
      requireMaker(right);
      const run = await startNow(deps, one);
      return { job: presentRun(run, storedWaiting(run)) };
    }),

    firings: route.firings.handler(async ({ input: { id, ...page }, context: { caller } }) => {
      await getStanding(db, SCHEDULES, caller, { id });
      return listFirings(db, id, page);
    }),
  });
}

function listTimes(timing: Timing, now: Date): string[] {
  const times: string[] = [];
  for (let at = nextFiring(timing, now); at && times.length < SHOWN_TIMES; at = nextFiring(timing, at))
    times.push(at.toISOString());
  return times;
}
