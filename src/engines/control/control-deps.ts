import type { DeliverDeps } from '../../mail/deliver-mail.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Log } from '../../telemetry/log.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { RepairOutcome } from '../../connections/read-repair.ts';
import type { Database } from '../../store/database.ts';

export interface ConnectionRepair {
  /** Must not throw. */
  repair(ref: WorkspaceRef): Promise<RepairOutcome>;
  /** Deletes the connections of a workspace at the provider; must not throw. */
  remove(ref: WorkspaceRef): Promise<void>;
  close(): Promise<void>;
}

export interface ControlDeps {
  readonly db: Database;
  readonly log: Log;
  readonly dataDirectory: string;
  readonly artifactDays: number;
  readonly snapshotDays: number;
  readonly mailer: Mailer;
  /** Undefined without SMTP. */
  readonly delivery: DeliverDeps | undefined;
  /** Undefined when no integration provider is configured. The caller closes it. */
  readonly openRepair: () => Promise<ConnectionRepair | undefined>;
}
