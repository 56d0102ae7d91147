import type { Clock } from '../base/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { NangoSettings } from '../nango/nango-settings.ts';
import type { ProviderDatabase } from '../nango/provider-database.ts';
import type { Database } from '../store/database.ts';

/** Dependencies of the connection service. */
export interface ConnectionDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly catalog: Catalog;
  /** Undefined if SERVICE_CONNECTION_ENCRYPTION_KEY_B64 is not set: then nothing is stored or opened. */
  readonly wrappingKey: Buffer | undefined;
  /** Undefined if one of the integration provider's three variables is missing. */
  readonly integrations: { readonly client: NangoClient; readonly settings: NangoSettings } | undefined;
  readonly providerDatabase?: ProviderDatabase | undefined;
  /** Overrides the time limit of a read repair. */
  readonly repairTimeoutMs?: number;
}
