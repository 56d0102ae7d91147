import type { ProcessMeter } from '../base/metrics/create-meter.ts';
import type { Role } from '../base/process-roles.ts';
import type { ProcessContext } from '../base/run-process.ts';
import type { MeasuredDatabase } from '../store/measure-database.ts';
import type { Migrations } from '../store/migrate.ts';

/** What a role starts with. */
export interface RoleDeps extends Omit<ProcessContext, 'programGone'> {
  readonly role: Role;
  readonly version: string;
  /** Its id in the process table, which is also its name at the broker: the broker looks there whether it lives. */
  readonly processId?: string;
  readonly db: MeasuredDatabase;
  readonly migrations: Migrations;
  /** Counts what the process does, where somebody looks. */
  readonly meter?: ProcessMeter;
}
