import type { ProcessMeter } from '../base/metrics/create-meter.ts';
import type { Role } from '../base/process-roles.ts';
import type { ProcessContext } from '../base/run-process.ts';
import type { MeasuredDatabase } from '../store/measure-database.ts';
import type { Engines } from '../jobs/engine.ts';
import type { Migration } from '../store/migrate.ts';

/** What a role starts with. */
export interface RoleDeps extends ProcessContext {
  readonly role: Role;
  readonly version: string;
  readonly db: MeasuredDatabase;
  readonly migrations: readonly Migration[];
  /** Counts what the process does, where somebody looks. */
  readonly meter?: ProcessMeter;
  /** What executes the runs of people; those of this build when absent. */
  readonly engines?: Engines;
}
