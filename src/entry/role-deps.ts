import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { ProcessMeter } from '../telemetry/metrics/create-meter.ts';
import type { BuildInfo } from '../process/build-info.ts';
import type { ProcessRole } from '../process/process-roles.ts';
import type { ProcessContext } from '../process/run-process.ts';
import type { MeasuredDatabase } from '../store/measure-database.ts';
import type { Migrations } from '../store/migrate.ts';

/** The dependencies of every role. */
export interface RoleDeps extends BuildInfo, Omit<ProcessContext, 'programGone' | 'onHangup'> {
  readonly role: ProcessRole;
  /** Its id in the process table and at the broker, which uses the table to see whether it is alive. */
  readonly processId: string;
  readonly db: MeasuredDatabase;
  readonly migrations: Migrations;
  /** Absent if the role reads no models, or there are only the built-in ones. */
  readonly models?: ModelCatalog | undefined;
  /** Counts what the process does, if metrics are on. */
  readonly meter?: ProcessMeter;
}
