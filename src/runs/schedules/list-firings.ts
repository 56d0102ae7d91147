// What became of the planned times of a schedule, the newest first.
import { AppError } from '../../base/errors.ts';
import type { Firing, FiringOutcome } from '../../contract/standing/schedules.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, rowsToRead } from '../../tenancy/paging.ts';

interface FiringRow extends Record<string, unknown> {
  planned_at: Date;
  at: Date;
  outcome: FiringOutcome;
  job_id: string | null;
  code: string | null;
}

const LIST = `
select planned_at, at, outcome, job_id, code from :schema.schedule_firing
  where schedule_id = $1 and planned_at < $2 order by planned_at desc limit $3`;

/** Of a schedule that the caller has been found to see. The cursor is the planned time. */
export async function listFirings(
  on: Queryable,
  scheduleId: string,
  page: PageRequest,
): Promise<{ firings: Firing[]; cursor?: string }> {
  const { rows: read } = await on.query<FiringRow>(LIST, [scheduleId, readCursor(page.cursor), rowsToRead(page)]);
  const { rows, cursor } = cutPage(read, page, ({ planned_at: at }) => at.toISOString());
  return { firings: rows.map(toFiring), ...(cursor === undefined ? {} : { cursor }) };
}

function readCursor(cursor: string | undefined): string {
  if (cursor === undefined) return 'infinity';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(cursor) || Number.isNaN(Date.parse(cursor)))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return cursor;
}

function toFiring({ planned_at: plannedAt, at, outcome, job_id: job, code }: FiringRow): Firing {
  return {
    plannedAt: plannedAt.toISOString(),
    at: at.toISOString(),
    outcome,
    ...(job === null ? {} : { job }),
    ...(code === null ? {} : { code }),
  };
}
