import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import type { ConnectionDeps } from '../connections/connection-deps.ts';
import { repairConnections } from '../connections/read-repair.ts';
import { createRepairSchedule, type RepairSchedule } from '../connections/repair-schedule.ts';
import { createNangoClient } from '../nango/nango-client.ts';
import { findNangoSettings } from '../nango/nango-settings.ts';
import { openProviderDatabase } from '../nango/provider-database.ts';
import type { Database } from '../store/database.ts';

export type OpenConnections = ConnectionDeps & { readonly repairs: RepairSchedule; close(): Promise<void> };

/** The connection service as configured, with or without an integration provider. */
export function openConnections({ config, log, db }: { config: Config; log: Log; db: Database }): OpenConnections {
  const settings = findNangoSettings(config);
  const client = settings && createNangoClient(settings);
  const providerDatabase =
    settings && config.SERVICE_INTEGRATIONS_DATABASE_URL !== undefined
      ? openProviderDatabase(config.SERVICE_INTEGRATIONS_DATABASE_URL, log)
      : undefined;
  const deps: ConnectionDeps = {
    db,
    log,
    clock: systemClock,
    catalog: loadConnectors(),
    wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    integrations: settings && client && { client, settings },
    providerDatabase,
  };
  const repairs = createRepairSchedule({ repair: (scope) => repairConnections(deps, scope) });
  return {
    ...deps,
    repairs,
    async close() {
      await client?.close();
      await repairs.idle();
      await providerDatabase?.close();
    },
  };
}
