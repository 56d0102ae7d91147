import type { Log } from '../../telemetry/log.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { RepairOutcome } from '../../connections/read-repair.ts';
import type { Database } from '../../store/database.ts';

export interface ConnectionRepair {
  /** Must not throw. */
  repair(ref: WorkspaceRef): Promise<RepairOutcome>;
  close(): Promise<void>;
}

export interface ControlDeps {
  readonly db: Database;
  readonly log: Log;
  readonly dataDirectory: string;
  readonly artifactDays: number;
  /** Undefined when no integration provider is configured. The caller closes it. */
  readonly openRepair: () => Promise<ConnectionRepair | undefined>;
}
