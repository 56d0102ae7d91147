import type { Log } from '../../base/log.ts';
import type { Database } from '../../store/database.ts';
import type { ConnectionRepair } from './sweep-connections.ts';

export interface ControlDeps {
  readonly db: Database;
  readonly log: Log;
  readonly dataDirectory: string;
  readonly artifactDays: number;
  /** Undefined where no integration provider is configured. Whoever opens it closes it. */
  readonly openRepair: () => Promise<ConnectionRepair | undefined>;
}
