// What PostgreSQL itself says about a stretch of load: its statements, the WAL that it wrote, its flushes to the disk.
import pg from 'pg';

/** Needs a restart, so a bench starts its server with these. */
export const COST_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  track_wal_io_timing: 'on',
};

interface StatementCost {
  readonly text: string;
  readonly calls: number;
  readonly milliseconds: number;
}

export interface ServerCost {
  readonly statements: readonly StatementCost[];
  readonly walBytes: number;
  readonly flushes: number;
  readonly flushMs: number;
}

export interface CostReader {
  /** Forgets what was before; `nested` also counts the statements inside of functions, which costs more. */
  start(nested: boolean): Promise<void>;
  read(): Promise<ServerCost>;
  close(): Promise<void>;
}

export async function openCostReader(adminUrl: string, databaseUrl: string): Promise<CostReader> {
  const address = new URL(adminUrl);
  address.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements with schema public');
  return {
    async start(nested) {
      await client.query(`alter system set pg_stat_statements.track = '${nested ? 'all' : 'top'}'`);
      await client.query("select pg_reload_conf(), public.pg_stat_statements_reset(), pg_stat_reset_shared('io')");
    },
    read: () => readCost(client),
    close: () => client.end(),
  };
}

async function readCost(client: pg.Client): Promise<ServerCost> {
  const { rows } = await client.query<{ query: string; calls: string; ms: number }>(
    `select query, sum(calls) as calls, sum(total_exec_time) as ms from public.pg_stat_statements
      where query !~ 'pg_stat_|pg_reload|alter system' group by query order by ms desc limit 40`,
  );
  const { rows: totals } = await client.query<{ wal: string; fsyncs: string; ms: number }>(
    `select (select sum(wal_bytes) from public.pg_stat_statements where toplevel) as wal, sum(fsyncs) as fsyncs, sum(fsync_time) as ms
       from pg_stat_io where object = 'wal'`,
  );
  const [total] = totals;
  return {
    statements: rows.map(({ query, calls, ms }) => ({ text: query, calls: Number(calls), milliseconds: ms })),
    walBytes: Number(total?.wal ?? 0),
    flushes: Number(total?.fsyncs ?? 0),
    flushMs: total?.ms ?? 0,
  };
}
