// Starts the service's own runs when they are due. A run's idempotency key is its task and its time window, so any number
// of api processes start it once.
import type { Log } from '../../telemetry/log.ts';
import type { Queryable } from '../../store/database.ts';
import { type Every, every } from '../../timing/every.ts';
import {
  CONTROL_SCHEDULE,
  CONTROL_TASKS,
  type ControlRow,
  type ControlTask,
  startControlRun,
} from './control-tasks.ts';
import type { Dispatcher } from './dispatch-run.ts';

const CHECK_EVERY_MS = 60_000;

/** Undefined for a task that has no schedule. */
export function windowKey(task: ControlTask, now: Date): string | undefined {
  const { everySeconds }: ControlRow = CONTROL_SCHEDULE[task];
  return everySeconds === undefined ? undefined : `${task}/${Math.floor(now.getTime() / 1000 / everySeconds)}`;
}

export function scheduleControlRuns({
  db,
  dispatcher,
  log,
  isDue = {},
}: {
  db: Queryable;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  log: Log;
  /** For tasks that have nothing to do most of the time: without work they leave no run behind. */
  isDue?: Partial<Readonly<Record<ControlTask, () => Promise<boolean>>>>;
}): Every {
  // The windows whose run has been started: those need no statement.
  const started = new Map<ControlTask, string>();

  async function startDue(): Promise<void> {
    const now = new Date();
    for (const task of CONTROL_TASKS) {
      const key = windowKey(task, now);
      if (key === undefined || started.get(task) === key) continue;
      if ((await isDue[task]?.()) === false) continue;
      const { run, isNew } = await startControlRun(db, task, { actor: 'system:api', idempotencyKey: key });
      started.set(task, key);
      if (isNew) dispatcher.dispatch(run);
    }
  }

  return every({ everyMs: CHECK_EVERY_MS, task: 'starting control runs', log, run: startDue });
}
