import { repairConnections } from '../connections/read-repair.ts';
import type { ConnectionRepair } from '../engines/control/control-deps.ts';
import { openConnections } from './open-connections.ts';
import type { RoleDeps } from './role-deps.ts';

/** Nobody waits for the sweep, so it may take its time with a workspace. */
const REPAIR_TIMEOUT_MS = 60_000;

/** Read repair as a worker can do it: by the provider's API alone, because only the api role is given its database. */
export async function openRepair({
  config,
  log,
  db,
}: Pick<RoleDeps, 'config' | 'log' | 'db'>): Promise<ConnectionRepair | undefined> {
  const connections = openConnections({ config, log, db });
  const close = (): Promise<void> => connections.close();
  if (connections.integrations && connections.wrappingKey)
    return {
      repair: (scope) => repairConnections({ ...connections, repairTimeoutMs: REPAIR_TIMEOUT_MS }, scope),
      close,
    };
  await close();
  return undefined;
}
