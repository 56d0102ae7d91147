// What the service does for itself, as runs on the same chain, through the same broker, as everybody's.
export const CONTROL_TASKS = ['checkpoint', 'verify-chains', 'retention', 'read-repair'] as const;
export type ControlTask = (typeof CONTROL_TASKS)[number];

export interface ControlRow {
  /** Without it, a task is done when an operator asks for it. */
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
