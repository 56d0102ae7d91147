import type { Log } from '../../telemetry/log.ts';
import type { Catalog } from '../../catalog/connector-types.ts';
import type { CredentialReader } from '../../nango/read-credentials.ts';
import type { Database } from '../../store/database.ts';
import type { Run } from '../../runs/record/run.ts';
import type { RepositoryWish } from '../../runs/environments/environment.ts';
import type { KeptCheckouts } from '../repository/kept-checkouts.ts';
import type { RunCallbackServer } from '../run-callback-server.ts';

/** The dependencies of the command-line clients' configuration. */
export interface ClientDeps {
  readonly db: Database;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly wrappingKey: Buffer | undefined;
  /** Undefined while the integration provider is not configured. */
  readonly credentials: CredentialReader | undefined;
  readonly callbacks: RunCallbackServer;
  /** The repository that a run is to begin with. */
  readonly findRepository: (run: Run) => Promise<RepositoryWish | undefined>;
  /** What was checked out before; absent in tests. */
  readonly keptCheckouts?: KeptCheckouts | undefined;
  /** Where long-lived AWS keys are exchanged for sessions; `off` hands out the keys themselves. */
  readonly stsUrl: string;
  /** The profiles on this machine that runs may use, or `*`. */
  readonly localProfiles: string | undefined;
  /** Where the machine's own clients are installed. */
  readonly path: string;
  /** Whether a user's code host may be at a private address. */
  readonly allowPrivate: boolean;
}
