import type { Queryable } from '../store/database.ts';
import { type Job, jobColumns, type JobRow, toJob } from './job.ts';

const FIND = `select ${jobColumns('j')} from :schema.job j where j.id = $1`;

/** For the service itself: no reader is asked for. */
export async function findJob(on: Queryable, id: string): Promise<Job | undefined> {
  const { rows } = await on.query<JobRow>(FIND, [id]);
  return rows[0] && toJob(rows[0]);
}
