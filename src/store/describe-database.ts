// The database for operators: server, search path, migrations, table sizes and connections.
import { searchPath } from './connection.ts';
import type { MeasuredDatabase } from './measure-database.ts';

const TABLES_MAX = 200;

export async function describeDatabase(db: MeasuredDatabase): Promise<Record<string, unknown>> {
  const server = (
    await db.query<{
      version: string;
      path: string;
      database: string;
      recovery: boolean;
      started_at: Date;
      max: string;
    }>(
      `select current_setting('server_version') as version, current_setting('search_path') as path, current_database() as database,
              pg_is_in_recovery() as recovery, pg_postmaster_start_time() as started_at, current_setting('max_connections') as max`,
    )
  ).rows[0];
  const migrations = await db.query(
    'select version, name, applied_at as "appliedAt" from :schema.migration order by version',
  );
  const tables = await db.query(
    `select c.relname as name, pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as "indexBytes",
            pg_stat_get_live_tuples(c.oid) as "liveRows", pg_stat_get_dead_tuples(c.oid) as "deadRows"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') order by pg_total_relation_size(c.oid) desc limit ${TABLES_MAX}`,
    [db.schema],
  );
  const connections = await db.query(
    `select application_name as application, coalesce(state, 'unknown') as state, count(*) as connections
     from pg_stat_activity where datname = current_database() and backend_type = 'client backend' group by 1, 2 order by 3 desc, 1, 2 limit 100`,
  );
  return {
    schema: db.schema,
    searchPath: {
      mode: db.mode,
      expected: searchPath(db.schema),
      actual: server?.path,
      holds: server?.path === searchPath(db.schema),
    },
    server: {
      version: server?.version,
      database: server?.database,
      startedAt: server?.started_at,
      inRecovery: server?.recovery,
      maxConnections: Number(server?.max),
    },
    pool: db.figures(),
    connections: connections.rows,
    migrations: migrations.rows,
    tables: tables.rows,
    slowestStatements: db.slowest(20),
  };
}
