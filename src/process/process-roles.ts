// The process roles of the runtime. One build runs in every role; this table holds all their differences until a role
// starts its own work.
import type { Config } from '../base/config.ts';

type GroupVariable =
  | 'BROKER_GROUP_API'
  | 'BROKER_GROUP_DRIVER'
  | 'BROKER_GROUP_CHAT'
  | 'BROKER_GROUP_CONTROL'
  | 'BROKER_GROUP_CODEX';

export type ProcessRole = 'api' | 'driver' | 'worker-chat' | 'worker-control' | 'worker-codex' | 'all';

export interface RoleRow {
  readonly bindsPort: boolean;
  readonly sendsHeartbeats: boolean;
  readonly registersFunctions: boolean;
  readonly readsModels: boolean;
  /** The variable that names the broker task group; the default is in the table. */
  readonly groupVariable: GroupVariable;
  /** Default number of concurrent runs of `service.job.execute`; absent if the role executes none. */
  readonly executeConcurrency?: number;
}

export const PROCESS_ROLES = {
  api: {
    bindsPort: true,
    sendsHeartbeats: true,
    registersFunctions: true,
    readsModels: true,
    groupVariable: 'BROKER_GROUP_API',
  },
  driver: {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: true,
    readsModels: false,
    groupVariable: 'BROKER_GROUP_DRIVER',
  },
  'worker-chat': {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: true,
    readsModels: true,
    groupVariable: 'BROKER_GROUP_CHAT',
    executeConcurrency: 8,
  },
  'worker-control': {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: true,
    readsModels: true,
    groupVariable: 'BROKER_GROUP_CONTROL',
    executeConcurrency: 4,
  },
  'worker-codex': {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: true,
    readsModels: true,
    groupVariable: 'BROKER_GROUP_CODEX',
    executeConcurrency: 2,
  },
  // Any other value resolves to this: alive, in the api group, and idle.
  all: {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: false,
    readsModels: false,
    groupVariable: 'BROKER_GROUP_API',
  },
} as const satisfies Record<ProcessRole, RoleRow>;

/** The five roles that a complete runtime consists of. */
export const RUNTIME_ROLES = [
  'api',
  'driver',
  'worker-chat',
  'worker-control',
  'worker-codex',
] as const satisfies readonly ProcessRole[];

/** Absent or empty is `api`, one of the five is itself, anything else is `all`. */
export function resolveRole(raw: string | undefined): ProcessRole {
  if (raw === undefined || raw === '') return 'api';
  return RUNTIME_ROLES.find((role) => role === raw) ?? 'all';
}

export function groupOf(role: ProcessRole, config: Config): string {
  return config[PROCESS_ROLES[role].groupVariable];
}

/** How many runs a process of this role executes concurrently; undefined if it executes none. */
export function executeConcurrencyOf(role: ProcessRole, config: Config): number | undefined {
  const row: RoleRow = PROCESS_ROLES[role];
  if (row.executeConcurrency === undefined) return undefined;
  return config.SERVICE_BROKER_EXECUTE_CONCURRENCY ?? row.executeConcurrency;
}
