// Starts the run of a schedule at once, for the person who made it. It is a firing like those at planned times, with the
// moment as its time; an unfinished run does not keep it from starting, because somebody has asked for it.
import { AppError } from '../../base/errors.ts';
import type { Run } from '../record/run.ts';
import { type BeginDeps, beginRun } from '../standing/begin-run.ts';
import { firedBy, firingKey } from './fire-schedule.ts';
import type { Schedule } from './schedule.ts';

const RECORD = `
insert into :schema.schedule_firing (schedule_id, planned_at, at, outcome, job_id, code)
  select id, $2, now(), $3, $4, $5 from :schema.schedule where id = $1 on conflict do nothing`;

export async function startNow(deps: BeginDeps, { standing }: Schedule, now = new Date()): Promise<Run> {
  const begun = await beginRun(deps, standing, {
    objective: standing.run.objective,
    idempotencyKey: firingKey(standing.id, now),
  });
  const { outcome, jobId, code } = firedBy(begun);
  await deps.db.query(RECORD, [standing.id, now, outcome, jobId ?? null, code ?? null]);
  if (begun.outcome === 'refused') throw new AppError(begun.code, begun.details);
  return begun.run;
}
