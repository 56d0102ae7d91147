// An environment, as its row has it and as it is shown. Its secrets have rows of their own, and only their names are read
// with it.
import type { EnvironmentOnWire } from '../../contract/environments/environments.ts';

export interface RepositoryWish {
  readonly connection: string;
  readonly name: string;
  readonly ref?: string;
}

export interface RunEnvironment {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly setup: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Their names. */
  readonly secrets: readonly string[];
  /** Those that commands get as they are. */
  readonly secretVariables: readonly string[];
  readonly hosts: readonly string[];
  readonly writableHosts: readonly string[];
  readonly repository: RepositoryWish | undefined;
  readonly minutes: number | undefined;
  readonly memoryMiB: number | undefined;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface EnvironmentRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  workspace_id: string;
  name: string;
  setup: string;
  variables: Record<string, string>;
  secrets: string[];
  secret_variables: string[];
  hosts: string[];
  writable_hosts: string[];
  repository: RepositoryWish | null;
  minutes: number | null;
  memory_mib: number | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** Of environment `e`. */
export const ENVIRONMENT_COLUMNS = `e.id, e.organization_id, e.workspace_id, e.name, e.setup, e.variables, e.secret_variables, e.hosts,
  e.writable_hosts, e.repository, e.minutes, e.memory_mib, e.created_by, e.created_at, e.updated_at,
  array(select s.name from :schema.environment_secret s where s.environment_id = e.id order by s.name) as secrets`;

export function toEnvironment(row: EnvironmentRow): RunEnvironment {
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    name: row.name,
    setup: row.setup,
    variables: row.variables,
    secrets: row.secrets,
    secretVariables: row.secret_variables,
    hosts: row.hosts,
    writableHosts: row.writable_hosts,
    repository: row.repository ?? undefined,
    minutes: row.minutes ?? undefined,
    memoryMiB: row.memory_mib ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function presentEnvironment(environment: RunEnvironment, editable: boolean): EnvironmentOnWire {
  const { setup, repository, minutes, memoryMiB } = environment;
  return {
    id: environment.id,
    name: environment.name,
    workspace: environment.workspaceId,
    ...(setup === '' ? {} : { setup }),
    variables: { ...environment.variables },
    secrets: [...environment.secrets],
    secretVariables: [...environment.secretVariables],
    hosts: [...environment.hosts],
    writableHosts: [...environment.writableHosts],
    ...(repository === undefined ? {} : { repository: { ...repository } }),
    limits: {
      ...(minutes === undefined ? {} : { minutes }),
      ...(memoryMiB === undefined ? {} : { memoryMiB }),
    },
    createdBy: environment.createdBy,
    createdAt: environment.createdAt.toISOString(),
    updatedAt: environment.updatedAt.toISOString(),
    editable,
  };
}
