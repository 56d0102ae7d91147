import { createHash } from 'node:crypto';
import { dataDirectory } from '../net/addresses.ts';
import type { Config } from '../base/config.ts';

/** Unless a schema is configured, its name is a hash of the data directory's resolved path. */
export function schemaName(config: Config): string {
  if (config.SERVICE_DB_SCHEMA !== undefined) return config.SERVICE_DB_SCHEMA;
  const digest = createHash('sha256').update(dataDirectory(config)).digest('hex');
  return `service_data_${digest.slice(0, 24)}`;
}
