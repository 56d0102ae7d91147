import type { Log } from '../../base/log.ts';
import type { Database } from '../../store/database.ts';

export interface ControlDeps {
  readonly db: Database;
  readonly log: Log;
  readonly dataDirectory: string;
  readonly artifactDays: number;
}
