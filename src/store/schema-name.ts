import { createHash } from 'node:crypto';
import { dataDirectory } from '../base/addresses.ts';
import type { Config } from '../base/config.ts';

/** The data directory is a tenant key: its resolved path, hashed, names the schema unless one is given. */
export function schemaName(config: Config): string {
  if (config.SERVICE_DB_SCHEMA !== undefined) return config.SERVICE_DB_SCHEMA;
  const digest = createHash('sha256').update(dataDirectory(config)).digest('hex');
  return `service_data_${digest.slice(0, 24)}`;
}
