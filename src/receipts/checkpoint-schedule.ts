import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { checkpointNote, writeCheckpoint } from './checkpoint.ts';

export interface CheckpointSchedule {
  /** Writes one now; also what the timer does. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Writes checkpoints periodically, each also as a file: a note that a change of the database cannot reach. */
export function scheduleCheckpoints(options: { db: Database; directory: string; everySeconds: number; log: Log }): CheckpointSchedule {
  const { db, directory, log } = options;
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const checkpoint = await writeCheckpoint(db, new Date());
    if (!checkpoint) return;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `${String(checkpoint.id).padStart(12, '0')}.txt`);
    await writeFile(`${file}.new`, checkpointNote(checkpoint), { mode: 0o600 });
    await rename(`${file}.new`, file);
    log.info({ checkpoint: checkpoint.id, streams: checkpoint.streams, root: checkpoint.root.toString('hex') }, 'receipt checkpoint written');
  }

  const run = (): Promise<void> => {
    running = running.then(write).catch((error: Error) => log.error({ err: error }, 'receipt checkpoint failed'));
    return running;
  };
  const timer = setInterval(() => void run(), options.everySeconds * 1000);
  return {
    run,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
