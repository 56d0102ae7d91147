// Starts the service's own jobs when they are due. The key of a job is its task and its time window, so that any
// number of api processes start it once.
import type { Log } from '../../base/log.ts';
import type { Queryable } from '../../store/database.ts';
import {
  CONTROL_SCHEDULE,
  CONTROL_TASKS,
  type ControlRow,
  type ControlTask,
  startControlJob,
} from './control-tasks.ts';
import type { Dispatcher } from './dispatch-job.ts';

export interface ControlSchedule {
  /** Starts what is due; also what the timer does. */
  run(now?: Date): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 60_000;

/** Undefined for a task that is due at no time. */
export function windowKey(task: ControlTask, now: Date): string | undefined {
  const { everySeconds }: ControlRow = CONTROL_SCHEDULE[task];
  return everySeconds === undefined ? undefined : `${task}/${Math.floor(now.getTime() / 1000 / everySeconds)}`;
}

export function scheduleControlJobs({
  db,
  dispatcher,
  log,
}: {
  db: Queryable;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  log: Log;
}): ControlSchedule {
  // Remembered, so that a window that has its job costs no statement.
  const started = new Map<ControlTask, string>();
  let running: Promise<void> = Promise.resolve();

  async function startDue(now: Date): Promise<void> {
    for (const task of CONTROL_TASKS) {
      const key = windowKey(task, now);
      if (key === undefined || started.get(task) === key) continue;
      const { job, isNew } = await startControlJob(db, task, { actor: 'system:api', idempotencyKey: key });
      started.set(task, key);
      if (isNew) dispatcher.dispatch(job);
    }
  }

  const run = (now = new Date()): Promise<void> => {
    running = running
      .then(() => startDue(now))
      .catch((error: Error) => log.warn({ err: error }, 'could not start the jobs of the service'));
    return running;
  };
  const timer = setInterval(() => void run(), LOOK_EVERY_MS);
  return {
    run,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
