import { join } from 'node:path';
import { releaseSnapshotStorage } from '../../enforcement/storage.ts';
import type { Queryable } from '../../store/database.ts';
import { hasSnapshot, removeSnapshot } from './snapshots.ts';

/** Removes what is kept of a run's workspace. False if nothing was. */
export async function dropSnapshot(db: Queryable, artifactsDirectory: string, runId: string): Promise<boolean> {
  const directory = join(artifactsDirectory, runId);
  if (!(await hasSnapshot(directory))) return false;
  // The files go last: a crash in between leaves them to be found again.
  await releaseSnapshotStorage(db, runId);
  await removeSnapshot(directory);
  return true;
}
