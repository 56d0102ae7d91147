// The replicas of the broker on one database. Each sends a heartbeat every second; one without for a few seconds is gone.
// The oldest is the leader and does the periodic work for all; two leaders for a moment are harmless.
import type { Queryable } from '../../store/database.ts';

export const REPLICA_LOST_AFTER_MS = 3_000;
const FORGOTTEN_AFTER_MS = 3_600_000;
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

export interface Beat {
  readonly live: readonly string[];
  readonly leads: boolean;
  /** The database's time. */
  readonly now: number;
}

export async function beatReplica(on: Queryable, id: string): Promise<Beat> {
  await on.query(
    `insert into :schema.broker_replica (id, started_at, seen_at) values ($1, ${NOW}, ${NOW}) on conflict (id) do update set seen_at = excluded.seen_at`,
    [id],
  );
  const { rows } = await on.query<{ id: string; now: number }>(
    `select id, ${NOW} as now from :schema.broker_replica where seen_at > ${NOW} - $1::bigint order by started_at, id limit 100`,
    [REPLICA_LOST_AFTER_MS],
  );
  return { live: rows.map((row) => row.id), leads: rows[0]?.id === id, now: rows[0]?.now ?? Date.now() };
}

export async function forgetReplica(on: Queryable, id: string): Promise<void> {
  await on.query('delete from :schema.broker_replica where id = $1', [id]);
}

export async function forgetLostReplicas(on: Queryable): Promise<void> {
  await on.query(`delete from :schema.broker_replica where seen_at < ${NOW} - $1::bigint`, [FORGOTTEN_AFTER_MS]);
}
