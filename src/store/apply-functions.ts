// SQL functions are in files that are applied as a whole when they have changed. Two builds may run on one schema, so a
// restarting process of the older build must not put its version back: every applied version stays recorded, and one that
// was applied before is not applied again.
import type { Queryable } from './database.ts';
import { quoteIdentifier } from './connection.ts';
import { splitStatements } from './split-statements.ts';

export interface FunctionFile {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface FunctionState {
  /** Not applied yet. */
  readonly waiting: readonly FunctionFile[];
  /** Applied before, and since replaced by another build. */
  readonly replaced: readonly FunctionFile[];
}

/** Which functions of a build the database has. */
export async function readFunctionState(
  db: Queryable,
  schema: string,
  files: readonly FunctionFile[],
): Promise<FunctionState> {
  if (files.length === 0) return { waiting: [], replaced: [] };
  const { rows: tables } = await db.query<{ found: boolean }>(
    "select to_regclass($1 || '.migration_function') is not null as found",
    [quoteIdentifier(schema)],
  );
  if (!tables[0]?.found) return { waiting: files, replaced: [] };
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from :schema.migration_function order by applied_at',
  );
  const latest = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const waiting = files.filter((file) => !rows.some((row) => row.name === file.name && row.checksum === file.checksum));
  const replaced = files.filter((file) => !waiting.includes(file) && latest.get(file.name) !== file.checksum);
  return { waiting, replaced };
}

/** Runs within the transaction of the migration. */
export async function applyFunctions(tx: Queryable, files: readonly FunctionFile[]): Promise<void> {
  if (files.length === 0) return;
  await tx.query(
    'create table if not exists :schema.migration_function (name text not null, checksum text not null, applied_at timestamptz not null default clock_timestamp(), primary key (name, checksum))',
  );
  for (const { name, sql, checksum } of files) {
    for (const statement of splitStatements(sql)) await tx.query(statement);
    await tx.query('insert into :schema.migration_function (name, checksum) values ($1, $2)', [name, checksum]);
  }
}
