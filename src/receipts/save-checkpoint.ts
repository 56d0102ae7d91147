import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../store/database.ts';
import { type Checkpoint, checkpointNote, writeCheckpoint } from './checkpoint.ts';

/** Writes a checkpoint, also as a file: a note that a change of the database cannot reach. Undefined when nothing is new. */
export async function saveCheckpoint(db: Database, directory: string): Promise<Checkpoint | undefined> {
  const checkpoint = await writeCheckpoint(db, new Date());
  if (!checkpoint) return undefined;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${String(checkpoint.id).padStart(12, '0')}.txt`);
  await writeFile(`${file}.new`, checkpointNote(checkpoint), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return checkpoint;
}
