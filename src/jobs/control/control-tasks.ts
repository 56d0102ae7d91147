// What the service does for itself, as runs on the same chain, through the same broker, as everybody's.
import type { Engine } from '../engine.ts';
import { recordCheckpoint } from './record-checkpoint.ts';
import { removeOldArtifacts } from './remove-old-artifacts.ts';
import { sweepConnections } from './sweep-connections.ts';
import { verifyChains } from './verify-chains.ts';
import type { ControlDeps } from './control-deps.ts';

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

export function createControlEngines(deps: ControlDeps): Readonly<Record<ControlTask, Engine>> {
  return {
    checkpoint: recordCheckpoint(deps),
    'verify-chains': verifyChains(deps),
    retention: removeOldArtifacts(deps),
    'read-repair': sweepConnections(deps),
  };
}

export function isControlTask(text: string | undefined): text is ControlTask {
  return CONTROL_TASKS.some((task) => task === text);
}
