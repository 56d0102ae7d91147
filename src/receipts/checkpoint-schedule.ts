import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
import { every } from '../timing/every.ts';
import { saveCheckpoint } from './save-checkpoint.ts';

export interface CheckpointSchedule {
  /** Writes one now; also what the timer does. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Writes checkpoints periodically. */
export function scheduleCheckpoints(options: {
  db: Database;
  directory: string;
  everySeconds: number;
  log: Log;
}): CheckpointSchedule {
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
