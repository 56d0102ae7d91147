// Runs as a conversation shows them: the current state of each run that the reader may see.
import { resultText } from '../../contract/result-text.ts';
import type { ShownRun } from '../../contract/threads.ts';
import type { Queryable } from '../../store/database.ts';
import { storedWaiting } from './present-run.ts';
import type { RunReader } from '../record/find-runs.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';

const WHOLE = 2_147_483_647;
/** As `resultText` finds it. */
const TEXT =
  "coalesce(nullif(j.result ->> 'text', ''), nullif(j.result ->> 'answer', ''), nullif(j.result ->> 'summary', ''), j.result::text)";
const COLUMNS = runColumns('j')
  .replace(
    'j.objective',
    "case when char_length(j.objective) > $4 then left(j.objective, $4) || '…' else j.objective end as objective",
  )
  .replace(
    'j.result',
    `case when octet_length(j.result::text) > $4 then to_jsonb(left(${TEXT}, $4) || '…') else j.result end as result`,
  );
const READ = `
select ${COLUMNS} from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = any($1) and j.organization_id = $3 and w.is_member`;

/** By id; runs that the reader may not see are left out. A longer objective or result ends after `most` characters. */
export async function readShownRuns(
  on: Queryable,
  reader: RunReader,
  ids: readonly string[],
  most = WHOLE,
): Promise<ReadonlyMap<string, ShownRun>> {
  if (ids.length === 0) return new Map();
  const { rows } = await on.query<RunRow>(READ, [ids, reader.userId, reader.organizationId ?? null, most]);
  return new Map(rows.map((row) => [row.id, show(toRun(row))]));
}

function show(run: Run): ShownRun {
  const waiting = storedWaiting(run);
  const result = run.status === 'completed' ? resultText(run.result) : undefined;
  return {
    id: run.id,
    objective: run.objective,
    status: run.status,
    ...(waiting ? { waiting: { ...waiting } } : {}),
    ...(result === undefined ? {} : { result }),
    ...(run.error === undefined ? {} : { error: run.error }),
    ...(run.endedAt ? { endedAt: run.endedAt.toISOString() } : {}),
  };
}
