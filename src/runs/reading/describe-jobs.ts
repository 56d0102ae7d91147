import type { Queryable } from '../../store/database.ts';
import { type Job, jobColumns, type JobRow, toJob } from '../record/job.ts';
import { type JobFigures, readJobFigures } from './read-job-figures.ts';

export interface JobsReport extends JobFigures {
  /** The service's own runs, newest first. */
  readonly own: readonly Record<string, unknown>[];
  /** Unfinished runs of all tenants, the one due longest first, without objective or person. */
  readonly due: readonly Record<string, unknown>[];
  /** Unfinished runs that are not executed because their chain does not verify; `error` has the reason and the index. */
  readonly refused: readonly Record<string, unknown>[];
}

const OWN = `select ${jobColumns('j')} from :schema.job j where j.organization_id is null order by j.id desc limit 20`;
const DUE = `select ${jobColumns('j')} from :schema.job j where j.look_at is not null order by j.look_at limit 50`;
const REFUSED = `select ${jobColumns('j')} from :schema.job j where j.status in ('queued', 'running') and j.waiting_reason = 'receipt_chain_invalid' order by j.id desc limit 50`;

/** For operators. */
export async function describeJobs(on: Queryable): Promise<JobsReport> {
  const own = (await on.query<JobRow>(OWN)).rows.map(toJob);
  const due = (await on.query<JobRow>(DUE)).rows.map(toJob);
  const refused = (await on.query<JobRow>(REFUSED)).rows.map(toJob);
  return {
    ...(await readJobFigures(on)),
    own: own.map(describe),
    due: due.map(describe),
    refused: refused.map(describe),
  };
}

export function describe(job: Job): Record<string, unknown> {
  const { id, kind, task, status, attempt, createdAt, startedAt, endedAt, error, waitingReason, round } = job;
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
    ...(task === undefined ? {} : { result: job.result }),
  };
}
