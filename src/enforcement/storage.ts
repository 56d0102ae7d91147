// Storage used by an organization, in bytes: one row, locked while something is added, so that concurrent additions
// cannot exceed the limit together. Attachments release theirs when their rows are deleted, files of runs and of setups when
// the files are.
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

/** The storage of one run's artifacts, and of the snapshot of its workspace. */
export interface RunStorage {
  /** Releases what an earlier attempt has taken, because its files are overwritten. */
  begin(): Promise<void>;
  /** False if the organization has no room for it. */
  take(bytes: number): Promise<boolean>;
  /** What the run's snapshot takes in all, instead of what it took before; counted apart, because it outlives `begin`. */
  takeSnapshot(bytes: number): Promise<boolean>;
}

export function createRunStorage(
  db: Queryable,
  { id, organizationId }: { readonly id: string; readonly organizationId: string | undefined },
  limitBytes: number,
): RunStorage {
  return {
    begin: () => releaseFileStorage(db, id),
    async take(bytes) {
      return organizationId === undefined || takeFileStorage(db, { id, organizationId }, bytes, limitBytes);
    },
    async takeSnapshot(bytes) {
      return (
        organizationId === undefined || setFileStorage(db, { id: snapshotOf(id), organizationId }, bytes, limitBytes)
      );
    },
  };
}

interface Files {
  readonly id: string;
  readonly organizationId: string;
}

/** For files that have this id, in addition to what they have taken. False if the organization has no room for them. */
export async function takeFileStorage(
  db: Queryable,
  { id, organizationId }: Files,
  bytes: number,
  limitBytes: number,
): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>('select :schema.job_storage_take($1, $2, $3, $4) as taken', [
    id,
    organizationId,
    bytes,
    limitBytes,
  ]);
  return rows[0]?.taken === true;
}

/** The same, instead of what they have taken: that is given back in either case. */
export async function setFileStorage(
  db: Queryable,
  { id, organizationId }: Files,
  bytes: number,
  limitBytes: number,
): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>('select :schema.job_storage_set($1, $2, $3, $4) as taken', [
    id,
    organizationId,
    bytes,
    limitBytes,
  ]);
  return rows[0]?.taken === true;
}

/** Called when the files of a run are deleted, its snapshot among them. */
export async function releaseRunStorage(db: Queryable, runId: string): Promise<void> {
  await releaseFileStorage(db, runId);
  await releaseSnapshotStorage(db, runId);
}

export function releaseSnapshotStorage(db: Queryable, runId: string): Promise<void> {
  return releaseFileStorage(db, snapshotOf(runId));
}

export async function releaseFileStorage(db: Queryable, id: string): Promise<void> {
  await db.query('select :schema.job_storage_give($1)', [id]);
}

/** A row of its own in `job_storage`. */
function snapshotOf(runId: string): string {
  return `${runId}/snapshot`;
}
