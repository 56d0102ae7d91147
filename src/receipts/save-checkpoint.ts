import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../telemetry/log.ts';
import type { Database } from '../store/database.ts';
import { type Every, every } from '../timing/every.ts';
import { type Checkpoint, checkpointNote, writeCheckpoint } from './checkpoint.ts';

/** Writes a checkpoint, and a copy as a file that no change to the database can reach. Undefined when nothing is new. */
export async function saveCheckpoint(db: Database, directory: string): Promise<Checkpoint | undefined> {
  const checkpoint = await writeCheckpoint(db, new Date());
  if (!checkpoint) return undefined;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const number = String(checkpoint.id).padStart(12, '0');
  const usual = join(directory, `${number}.txt`);
  // A database that was set back to an earlier time gives a number again, and the first file with it is evidence.
  const isTaken = await stat(usual).then(
    () => true,
    () => false,
  );
  const file = isTaken ? join(directory, `${number}-${checkpoint.root.toString('hex').slice(0, 16)}.txt`) : usual;
  await writeFile(`${file}.new`, checkpointNote(checkpoint), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return checkpoint;
}

export function scheduleCheckpoints(options: {
  db: Database;
  directory: string;
  everySeconds: number;
  log: Log;
}): Every {
  const { db, directory, log } = options;

  async function write(): Promise<void> {
    const checkpoint = await saveCheckpoint(db, directory);
    if (checkpoint)
      log.info(
        { checkpoint: checkpoint.id, streams: checkpoint.streams, root: checkpoint.root.toString('hex') },
        'receipt checkpoint written',
      );
  }

  return every({ everyMs: options.everySeconds * 1000, task: 'receipt checkpoint', log, level: 'error', run: write });
}
