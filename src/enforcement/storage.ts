// Storage used by an organization, in bytes: one row, locked while something is added, so that concurrent additions
// cannot exceed the limit together. Attachments release theirs when their rows are deleted, artifacts when their run's
// files are.
import { AppError } from '../base/errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';

/** Throws `storage_full`. */
export async function takeStorage(
  tx: Transaction,
  organizationId: string,
  bytes: number,
  limitBytes: number,
): Promise<void> {
  const { rows } = await tx.query<{ taken: boolean }>('select :schema.storage_take($1, $2, $3) as taken', [
    organizationId,
    bytes,
    limitBytes,
  ]);
  if (!rows[0]?.taken) throw new AppError('storage_full', { limitBytes });
}

export async function countStorage(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'select bytes from :schema.org_storage where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.bytes ?? 0;
}

/** The storage of one run's artifacts. */
export interface RunStorage {
  /** Releases what an earlier attempt has taken, because its files are overwritten. */
  begin(): Promise<void>;
  /** False if the organization has no room for it. */
  take(bytes: number): Promise<boolean>;
}

export function createRunStorage(
  db: Queryable,
  { id, organizationId }: { readonly id: string; readonly organizationId: string | undefined },
  limitBytes: number,
): RunStorage {
  return {
    begin: () => releaseRunStorage(db, id),
    async take(bytes) {
      if (organizationId === undefined) return true;
      const { rows } = await db.query<{ taken: boolean }>('select :schema.job_storage_take($1, $2, $3, $4) as taken', [
        id,
        organizationId,
        bytes,
        limitBytes,
      ]);
      return rows[0]?.taken === true;
    },
  };
}

/** Called when the files of a run have been deleted. */
export async function releaseRunStorage(db: Queryable, runId: string): Promise<void> {
  await db.query('select :schema.job_storage_give($1)', [runId]);
}
