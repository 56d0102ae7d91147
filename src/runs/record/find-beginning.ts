// The first run of a conversation: what started it is what started all of it.
import type { Queryable } from '../../store/database.ts';
import type { Run } from './run.ts';

const MOST_RUNS = 1_000;
const FIND = `
with recursive before as (
  select j.id, j.continues, j.started_by, j.workspace_id, 1 as place from :schema.job j where j.id = $1
  union all
  select j.id, j.continues, j.started_by, j.workspace_id, b.place + 1 from before b
    join :schema.job j on j.id = b.continues and j.workspace_id = b.workspace_id where b.place < ${MOST_RUNS}
)
select id, started_by from before order by place desc limit 1`;

export async function findBeginning(
  on: Queryable,
  run: Pick<Run, 'id' | 'continues' | 'startedBy'>,
): Promise<Pick<Run, 'id' | 'startedBy'>> {
  if (run.continues === undefined) return run;
  const [first] = (await on.query<{ id: string; started_by: string | null }>(FIND, [run.id])).rows;
  return first ? { id: first.id, startedBy: first.started_by ?? undefined } : run;
}
