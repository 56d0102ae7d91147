// The service's own work, as runs on the same chain and through the same broker as everyone's.
import type { Queryable } from '../../store/database.ts';
import { type InsertedRun, insertRun } from '../record/insert-run.ts';

export const CONTROL_TASKS = [
  'checkpoint',
  'verify-chains',
  'retention',
  'read-repair',
  'erase',
  'mail',
  'cap-warnings',
] as const;
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
  retention: {
    everySeconds: 86_400,
    help: 'removes the artifacts and workspaces of runs that ended long ago, and old messages of subscriptions',
  },
  'read-repair': {
    everySeconds: 21_600,
    help: 'reconciles the connections of every workspace with the integration provider',
  },
  mail: { everySeconds: 60, help: 'delivers mail that waits' },
  'cap-warnings': { everySeconds: 300, help: 'tells who has used most of a monthly cap' },
  erase: { everySeconds: 3_600, help: 'erases the people, organizations and workspaces that are due' },
} as const satisfies Record<ControlTask, ControlRow>;

export function isControlTask(text: string | undefined): text is ControlTask {
  return CONTROL_TASKS.some((task) => task === text);
}

export interface ControlStart {
  readonly actor: string;
  readonly idempotencyKey?: string;
  readonly at?: Date;
  /** The caller cannot hand it to the broker: the next sweep does, instead of the one after a pause. */
  readonly handOver?: 'sweep';
}

/** A run of the service itself: it belongs to no organization, and no tenant sees it. */
export async function startControlRun(
  on: Queryable,
  task: ControlTask,
  { actor, idempotencyKey, at, handOver }: ControlStart,
): Promise<InsertedRun> {
  const inserted = await insertRun(on, { kind: 'control', task, objective: task, actor, idempotencyKey }, at);
  if (handOver === 'sweep' && inserted.isNew)
    await on.query('update :schema.job set look_at = now() where id = $1', [inserted.run.id]);
  return inserted;
}
