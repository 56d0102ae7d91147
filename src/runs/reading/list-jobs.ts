// Runs of the caller's workspaces, newest first. Each workspace contributes at most one page through an index, so the cost
// does not grow with the number of runs.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import type { JobReader } from '../record/find-jobs.ts';
import { type Job, jobColumns, type JobRow, toJob } from '../record/job.ts';
import type { JobKind, JobStatus } from '../record/job-states.ts';

export interface JobQuery {
  readonly status?: JobStatus | undefined;
  readonly kind?: JobKind | undefined;
  readonly workspaceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 50;

const listWith = (predicate: string): string => `
select ${jobColumns('j')} from (
  select m.workspace_id as id from :schema.member_workspace m
  where m.user_id = $1 and m.organization_id = $2 and ($3::text is null or m.workspace_id = $3) and m.is_member
) w
cross join lateral (
  select * from :schema.job j where j.workspace_id = w.id and j.organization_id = $2 and j.id < $4 collate "C" and ($6::text is null or j.kind = $6) ${predicate} order by j.id desc limit $5
) j
order by j.id desc limit $5`;

const LIST = listWith('');
const LIST_BY_STATUS = listWith('and j.status = $7');
const CURSOR = /^job_[0-9a-z]{1,60}$/;
const END = 'job_~';

export async function listJobs(
  on: Queryable,
  reader: JobReader,
  { status, kind, workspaceId, cursor, limit = DEFAULT_LIMIT }: JobQuery,
): Promise<{ jobs: Job[]; cursor?: string }> {
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new AppError('invalid_request', { cursor: 'is not one that this list gave' });
  if (reader.organizationId === undefined) return { jobs: [] };
  const values = [
    reader.userId,
    reader.organizationId,
    workspaceId ?? reader.workspaceId ?? null,
    cursor ?? END,
    limit + 1,
    kind ?? null,
  ];
  const { rows } = await (status === undefined
    ? on.query<JobRow>(LIST, values)
    : on.query<JobRow>(LIST_BY_STATUS, [...values, status]));
  const jobs = rows.slice(0, limit).map(toJob);
  const last = jobs.at(-1);
  return { jobs, ...(rows.length > limit && last ? { cursor: last.id } : {}) };
}
