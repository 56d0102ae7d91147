// The state of the database in figures: nothing here reads a row of anybody.
import { releaseDirectory } from '../../../process/package-root.ts';
import { readReceiptFigures } from '../../../receipts/read-receipt-figures.ts';
import { readChainFigures } from '../../../runs/reading/read-chain-figures.ts';
import { readRunFigures } from '../../../runs/reading/read-run-figures.ts';
import { readFunctionState } from '../../../store/apply-functions.ts';
import { APPLIED, type AppliedRow, readMigrations } from '../../../store/migrate.ts';
import { listProcesses } from '../../../store/process-registry.ts';
import type { Deployment } from '../doctor/deployment.ts';

const MOST_TABLES = 500;

const TABLES = `
select c.relname as name, c.relkind as kind, pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as "indexBytes",
       greatest(c.reltuples, 0)::bigint as "estimatedRows", s.n_live_tup as live, s.n_dead_tup as dead,
       s.seq_scan as "sequentialScans", s.idx_scan as "indexScans", s.last_autovacuum as "lastVacuum", s.last_autoanalyze as "lastAnalyze"
from pg_class c left join pg_stat_all_tables s on s.relid = c.oid
where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') order by bytes desc, name limit ${MOST_TABLES}`;

const SETTINGS = `
select name, setting, unit from pg_settings where name in ('server_version', 'server_encoding', 'max_connections', 'shared_buffers',
  'work_mem', 'maintenance_work_mem', 'effective_cache_size', 'wal_level', 'synchronous_commit', 'autovacuum', 'default_transaction_read_only',
  'statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'max_wal_size', 'jit', 'TimeZone') order by name`;

/** By part: the service names its connections. Those of other programs are one row. */
const CONNECTIONS = `
select case when application_name ~ '^service-[a-z-]{1,40}$' then application_name else 'others' end as part, state,
       count(*)::int as connections, max(extract(epoch from now() - xact_start))::int as "longestTransactionSeconds",
       count(*) filter (where wait_event_type = 'Lock')::int as "waitingForLocks"
from pg_stat_activity where datname = current_database() and backend_type = 'client backend' group by 1, 2 order by 1, 2`;

const SIZE = `
select pg_database_size(current_database()) as bytes, numbackends as connections, xact_commit as commits, xact_rollback as rollbacks,
       deadlocks, temp_files as "temporaryFiles", temp_bytes as "temporaryBytes", blks_read as "blocksRead", blks_hit as "blocksHit"
from pg_stat_database where datname = current_database()`;

export async function readSchema(deployment: Deployment): Promise<unknown> {
  const db = await deployment.storage();
  const { numbered, functions } = await readMigrations(releaseDirectory('migrations'));
  const { rows } = await db.query<AppliedRow>(APPLIED);
  const { waiting, replaced } = await readFunctionState(db, db.schema, functions);
  return {
    migrationsOfThisBuild: numbered.length,
    applied: rows.map(({ version, name, checksum }) => ({
      version,
      name,
      changed: numbered[version - 1] !== undefined && numbered[version - 1]?.checksum !== checksum,
    })),
    functionsWaiting: waiting.map(({ name }) => name),
    functionsReplaced: replaced.map(({ name }) => name),
  };
}

export async function readTables(deployment: Deployment): Promise<unknown> {
  const db = await deployment.storage();
  return (await db.query(TABLES, [db.schema])).rows;
}

export async function readServer(deployment: Deployment): Promise<unknown> {
  const db = await deployment.storage();
  const [settings, connections, size] = await Promise.all([db.query(SETTINGS), db.query(CONNECTIONS), db.query(SIZE)]);
  return { pathMode: db.mode, ...size.rows[0], settings: settings.rows, connections: connections.rows };
}

/** The process table, with a number for each host. */
export async function readProcesses(deployment: Deployment): Promise<unknown> {
  const processes = await listProcesses(await deployment.storage());
  const hosts = [...new Set(processes.map(({ host }) => host))];
  return processes.map(({ host, role, pid, version, build, group, state, startedAt, seenAgoSeconds, figures }) => ({
    host: hosts.indexOf(host) + 1,
    role,
    pid,
    version,
    build,
    group,
    state,
    startedAt,
    seenAgoSeconds,
    figures,
  }));
}

export async function readWork(deployment: Deployment): Promise<unknown> {
  const db = await deployment.storage();
  const [runs, receipts, chains] = await Promise.all([
    readRunFigures(db),
    readReceiptFigures(db),
    readChainFigures(db),
  ]);
  return { runs, receipts, chains };
}
