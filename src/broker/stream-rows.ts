// What the replicas know of each other's streams. A process lives as long as a stream of its pid is open somewhere;
// a stream that ended is forgotten after a moment of grace, in which the process may come back.
import type { Queryable } from '../store/database.ts';
import type { StreamTerms } from './streams.ts';

const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Writes the streams of a replica down, or again, should others have taken it for lost meanwhile. */
export async function recordStreams(on: Queryable, replica: string, streams: readonly (StreamTerms & { readonly id: string })[]): Promise<void> {
  await on.query(
    `insert into :schema.broker_stream as s (id, replica, task_group, pid, credit, keeps_leases, connected_at)
     select id, $1, task_group, pid, credit, keeps_leases, ${NOW} from json_to_recordset($2::json) as r(id text, task_group text, pid text, credit int, keeps_leases boolean)
     on conflict (id) do update set ended_at = null where s.ended_at is not null`,
    [replica, JSON.stringify(streams.map(({ id, group, pid, credit, keepsLeases }) => ({ id, task_group: group, pid, credit, keeps_leases: keepsLeases })))],
  );
}

/** The tasks whose leases these processes have. */
export async function findHeld(on: Queryable, pids: readonly string[]): Promise<{ id: string; version: number; pid: string }[]> {
  const { rows } = await on.query<{ id: string; version: number; pid: string }>(
    `select t.id, t.version, t.pid from unnest($1::text[]) as p(pid)
     cross join lateral (select k.id, k.version, k.pid from :schema.broker_task k where k.holder = p.pid and k.state = 'acquired' order by k.holder) t`,
    [pids],
  );
  return rows;
}

export async function recordStreamEnds(on: Queryable, ids: readonly string[]): Promise<void> {
  await on.query(`update :schema.broker_stream set ended_at = ${NOW} where id = any($1::text[]) and ended_at is null`, [ids]);
}

/** The streams of a replica that is gone have ended. */
export async function endLostStreams(on: Queryable, replicas: readonly string[]): Promise<void> {
  await on.query(`update :schema.broker_stream set ended_at = ${NOW} where ended_at is null and replica <> all($1::text[])`, [replicas]);
}

export interface GoneProcesses {
  readonly processes: readonly { readonly pid: string; readonly keptLeases: boolean }[];
  /** Rows to forget once everything that follows has been done. */
  readonly streams: readonly string[];
}

/** Processes without any stream for at least the grace. */
export async function findGoneProcesses(on: Queryable, graceMs: number): Promise<GoneProcesses> {
  const { rows } = await on.query<{ id: string; pid: string; keeps_leases: boolean; gone: boolean }>(
    `select e.id, e.pid, e.keeps_leases,
            not exists (select from :schema.broker_stream s where s.pid = e.pid and (s.ended_at is null or s.ended_at >= ${NOW} - $1::bigint)) as gone
     from :schema.broker_stream e where e.ended_at < ${NOW} - $1::bigint order by e.ended_at limit 500`,
    [graceMs],
  );
  const kept = new Map<string, boolean>();
  for (const { pid, keeps_leases: keeps, gone } of rows) if (gone) kept.set(pid, keeps || (kept.get(pid) ?? false));
  return { processes: [...kept].map(([pid, keptLeases]) => ({ pid, keptLeases })), streams: rows.map(({ id }) => id) };
}

export async function forgetStreams(on: Queryable, ids: readonly string[]): Promise<void> {
  await on.query('delete from :schema.broker_stream where id = any($1::text[]) and ended_at is not null', [ids]);
}
