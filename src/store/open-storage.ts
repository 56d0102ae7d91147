import { ConfigError, type Config } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import { type Database, openDatabase } from './database.ts';
import { schemaName } from './schema-name.ts';

/** Opens the service's database as configured. There is no other storage. */
export function openStorage(config: Config, part: string, log: Log): Promise<Database> {
  if (config.SERVICE_UPSTREAM_DB === undefined) {
    throw new ConfigError(
      'storage requires SERVICE_UPSTREAM_DB: set it to a URL of the form postgresql://user:password@host:port/database',
    );
  }
  return openDatabase({
    url: config.SERVICE_UPSTREAM_DB,
    schema: schemaName(config),
    poolMax: config.SERVICE_DB_POOL_MAX,
    applicationName: part,
    log,
  });
}
