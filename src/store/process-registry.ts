// The table of running processes: each writes its own row, and any may read all of them. Times are the database's, so the
// clocks of hosts need not agree.
import { buildOf, fullVersion } from '../process/build-info.ts';
import type { Queryable } from './database.ts';

export type ProcessState = 'running' | 'stopping';

export interface ProcessIdentity {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Absent for a process older than build ids. */
  readonly build?: string | undefined;
  /** Broker task group; absent for processes that have none. */
  readonly group?: string | undefined;
  readonly startedAt: Date;
}

/** The figure that says how many milliseconds the clock of the process's machine was ahead of the database's. */
export const CLOCK_AHEAD = 'clockAheadMs';
/** From here on it is worth telling. */
export const CLOCK_OFF_MS = 2_000;

export type Figures = Record<string, number>;

export interface SeenProcess extends ProcessIdentity {
  /** `lost`: no heartbeat for a while, and it did not deregister. */
  readonly state: ProcessState | 'lost';
  readonly seenAt: Date;
  readonly seenAgoSeconds: number;
  readonly figures: Figures;
}

/**
 * A process without a heartbeat for this long is lost: its tasks at the broker go to other processes, and its requests are
 * settled by them.
 */
export const LOST_AFTER_SECONDS = 15;
const SWEEP_AFTER_SECONDS = 600;
const LIST_LIMIT = 500;

/** Its answer says what time it is there. */
export async function recordProcess(
  on: Queryable,
  identity: ProcessIdentity,
  state: ProcessState,
  figures: Figures,
): Promise<void> {
  const before = Date.now();
  const { id, role, host, pid, version, build, group, startedAt } = identity;
  const full = build === undefined ? version : fullVersion({ version, build });
  const { rows } = await on.query<{ now: Date }>(
    `insert into :schema.process (id, role, host, pid, version, task_group, state, started_at, seen_at, figures)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now(), $9)
     on conflict (id) do update set state = excluded.state, seen_at = excluded.seen_at, figures = excluded.figures,
       present_since = case when process.seen_at < now() - make_interval(secs => $10) then now() else process.present_since end
     returning clock_timestamp() as now`,
    [id, role, host, pid, full, group ?? null, state, startedAt, JSON.stringify(figures), LOST_AFTER_SECONDS],
  );
  const [there] = rows;
  if (there) on.clock?.compare(before, there.now.getTime(), Date.now());
}

export async function removeProcess(on: Queryable, id: string): Promise<void> {
  await on.query('delete from :schema.process where id = $1', [id]);
}

/** Removes processes that were lost long ago. Rows that another process is removing or writing are left to it. */
export async function sweepProcesses(on: Queryable): Promise<number> {
  const { rowCount } = await on.query(
    `delete from :schema.process where id in
       (select id from :schema.process where seen_at < now() - make_interval(secs => $1) for update skip locked)`,
    [SWEEP_AFTER_SECONDS],
  );
  return rowCount;
}

interface ProcessRow extends Record<string, unknown> {
  id: string;
  role: string;
  host: string;
  pid: number;
  version: string;
  task_group: string | null;
  state: ProcessState | 'lost';
  started_at: Date;
  seen_at: Date;
  seen_ago: number;
  figures: Figures;
}

export async function listProcesses(on: Queryable): Promise<SeenProcess[]> {
  const { rows } = await on.query<ProcessRow>(
    `select id, role, host, pid, version, task_group, started_at, seen_at, figures,
            extract(epoch from now() - seen_at)::float8 as seen_ago,
            case when seen_at < now() - make_interval(secs => $1) then 'lost' else state end as state
     from :schema.process order by role, started_at, id limit ${LIST_LIMIT}`,
    [LOST_AFTER_SECONDS],
  );
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    host: row.host,
    pid: row.pid,
    version: row.version.split('+', 1)[0] ?? row.version,
    build: buildOf(row.version),
    group: row.task_group ?? undefined,
    state: row.state,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    seenAgoSeconds: Math.max(0, Math.round(row.seen_ago * 10) / 10),
    figures: row.figures,
  }));
}
