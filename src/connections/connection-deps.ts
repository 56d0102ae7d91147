import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { NangoSettings } from '../nango/nango-settings.ts';
import type { ProviderDatabase } from '../nango/provider-database.ts';
import type { Database } from '../store/database.ts';

/** What the connection service works with. */
export interface ConnectionDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly catalog: Catalog;
  /** Undefined while SERVICE_CONNECTION_ENCRYPTION_KEY_B64 is not set: nothing is stored or opened then. */
  readonly wrappingKey: Buffer | undefined;
  /** Undefined while one of the three variables of the integration provider is missing. */
  readonly integrations: { readonly client: NangoClient; readonly settings: NangoSettings } | undefined;
  readonly providerDatabase?: ProviderDatabase | undefined;
  /** How long one read repair may take; the default is its own. */
  readonly repairTimeoutMs?: number;
}
