import { groupOf } from '../process/process-roles.ts';
import type { Stop } from '../process/run-process.ts';
import { createDrive, DRIVE, type WorkerGroups } from '../runs/delivery/drive-run.ts';
import { RUN_KINDS } from '../runs/record/run-states.ts';
import { openBroker } from './open-broker.ts';
import type { RoleDeps } from './role-deps.ts';

const DRAIN_MS = 5_000;

/** The driver: hands each run to the workers of its kind. */
export async function runDriver(deps: RoleDeps): Promise<Stop> {
  const { config } = deps;
  const groups = RUN_KINDS.map((kind) => [kind, groupOf(`worker-${kind}`, config)] as const);
  const drive = createDrive(Object.fromEntries(groups) as WorkerGroups);
  const broker = openBroker(deps, (resonate) => void resonate.register(DRIVE, drive));
  return () => broker.stop(DRAIN_MS);
}
