// Runs of some workspaces that changed since a given moment. The moment is a transaction id below which everything is
// committed, so a late commit is never missed; changes at its edge may be read twice.
import type { Queryable } from '../../store/database.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';

export interface Change {
  readonly run: Run;
  /** Where a reader that has this change and all before it resumes. */
  readonly cursor: string;
}

const PAGE = 200;

const NOW =
  'select pg_snapshot_xmin(pg_current_snapshot())::text as next, pg_snapshot_xmax(pg_current_snapshot())::text as end';

const CHANGES = `
select ${runColumns('j')}, j.changed_by::text as changed_by from unnest($1::text[]) as w (id)
cross join lateral (
  select * from :schema.job j
  where j.workspace_id = w.id and j.changed_by >= $2::xid8 and j.changed_by < $4::xid8 and (j.changed_by > $2::xid8 or j.id > $3)
  order by j.changed_by, j.id limit ${PAGE}
) j
order by j.changed_by, j.id limit ${PAGE}`;

async function readNow(on: Queryable): Promise<{ next: string; end: string }> {
  const { rows } = await on.query<{ next: string; end: string }>(NOW);
  return rows[0] ?? { next: '0', end: '0' };
}

export async function findMoment(on: Queryable): Promise<string> {
  return (await readNow(on)).next;
}

/** Every run that changed since a moment, in order of change, page by page. Returns the moment to resume from. */
export async function* walkChanges(
  on: Queryable,
  workspaceIds: readonly string[],
  since: string,
): AsyncGenerator<readonly Change[], string> {
  // Read before the rows: anything that commits in between is at or above it, and left to the next walk if it began later.
  const { next, end } = await readNow(on);
  for (let [changedBy, id] = [since, '']; ;) {
    const { rows } = await on.query<RunRow & { changed_by: string }>(CHANGES, [workspaceIds, changedBy, id, end]);
    if (rows.length > 0)
      yield rows.map((row) => ({
        run: toRun(row),
        cursor: BigInt(row.changed_by) < BigInt(next) ? row.changed_by : next,
      }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return next;
    [changedBy, id] = [last.changed_by, last.id];
  }
}

/** Undefined for a text that is not a moment. */
export function readMoment(text: string | null): string | undefined {
  return text !== null && /^\d{1,19}$/.test(text) ? text : undefined;
}
