// Runs of some workspaces that changed since a given moment. The moment is a transaction id below which everything is
// committed, so a late commit is never missed; changes at its edge may be read twice. Readers of an organization that are
// at the same place share a read, and those that read together continue from the same place.
import { cacheKey } from '../../base/cache-key.ts';
import type { Queryable } from '../../store/database.ts';
import { batch } from '../../timing/batch.ts';
import type { FollowPage } from '../../timing/follow.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';

export interface Change {
  readonly run: Run;
  /** Where a reader that has this change and all before it resumes. */
  readonly cursor: string;
}

/** A moment, or a place between two pages of a walk through all changes since one. */
export interface ChangePosition {
  readonly changedBy: string;
  readonly id: string;
  readonly walk?: Bounds;
}

interface Bounds {
  /** The moment to continue from after the walk. */
  readonly next: string;
  readonly end: string;
}

interface ChangeRead {
  readonly organizationId: string;
  readonly workspaces: ReadonlySet<string>;
  readonly since: ChangePosition;
}

export type ChangePage = FollowPage<Change, ChangePosition>;

const PAGE = 200;
const LANES = 2;
const MOST_READS = 1_000;

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

async function readNow(on: Queryable): Promise<Bounds> {
  const { rows } = await on.query<Bounds & Record<string, unknown>>(NOW);
  return rows[0] ?? { next: '0', end: '0' };
}

/** The place of a cursor that a client was sent, or now: any other text, such as a later moment, is not of this database. */
export async function findPlace(on: Queryable, cursor: string | null): Promise<ChangePosition> {
  const { next } = await readNow(on);
  const isKnown = cursor !== null && /^\d{1,19}$/.test(cursor) && BigInt(cursor) <= BigInt(next);
  return { changedBy: isKnown ? cursor : next, id: '' };
}

/** The next changes since a place, in order of change: at least those of the workspaces that were asked for. */
export function createChangeReader(on: Queryable): (read: ChangeRead) => Promise<ChangePage> {
  return batch({ lanes: LANES, most: MOST_READS, run: (reads: ChangeRead[]) => readTogether(on, reads) });
}

async function readTogether(on: Queryable, reads: readonly ChangeRead[]): Promise<ChangePage[]> {
  // Read before the rows: anything that commits in between is at or above it, and left to the next walk if it began later.
  const now = await readNow(on);
  const pages = new Map<ChangeRead, ChangePage>();
  const places = Map.groupBy(reads, ({ organizationId, since }) => cacheKey(organizationId, JSON.stringify(since)));
  for (const together of places.values()) {
    const [first] = together;
    if (!first) continue;
    const workspaces = new Set(together.flatMap((read) => [...read.workspaces]));
    const page = await readPage(on, [...workspaces], first.since, first.since.walk ?? now);
    for (const read of together) pages.set(read, page);
  }
  return reads.flatMap((read) => pages.get(read) ?? []);
}

async function readPage(
  on: Queryable,
  workspaceIds: readonly string[],
  { changedBy, id }: ChangePosition,
  walk: Bounds,
): Promise<ChangePage> {
  const { rows } = await on.query<RunRow & { changed_by: string }>(CHANGES, [workspaceIds, changedBy, id, walk.end]);
  const items = rows.map((row) => ({
    run: toRun(row),
    cursor: BigInt(row.changed_by) < BigInt(walk.next) ? row.changed_by : walk.next,
  }));
  const last = rows.at(-1);
  if (!last || rows.length < PAGE) return { items, cursor: { changedBy: walk.next, id: '' } };
  return { items, cursor: { changedBy: last.changed_by, id: last.id, walk }, next: 'read' };
}
