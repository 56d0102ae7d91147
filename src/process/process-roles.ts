// The process roles of the runtime. One build runs in every role; this table holds all their differences until a role
// starts its own work. What npm start runs, who reads which secret, metrics ports, the doctor and the checks of the
// deployment files follow from it.
import type { Config } from '../base/config.ts';

export interface RoleRow {
  readonly bindsPort: boolean;
  readonly sendsHeartbeats: boolean;
  readonly registersFunctions: boolean;
  readonly readsModels: boolean;
  /** The variable that names the broker task group; its default is in the table of the environment. */
  readonly groupVariable: keyof Config & `BROKER_GROUP_${string}`;
  /** Default number of concurrent runs of `service.job.execute`; absent if the role executes none. */
  readonly executeConcurrency?: number;
  /** Distance of its metrics port from SERVICE_METRICS_PORT; absent if it is scraped at its own port. */
  readonly metricsOffset?: number;
  /** What does not work while no process has this role; every role but `all` says it. */
  readonly without?: string;
}

/** A worker executes the runs of the kind in its name. */
const WORKER = { bindsPort: false, sendsHeartbeats: false, registersFunctions: true, readsModels: true } as const;

export const PROCESS_ROLES = {
  api: {
    bindsPort: true,
    sendsHeartbeats: true,
    registersFunctions: true,
    readsModels: true,
    groupVariable: 'BROKER_GROUP_API',
    without: 'Connections, tools, receipts and runs cannot be reached.',
  },
  driver: {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: true,
    readsModels: false,
    groupVariable: 'BROKER_GROUP_DRIVER',
    metricsOffset: 2,
    without: 'Runs are recorded but never reach a worker.',
  },
  'worker-chat': {
    ...WORKER,
    groupVariable: 'BROKER_GROUP_CHAT',
    executeConcurrency: 8,
    metricsOffset: 3,
    without: 'Runs of the kind chat wait.',
  },
  'worker-control': {
    ...WORKER,
    groupVariable: 'BROKER_GROUP_CONTROL',
    executeConcurrency: 4,
    metricsOffset: 4,
    without: 'Runs of the kind control wait, including maintenance of the service.',
  },
  'worker-codex': {
    ...WORKER,
    groupVariable: 'BROKER_GROUP_CODEX',
    executeConcurrency: 2,
    metricsOffset: 5,
    without: 'Runs of the kind codex wait.',
  },
  // Any other value resolves to this: alive, in the api group, and idle.
  all: {
    bindsPort: false,
    sendsHeartbeats: false,
    registersFunctions: false,
    readsModels: false,
    groupVariable: 'BROKER_GROUP_API',
    metricsOffset: 6,
  },
} as const satisfies Record<string, RoleRow>;

export type ProcessRole = keyof typeof PROCESS_ROLES;
export type RuntimeRole = Exclude<ProcessRole, 'all'>;
export type WorkerRole = Extract<RuntimeRole, `worker-${string}`>;

/** The roles that a complete runtime consists of. */
export const RUNTIME_ROLES = (Object.keys(PROCESS_ROLES) as ProcessRole[]).filter((role) => role !== 'all');

export const WORKER_ROLES = RUNTIME_ROLES.filter((role): role is WorkerRole => role.startsWith('worker-'));

/** Absent or empty is `api`, one of the table is itself, anything else is `all`. */
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
