// What starts runs without a person: what schedules and triggers have in common, as its row has it.
import type { Scope } from '../../contract/tokens.ts';
import type { StandingPause } from '../../contract/standing/standing-runs.ts';
import type { RunAuthority } from '../record/run.ts';
import { PLANNED_COLUMNS, type PlannedRow, type PlannedRun, toPlannedRun } from './planned-run.ts';

export type StandingKind = 'schedule' | 'trigger';

export interface StandingRun {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly name: string;
  readonly run: PlannedRun;
  readonly authority: RunAuthority;
  readonly enabled: boolean;
  readonly paused: { readonly reason: StandingPause; readonly at: Date } | undefined;
  readonly refusals: number;
  readonly lastRun: string | undefined;
  readonly createdAt: Date;
}

export interface StandingRow extends PlannedRow {
  id: string;
  organization_id: string;
  workspace_id: string;
  created_by: string;
  name: string;
  scopes: Scope[];
  started_with: NonNullable<RunAuthority['startedWith']>;
  token_id: string | null;
  grant_id: string | null;
  enabled: boolean;
  paused_reason: StandingPause | null;
  paused_at: Date | null;
  refusals: number;
  last_job: string | null;
  created_at: Date;
}

const NAMES = [
  'id',
  'organization_id',
  'workspace_id',
  'created_by',
  'name',
  ...PLANNED_COLUMNS,
  'scopes',
  'started_with',
  'token_id',
  'grant_id',
  'enabled',
  'paused_reason',
  'paused_at',
  'refusals',
  'last_job',
  'created_at',
] as const;

/** The columns, qualified with the statement's alias for the table. */
export function standingColumns(table: string): string {
  return NAMES.map((name) => `${table}.${name}`).join(', ');
}

export function toStandingRun(row: StandingRow): StandingRun {
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
    name: row.name,
    run: toPlannedRun(row),
    authority: {
      startedWith: row.started_with,
      scopes: row.scopes,
      tokenId: row.token_id ?? undefined,
      grantId: row.grant_id ?? undefined,
    },
    enabled: row.enabled,
    paused: row.paused_reason && row.paused_at ? { reason: row.paused_reason, at: row.paused_at } : undefined,
    refusals: row.refusals,
    lastRun: row.last_job ?? undefined,
    createdAt: row.created_at,
  };
}
