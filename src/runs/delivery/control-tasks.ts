// The service's own work, as runs on the same chain and through the same broker as everyone's.
import type { Queryable } from '../../store/database.ts';
import { type InsertedRun, insertRun } from '../record/insert-run.ts';

export const CONTROL_TASKS = ['checkpoint', 'verify-chains', 'retention', 'read-repair'] as const;
export type ControlTask = (typeof CONTROL_TASKS)[number];

export interface ControlRow {
  /** Absent for a task that runs only when an operator starts it. */
  readonly everySeconds?: number;
  readonly help: string;
}

export const CONTROL_SCHEDULE = {
  checkpoint: { help: 'writes a checkpoint over all receipt streams' },
  'verify-chains': {
    everySeconds: 86_400,
    help: 'verifies every receipt stream against its projection and the last checkpoint',
  },
  retention: { everySeconds: 86_400, help: 'removes the artifacts of runs that ended long ago' },
  'read-repair': {
    everySeconds: 21_600,
    help: 'reconciles the connections of every workspace with the integration provider',
  },
} as const satisfies Record<ControlTask, ControlRow>;

export function isControlTask(text: string | undefined): text is ControlTask {
  return CONTROL_TASKS.some((task) => task === text);
}

/** A run of the service itself: it belongs to no organization, and no tenant sees it. */
export function startControlRun(
  on: Queryable,
  task: ControlTask,
  options: { actor: string; idempotencyKey?: string; at?: Date },
): Promise<InsertedRun> {
  return insertRun(
    on,
    { kind: 'control', task, objective: task, actor: options.actor, idempotencyKey: options.idempotencyKey },
    options.at,
  );
}
