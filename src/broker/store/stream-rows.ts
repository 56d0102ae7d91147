// The streams of all replicas. A process is alive while a stream of its pid is open somewhere and, if it is in the process
// table, while its heartbeat there is recent: a connection may look open long after its other end is gone. A stream that
// ended is forgotten after a short grace period in which the process may come back.
import type { Queryable } from '../../store/database.ts';
import type { StreamTerms } from '../protocol/messages.ts';

const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Records the streams of a replica, again if other replicas have marked them as ended in the meantime. */
export async function recordStreams(
  on: Queryable,
  replica: string,
  streams: readonly (StreamTerms & { readonly id: string })[],
): Promise<void> {
  await on.query(
    `insert into :schema.broker_stream as s (id, replica, task_group, pid, credit, keeps_leases, connected_at, in_process_table)
     select id, $1, task_group, pid, credit, keeps_leases, ${NOW}, exists (select from :schema.process p where p.id = r.pid)
     from json_to_recordset($2::json) as r(id text, task_group text, pid text, credit int, keeps_leases boolean)
     on conflict (id) do update set ended_at = null, in_process_table = s.in_process_table or excluded.in_process_table
     where s.ended_at is not null or (excluded.in_process_table and not s.in_process_table)`,
    [
      replica,
      JSON.stringify(
        streams.map(({ id, group, pid, credit, keepsLeases }) => ({
          id,
          task_group: group,
          pid,
          credit,
          keeps_leases: keepsLeases,
        })),
      ),
    ],
  );
}

/** The tasks whose leases these processes hold. */
export async function findHeld(
  on: Queryable,
  pids: readonly string[],
): Promise<{ id: string; version: number; pid: string }[]> {
  const { rows } = await on.query<{ id: string; version: number; pid: string }>(
    `select t.id, t.version, t.pid from unnest($1::text[]) as p(pid)
     cross join lateral (select k.id, k.version, k.pid from :schema.broker_task k where k.holder = p.pid and k.state = 'acquired' order by k.holder) t`,
    [pids],
  );
  return rows;
}

export async function recordStreamEnds(on: Queryable, ids: readonly string[]): Promise<void> {
  await on.query(`update :schema.broker_stream set ended_at = ${NOW} where id = any($1::text[]) and ended_at is null`, [
    ids,
  ]);
}

/** Whether a process is in the process table without a heartbeat for this long. */
export async function isSilent(on: Queryable, pid: string, lostAfterMs: number): Promise<boolean> {
  const { rows } = await on.query<{ silent: boolean }>(
    `select not (${heardOf('p', '$2')}) as silent from :schema.process p where p.id = $1`,
    [pid, lostAfterMs],
  );
  return rows[0]?.silent ?? false;
}

export interface EndSilent {
  readonly replica: string;
  /** Absent while missing heartbeats mean nothing. */
  readonly lostAfterMs: number | undefined;
  readonly graceMs: number;
}

/**
 * Ends streams of this replica whose process has no recent heartbeat, or has opened a newer one at another replica. They
 * get no grace period: that is for processes that may come back within a moment.
 */
export async function endSilentStreams(
  on: Queryable,
  { replica, lostAfterMs, graceMs }: EndSilent,
): Promise<{ id: string; superseded: boolean }[]> {
  const { rows } = await on.query<{ id: string; superseded: boolean }>(
    `update :schema.broker_stream s set ended_at = ${NOW} - $2::bigint - 1
     from (select o.id, exists (select from :schema.broker_stream n where n.pid = o.pid and n.replica <> o.replica and n.ended_at is null and n.opened > o.opened) as superseded,
                  o.in_process_table and not exists (select from :schema.process p where p.id = o.pid and ${heardOf('p', '$3')}) as silent
           from :schema.broker_stream o where o.replica = $1 and o.ended_at is null) found
     where s.id = found.id and (found.superseded or ($3::bigint is not null and found.silent))
     returning s.id, found.superseded`,
    [replica, graceMs, lostAfterMs ?? null],
  );
  return rows;
}

/** A row from the future counts by its distance, too: the clock was set back since. */
function heardOf(process: string, lostAfterMs: string): string {
  return `abs(extract(epoch from now() - ${process}.seen_at)) * 1000 <= coalesce(${lostAfterMs}::bigint, 0)`;
}

/** Marks the streams of replicas that are gone as ended, this long ago: what has passed of the grace period. */
export async function endLostStreams(on: Queryable, replicas: readonly string[], passedMs: number): Promise<void> {
  await on.query(
    `update :schema.broker_stream set ended_at = ${NOW} - $2::bigint - 1 where ended_at is null and replica <> all($1::text[])`,
    [replicas, passedMs],
  );
}

export interface GoneProcesses {
  readonly processes: readonly { readonly pid: string; readonly keptLeases: boolean }[];
  /** Rows to delete once everything that follows from them is done. */
  readonly streams: readonly string[];
}

/** Processes that have had no stream for the grace period. */
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
