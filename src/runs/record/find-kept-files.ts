// Whose kept workspace a run begins with that goes on with another one: that of the other one or, if it left the files as
// it found them, of the run before it. A run that changed its files and whose workspace is not kept ends the search: older
// files would pass for its own.
import { join } from 'node:path';
import { readContaining } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { findRun } from './find-runs.ts';
import { type Run, streamOf } from './run.ts';
import { findSnapshot } from './snapshots.ts';

const MOST_RUNS = 20;
/** What changes files, as receipts name it. */
const CHANGES = ['"tool":"bash"', '"tool":"edit"'] as const;

/** The id of a run; undefined if the files are no longer kept. */
export async function findKeptFiles(on: Queryable, artifacts: string, run: Run): Promise<string | undefined> {
  let at = run;
  for (let left = MOST_RUNS; left > 0; left--) {
    if (await findSnapshot(join(artifacts, at.id))) return at.id;
    if (at.continues === undefined || (await hasChangedFiles(on, at))) return undefined;
    const before = await findRun(on, at.continues);
    if (!before || before.workspaceId !== run.workspaceId) return undefined;
    at = before;
  }
  return undefined;
}

async function hasChangedFiles(on: Queryable, run: Run): Promise<boolean> {
  for (const change of CHANGES) if ((await readContaining(on, streamOf(run), change)).length > 0) return true;
  return false;
}
