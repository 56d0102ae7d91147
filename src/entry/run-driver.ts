import { groupOf } from '../process/process-roles.ts';
import type { Stop } from '../process/run-process.ts';
import { createDrive, DRIVE } from '../runs/delivery/drive-run.ts';
import { openBroker } from './open-broker.ts';
import type { RoleDeps } from './role-deps.ts';

const DRAIN_MS = 5_000;

/** The driver: hands each run to the workers of its kind. */
export async function runDriver(deps: RoleDeps): Promise<Stop> {
  const { config } = deps;
  const drive = createDrive({
    chat: groupOf('worker-chat', config),
    control: groupOf('worker-control', config),
    codex: groupOf('worker-codex', config),
  });
  const broker = openBroker(deps, (resonate) => void resonate.register(DRIVE, drive));
  return () => broker.stop(DRAIN_MS);
}
