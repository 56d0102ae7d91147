// Runs of some workspaces that changed since a moment. The moment is a transaction id below which everything is
// committed, so nothing that commits late is missed; what changed at its edge may be read twice.
import type { Queryable } from '../store/database.ts';
import { type Job, jobColumns, type JobRow, toJob } from './job.ts';

export interface Changes {
  readonly jobs: readonly Job[];
  /** Where to go on from. */
  readonly next: string;
  /** Whether there is more before `next`. */
  readonly more: boolean;
}

const PAGE = 200;

const NOW = 'select pg_snapshot_xmin(pg_current_snapshot())::text as next';

const CHANGES = `
select ${jobColumns('j')}, j.changed_by::text as changed_by from unnest($1::text[]) as w (id)
cross join lateral (select * from :schema.job j where j.workspace_id = w.id and j.changed_by >= $2::xid8 order by j.changed_by limit ${PAGE + 1}) j
order by j.changed_by limit ${PAGE + 1}`;

export async function findMoment(on: Queryable): Promise<string> {
  const { rows } = await on.query<{ next: string }>(NOW);
  return rows[0]?.next ?? '0';
}

export async function readChanges(on: Queryable, workspaceIds: readonly string[], since: string): Promise<Changes> {
  // Read before the rows: what commits in between is at or above it.
  const moment = await findMoment(on);
  const { rows } = await on.query<JobRow & { changed_by: string }>(CHANGES, [workspaceIds, since]);
  const jobs = rows.slice(0, PAGE).map(toJob);
  const last = rows[PAGE - 1];
  const more = rows.length > PAGE && last !== undefined;
  // A whole page of one transaction would never end: such a page is passed over.
  const next = more ? (last.changed_by === since ? String(BigInt(since) + 1n) : last.changed_by) : moment;
  return { jobs, next, more };
}

/** A moment that a channel gave, or undefined for one that it cannot have given. */
export function readMoment(text: string | null): string | undefined {
  return text !== null && /^\d{1,19}$/.test(text) ? text : undefined;
}
