import type { Log } from '../base/log.ts';
import type { Database } from '../store/database.ts';
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
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const checkpoint = await saveCheckpoint(db, directory);
    if (checkpoint)
      log.info(
        { checkpoint: checkpoint.id, streams: checkpoint.streams, root: checkpoint.root.toString('hex') },
        'receipt checkpoint written',
      );
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
