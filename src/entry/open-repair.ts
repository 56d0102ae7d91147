import { repairConnections } from '../connections/read-repair.ts';
import { deleteNotedConnections, noteWorkspaceConnections } from '../connections/remove-workspace-connections.ts';
import type { ConnectionRepair } from '../engines/control/control-deps.ts';
import { openConnections } from './open-connections.ts';
import type { RoleDeps } from './role-deps.ts';

/** No one waits for the sweep, so a workspace may take a while. */
const REPAIR_TIMEOUT_MS = 60_000;

/** Read repair for a worker: through the provider's API only, because only the api role has access to its database. */
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
      remove: async (scope) => {
        const noted = await db.transaction((tx) => noteWorkspaceConnections(connections, tx, scope));
        await deleteNotedConnections(connections, scope.organizationId, noted);
      },
      close,
    };
  await close();
  return undefined;
}
