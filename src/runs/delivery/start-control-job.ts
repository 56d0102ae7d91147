import type { Queryable } from '../../store/database.ts';
import type { ControlTask } from './control-tasks.ts';
import { type InsertedJob, insertJob } from '../record/insert-job.ts';

/** A job of the service itself: it belongs to no organization, and no tenant sees it. */
export function startControlJob(
  on: Queryable,
  task: ControlTask,
  options: { actor: string; idempotencyKey?: string; at?: Date },
): Promise<InsertedJob> {
  return insertJob(
    on,
    { kind: 'control', task, objective: task, actor: options.actor, idempotencyKey: options.idempotencyKey },
    options.at,
  );
}
