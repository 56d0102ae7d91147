// Before the first release there were 25 migrations, which 0001_schema.sql and the files of functions/ replace. A database
// that has all of them has the tables of 0001_schema.sql: only its record is rewritten. Any other state of then is refused.
import type { Queryable } from './database.ts';

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const FIRST = '0001_receipts.sql';
const LAST = {
  version: 25,
  name: '0025_broker_liveness.sql',
  checksum: 'add2fe590c1498c9fa877f8346d4c3ed465c3146a5907b68924cd9d6a468b82e',
} as const;

/** Whether the record is one of then; throws where it is not the last one. */
export function isBeforeSquash(applied: readonly Applied[]): boolean {
  if (applied[0]?.name !== FIRST) return false;
  const last = applied.at(-1);
  if (last?.version === LAST.version && last.name === LAST.name && last.checksum === LAST.checksum) return true;
  throw new Error(
    `the database was made before the first release, and its last migration is ${last?.name}, which this build cannot carry over. Start the build whose last migration is ${LAST.name} once, or restore a backup into an empty schema.`,
  );
}

/** Within the transaction that migrates. */
export async function carryOver(
  tx: Queryable,
  [first]: readonly (Omit<Applied, 'version'> & { readonly oldestBuild: number })[],
): Promise<void> {
  if (!first) throw new Error('there is no migration to carry the database over to');
  await tx.query('alter table :schema.migration add column if not exists oldest_build int');
  await tx.query('delete from :schema.migration where version > 1');
  await tx.query('update :schema.migration set name = $1, checksum = $2, oldest_build = $3', [
    first.name,
    first.checksum,
    first.oldestBuild,
  ]);
}
