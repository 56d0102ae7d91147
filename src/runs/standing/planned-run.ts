// What a schedule, a trigger or a recipe starts: as a request says it, as the rows of both tables have it, and as it is shown.
import type { StandingRequest } from '../../contract/standing/standing-runs.ts';
import type { Delivery } from '../record/run.ts';

export interface PlannedRun {
  readonly objective: string;
  readonly kind: 'chat' | 'codex';
  readonly model: string | undefined;
  readonly capabilities: readonly string[];
  readonly fundingWorkspaceId: string | undefined;
  readonly environment: string | undefined;
  readonly deliver: Delivery | undefined;
}

type PlannedFields = {
  objective: string;
  run_kind: PlannedRun['kind'];
  model: string | null;
  capabilities: readonly string[];
  funding_workspace_id: string | null;
  environment: string | null;
  deliver: Delivery | null;
};

export interface PlannedRow extends PlannedFields, Record<string, unknown> {}

/** Each column and what it holds: statements and their values have one order. */
const COLUMNS: { readonly [Name in keyof PlannedFields]: (run: PlannedRun) => PlannedFields[Name] } = {
  objective: (run) => run.objective,
  run_kind: (run) => run.kind,
  model: (run) => run.model ?? null,
  capabilities: (run) => run.capabilities,
  funding_workspace_id: (run) => run.fundingWorkspaceId ?? null,
  environment: (run) => run.environment ?? null,
  deliver: (run) => run.deliver ?? null,
};

export const PLANNED_COLUMNS = Object.keys(COLUMNS) as readonly (keyof PlannedFields)[];

/** In the order of the columns. */
export function plannedValues(run: PlannedRun): unknown[] {
  return Object.values(COLUMNS).map((valueOf) => valueOf(run));
}

/** `$first, …`: the parameters of the values. */
export function plannedParameters(first: number): string {
  return PLANNED_COLUMNS.map((_, at) => `$${first + at}`).join(', ');
}

export function toPlannedRun(row: PlannedRow): PlannedRun {
  return {
    objective: row.objective,
    kind: row.run_kind,
    model: row.model ?? undefined,
    capabilities: row.capabilities,
    fundingWorkspaceId: row.funding_workspace_id ?? undefined,
    environment: row.environment ?? undefined,
    deliver: row.deliver ?? undefined,
  };
}

/** That the caller may have the workspace pay has been checked. */
export function planRun(
  { objective, kind = 'chat', model, capabilities = [], environment, deliver }: StandingRequest,
  fundingWorkspaceId: string | undefined,
): PlannedRun {
  return { objective, kind, model, capabilities: [...new Set(capabilities)], fundingWorkspaceId, environment, deliver };
}

/** On the wire, which is also how a request would say it. */
export function presentPlannedRun(run: PlannedRun, workspace: string) {
  return {
    objective: run.objective,
    kind: run.kind,
    workspace,
    ...(run.fundingWorkspaceId === undefined ? {} : { fundingWorkspace: run.fundingWorkspaceId }),
    ...(run.model === undefined ? {} : { model: run.model }),
    capabilities: [...run.capabilities],
    ...(run.environment === undefined ? {} : { environment: run.environment }),
    ...(run.deliver === undefined ? {} : { deliver: run.deliver }),
  };
}
