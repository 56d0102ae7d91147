// Runs as a conversation shows them: the current state of each run that the reader may see.
import { resultText } from '../../contract/result-text.ts';
import type { ShownRun } from '../../contract/threads.ts';
import type { Queryable } from '../../store/database.ts';
import { storedWaiting } from './present-job.ts';
import type { JobReader } from '../record/find-jobs.ts';
import { type Job, jobColumns, type JobRow, toJob } from '../record/job.ts';

const READ = `
select ${jobColumns('j')} from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = any($1) and j.organization_id = $3 and w.is_member`;

/** By id; runs that the reader may not see are left out. */
export async function readShownRuns(
  on: Queryable,
  reader: JobReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownRun>> {
  if (ids.length === 0) return new Map();
  const { rows } = await on.query<JobRow>(READ, [ids, reader.userId, reader.organizationId ?? null]);
  return new Map(rows.map((row) => [row.id, show(toJob(row))]));
}

function show(job: Job): ShownRun {
  const waiting = storedWaiting(job);
  const result = job.status === 'completed' ? resultText(job.result) : undefined;
  return {
    id: job.id,
    objective: job.objective,
    status: job.status,
    ...(waiting ? { waiting: { ...waiting } } : {}),
    ...(result === undefined ? {} : { result }),
    ...(job.error === undefined ? {} : { error: job.error }),
    ...(job.endedAt ? { endedAt: job.endedAt.toISOString() } : {}),
  };
}
