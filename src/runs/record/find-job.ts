import type { Queryable } from '../../store/database.ts';
import { type Job, jobColumns, type JobRow, toJob } from './job.ts';
import type { JobStatus } from './job-states.ts';

const FIND = `select ${jobColumns('j')} from :schema.job j where j.id = $1`;

/** For the service itself: no reader is asked for. */
export async function findJob(on: Queryable, id: string): Promise<Job | undefined> {
  const { rows } = await on.query<JobRow>(FIND, [id]);
  return rows[0] && toJob(rows[0]);
}

export interface JobStanding extends Record<string, unknown> {
  id: string;
  status: JobStatus;
  attempt: number;
}

const STANDINGS =
  'select j.id, j.status, j.attempt from unnest($1::text[]) as w (id) cross join lateral (select * from :schema.job k where k.id = w.id limit 1) j';

/** How far runs have come. */
export async function findStandings(on: Queryable, ids: readonly string[]): Promise<JobStanding[]> {
  return (await on.query<JobStanding>(STANDINGS, [ids])).rows;
}
