// A database that counts how many rows of a table its statements read, so that a test can say what a statement costs
// without a clock.
import type { Database, Queryable, Row } from '../../src/store/database.ts';

const READ = `
  select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) as rows from pg_stat_xact_user_tables
   where schemaname = $1 and starts_with(relname, $2)`;

export interface CountedDatabase extends Database {
  /** Rows that the last statement or transaction read of the table, or of its partitions. */
  rowsRead(): number;
}

export function countReads(db: Database, table: string): CountedDatabase {
  let rows = 0;
  const readSoFar = async (on: Queryable): Promise<number> =>
    (await on.query<{ rows: string }>(READ, [db.schema, table])).rows.map((row) => Number(row.rows))[0] ?? 0;
  // What earlier transactions read may not have been taken from these figures yet.
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      const before = await readSoFar(tx);
      const result = await work(tx);
      rows = (await readSoFar(tx)) - before;
      return result;
    });
  return {
    ...db,
    transaction,
    query: <R extends Row>(sql: string, values?: readonly unknown[]) => transaction((tx) => tx.query<R>(sql, values)),
    rowsRead: () => rows,
  };
}
