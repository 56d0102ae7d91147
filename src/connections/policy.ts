// What may be done through one connection. Only explicit decisions are stored. By default, actions that read are on and
// actions that write are off, so an action added to the catalogue later starts out safe.
import { AppError } from '../base/errors.ts';
import type { Connector } from '../catalog/connector-types.ts';
import type { Database, Row } from '../store/database.ts';
import { notifyChange } from './notify-change.ts';

export interface ConnectionPolicy {
  /** Decisions by tool name. */
  readonly actions: Readonly<Record<string, boolean>>;
  readonly repositories: RepositoryPolicy;
  readonly push: PushRight;
}

/** Whether the service may push what a run did, from outside its sandbox: `branches` means a branch of the run's own. */
export type PushRight = 'off' | 'branches';

export interface RepositoryPolicy {
  readonly enforce: boolean;
  /** `owner/name`, or a project's path. */
  readonly selected: readonly string[];
}

export interface PolicyRow extends Row {
  actions: Record<string, boolean> | null;
  enforce_repositories: boolean | null;
  selected_repositories: string[] | null;
  push: PushRight | null;
}

export function toPolicy(row: PolicyRow | undefined): ConnectionPolicy {
  return {
    actions: row?.actions ?? {},
    repositories: { enforce: row?.enforce_repositories ?? false, selected: row?.selected_repositories ?? [] },
    push: row?.push ?? 'off',
  };
}

export function isActionEnabled(
  { actions }: Pick<ConnectionPolicy, 'actions'>,
  tool: { readonly name: string; readonly access: 'read' | 'write' },
): boolean {
  return Object.hasOwn(actions, tool.name) ? actions[tool.name] === true : tool.access === 'read';
}

/** The effective policy: every action of the connector with its decision or default, plus decisions on discovered tools. */
export function effectivePolicy(connector: Connector | undefined, policy: ConnectionPolicy): ConnectionPolicy {
  const tools: readonly { name: string; access: 'read' | 'write' }[] = connector?.tools ?? [];
  const actions: Record<string, boolean> = Object.fromEntries(
    tools.map((tool) => [tool.name, isActionEnabled(policy, tool)]),
  );
  if (connector?.surface === 'provider-mcp') Object.assign(actions, policy.actions);
  return { ...policy, actions };
}

export interface PolicyChange {
  readonly actions?: Readonly<Record<string, boolean>> | undefined;
  readonly repositories?: RepositoryPolicy | undefined;
  readonly push?: PushRight | undefined;
}

export interface PolicyTarget {
  readonly connection: { readonly id: string; readonly workspaceId: string };
  readonly connector: Connector | undefined;
}

/** Replaces the given parts and leaves the others as they are. */
export async function writeConnectionPolicy(
  db: Database,
  { connection, connector }: PolicyTarget,
  change: PolicyChange,
  userId: string,
): Promise<ConnectionPolicy> {
  checkActions(connector, change.actions ?? {});
  if (change.repositories) checkRepositories(connector, change.repositories);
  if (change.push === 'branches' && connector?.codeHost !== true)
    throw new AppError('invalid_request', { push: 'only applies to a code host' });
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<PolicyRow>(
      `insert into :schema.connection_policy as p (connection_id, actions, enforce_repositories, selected_repositories, push, updated_by)
       values ($1, coalesce($2::jsonb, '{}'), coalesce($3, false), coalesce($4::text[], '{}'), coalesce($6, 'off'), $5)
       on conflict (connection_id) do update set actions = coalesce($2::jsonb, p.actions), enforce_repositories = coalesce($3, p.enforce_repositories),
         selected_repositories = coalesce($4::text[], p.selected_repositories), push = coalesce($6, p.push), updated_at = now(), updated_by = $5
       returning actions, enforce_repositories, selected_repositories, push`,
      [
        connection.id,
        change.actions === undefined ? null : JSON.stringify(change.actions),
        change.repositories?.enforce ?? null,
        change.repositories?.selected ?? null,
        userId,
        change.push ?? null,
      ],
    );
    await notifyChange(tx, db, connection.workspaceId);
    return toPolicy(rows[0]);
  });
}

function checkActions(connector: Connector | undefined, actions: Readonly<Record<string, boolean>>): void {
  if (connector?.surface === 'provider-mcp') return;
  const known = new Set((connector?.tools ?? []).map(({ name }) => name));
  const unknown = Object.keys(actions).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new AppError(
      'invalid_request',
      Object.fromEntries(unknown.map((name) => [`actions.${name}`, 'is not an action of this connection'])),
    );
}

/** Repository names of code hosts: two parts, except where groups nest. */
const TWO_PARTS = /^[^\s/]+\/[^\s/]+$/;
const REPOSITORY_NAMES: Readonly<Record<string, { readonly form: RegExp; readonly example: string }>> = {
  gitlab: { form: /^[^\s/]+(?:\/[^\s/]+)+$/, example: 'group/project' },
};

function checkRepositories(connector: Connector | undefined, { enforce, selected }: RepositoryPolicy): void {
  if (enforce && connector?.codeHost !== true)
    throw new AppError('invalid_request', { 'repositories.enforce': 'only applies to a code host' });
  const { form, example } = REPOSITORY_NAMES[connector?.id ?? ''] ?? { form: TWO_PARTS, example: 'owner/name' };
  const faults = selected.flatMap((name, at): [string, string][] =>
    form.test(name) ? [] : [[`repositories.selected.${at}`, `${JSON.stringify(name)} must have the form ${example}`]],
  );
  if (faults.length > 0) throw new AppError('invalid_request', Object.fromEntries(faults));
}
