// Before the first release there were 25 migrations, which 0001_schema.sql and the files in functions/ replace. A database
// that has all 25 already has the tables of 0001_schema.sql, so only its record is rewritten. Any earlier state is refused.
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

/** Why a record from before the first release cannot be carried over, and what to do about it. */
export function findCarryOverFault(applied: readonly Applied[]): { what: string; fix: string } | undefined {
  if (applied[0]?.name !== FIRST) return undefined;
  const last = applied.at(-1);
  if (last?.version === LAST.version && last.name === LAST.name && last.checksum === LAST.checksum) return undefined;
  return {
    what: `the database was created before the first release, and its last migration is ${last?.name}, which this build cannot carry over`,
    fix: `Start the build whose last migration is ${LAST.name} once, or restore a backup into an empty schema.`,
  };
}

/** Whether the record is the last one from before the first release; throws if it is an earlier one. */
export function isBeforeSquash(applied: readonly Applied[]): boolean {
  const fault = findCarryOverFault(applied);
  if (fault) throw new Error(`${fault.what}. ${fault.fix}`);
  return applied[0]?.name === FIRST;
}

/** Runs within the transaction of the migration. */
export async function carryOver(
  tx: Queryable,
  [first]: readonly (Omit<Applied, 'version'> & { readonly oldestBuild: number })[],
): Promise<void> {
  if (!first) throw new Error('no migration to carry the database over to');
  await tx.query('alter table :schema.migration add column if not exists oldest_build int');
  await tx.query('delete from :schema.migration where version > 1');
  await tx.query('update :schema.migration set name = $1, checksum = $2, oldest_build = $3', [
    first.name,
    first.checksum,
    first.oldestBuild,
  ]);
}
