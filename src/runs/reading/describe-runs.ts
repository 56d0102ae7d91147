import type { Queryable } from '../../store/database.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';
import { type RunFigures, readRunFigures } from './read-run-figures.ts';

export interface RunsReport extends RunFigures {
  /** The service's own runs, newest first. */
  readonly own: readonly Record<string, unknown>[];
  /** Unfinished runs of all tenants, the one due longest first, without objective or person. */
  readonly due: readonly Record<string, unknown>[];
  /** Unfinished runs that are not executed because their chain does not verify; `error` has the reason and the index. */
  readonly refused: readonly Record<string, unknown>[];
}

const OWN = `select ${runColumns('j')} from :schema.job j where j.organization_id is null order by j.id desc limit 20`;
const DUE = `select ${runColumns('j')} from :schema.job j where j.look_at is not null order by j.look_at limit 50`;
const REFUSED = `select ${runColumns('j')} from :schema.job j where j.status in ('queued', 'running') and j.waiting_reason = 'receipt_chain_invalid' order by j.id desc limit 50`;

/** For operators. */
export async function describeRuns(on: Queryable): Promise<RunsReport> {
  const own = (await on.query<RunRow>(OWN)).rows.map(toRun);
  const due = (await on.query<RunRow>(DUE)).rows.map(toRun);
  const refused = (await on.query<RunRow>(REFUSED)).rows.map(toRun);
  return {
    ...(await readRunFigures(on)),
    own: own.map(describe),
    due: due.map(describe),
    refused: refused.map(describe),
  };
}

export function describe(run: Run): Record<string, unknown> {
  const { id, kind, task, status, attempt, createdAt, startedAt, endedAt, error, waitingReason, round } = run;
  return {
    id,
    kind,
    task,
    status,
    attempt,
    round,
    createdAt,
    startedAt,
    endedAt,
    error,
    waitingReason,
    ...(task === undefined ? {} : { result: run.result }),
  };
}
