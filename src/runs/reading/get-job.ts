// Who may see a run: members of its workspace, through a token that is not bound to another one. Organization and
// workspace are predicates of the statement that finds the job, so what is not there for the caller is not there.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { type Job, jobColumns, type JobRow, toJob } from '../record/job.ts';

export interface JobReader {
  readonly userId: string;
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
}

const GET = `
select ${jobColumns('j')} from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = $1 and j.organization_id = $3 and ($4::text is null or j.workspace_id = $4) and w.is_member`;

export async function getJob(on: Queryable, reader: JobReader, id: string): Promise<Job> {
  if (id.includes('\0')) throw new AppError('not_found');
  const { rows } = await on.query<JobRow>(GET, [
    id,
    reader.userId,
    reader.organizationId ?? null,
    reader.workspaceId ?? null,
  ]);
  if (!rows[0]) throw new AppError('not_found');
  return toJob(rows[0]);
}
