import type { Log } from '../../base/log.ts';
import type { Catalog } from '../../catalog/connector-types.ts';
import type { CredentialReader } from '../../nango/read-credentials.ts';
import type { Database } from '../../store/database.ts';
import type { RunCallbackServer } from '../run-callback-server.ts';

/** What the configuration of command-line clients is made from. */
export interface ClientDeps {
  readonly db: Database;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly wrappingKey: Buffer | undefined;
  /** Undefined while the integration provider is not configured. */
  readonly credentials: CredentialReader | undefined;
  readonly callbacks: RunCallbackServer;
  /** Where sessions are made of long-lived AWS keys; `off` hands those keys over as they are. */
  readonly stsUrl: string;
  /** Names of profiles of this machine that runs may use, or `*`. */
  readonly localProfiles: string | undefined;
  /** Where the machine's own clients are found. */
  readonly path: string;
  /** Whether a code host that a user names may be at a private address. */
  readonly allowPrivate: boolean;
}
