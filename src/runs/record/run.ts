import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Head } from '../../receipts/receipt.ts';
import { runStream } from '../../audit/stream-names.ts';
import type { RunKind, RunState, RunStatus } from './run-states.ts';

/** What a run was started with. */
export interface RunAuthority {
  /**
   * The short-lived token that a signed-in person's browser creates for itself counts as their session. Undefined for a
   * run of the service itself, and for runs older than this field, which have no scopes either.
   */
  readonly startedWith: 'session' | 'token' | 'grant' | undefined;
  readonly scopes: readonly Scope[];
  readonly tokenId: string | undefined;
  readonly grantId: string | undefined;
}

/** A run as its row has it, with the head of its chain at that moment. */
export interface Run {
  readonly id: string;
  readonly organizationId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly createdBy: string | undefined;
  readonly kind: RunKind;
  /** The task of a run of the service itself. */
  readonly task: string | undefined;
  readonly objective: string;
  readonly model: string | undefined;
  readonly capabilities: readonly string[];
  readonly fundingWorkspaceId: string | undefined;
  /** The project whose chat started it. */
  readonly projectId: string | undefined;
  readonly status: RunStatus;
  readonly attempt: number;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  readonly result: Json | undefined;
  readonly error: string | undefined;
  readonly head: Head;
  readonly waitingReason: string | undefined;
  readonly round: number;
  readonly authority: RunAuthority;
  /** The schedule or trigger that started it. */
  readonly startedBy: string | undefined;
  /** The run whose conversation and files it goes on with. */
  readonly continues: string | undefined;
  /** The workspace's environment that it works in. */
  readonly environment: string | undefined;
  /** How its commits leave the sandbox. */
  readonly deliver: Delivery | undefined;
}

export type Delivery = 'branch' | 'pull-request';

export interface RunRow extends Record<string, unknown> {
  id: string;
  organization_id: string | null;
  workspace_id: string | null;
  created_by: string | null;
  kind: RunKind;
  task: string | null;
  objective: string;
  model: string | null;
  capabilities: string[];
  funding_workspace_id: string | null;
  project_id: string | null;
  status: RunStatus;
  attempt: number;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  result: Json;
  error: string | null;
  head_idx: number;
  head_hash: Buffer;
  waiting_reason: string | null;
  round: number;
  scopes: Scope[];
  started_with: RunAuthority['startedWith'] | null;
  token_id: string | null;
  grant_id: string | null;
  started_by: string | null;
  continues: string | null;
  environment: string | null;
  deliver: Delivery | null;
}

const NAMES = [
  'id',
  'organization_id',
  'workspace_id',
  'created_by',
  'kind',
  'task',
  'objective',
  'model',
  'capabilities',
  'funding_workspace_id',
  'project_id',
  'status',
  'attempt',
  'created_at',
  'started_at',
  'ended_at',
  'result',
  'error',
  'head_idx',
  'head_hash',
  'waiting_reason',
  'round',
  'scopes',
  'started_with',
  'token_id',
  'grant_id',
  'started_by',
  'continues',
  'environment',
  'deliver',
] as const;

/** The columns, qualified with the statement's alias for the table. */
export function runColumns(table: string): string {
  return NAMES.map((name) => `${table}.${name}`).join(', ');
}

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    organizationId: row.organization_id ?? undefined,
    workspaceId: row.workspace_id ?? undefined,
    createdBy: row.created_by ?? undefined,
    kind: row.kind,
    task: row.task ?? undefined,
    objective: row.objective,
    model: row.model ?? undefined,
    capabilities: row.capabilities,
    fundingWorkspaceId: row.funding_workspace_id ?? undefined,
    projectId: row.project_id ?? undefined,
    status: row.status,
    attempt: row.attempt,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    result: row.result ?? undefined,
    error: row.error ?? undefined,
    head: { index: row.head_idx, hash: row.head_hash },
    waitingReason: row.waiting_reason ?? undefined,
    round: row.round,
    authority: {
      startedWith: row.started_with ?? undefined,
      scopes: row.scopes,
      tokenId: row.token_id ?? undefined,
      grantId: row.grant_id ?? undefined,
    },
    startedBy: row.started_by ?? undefined,
    continues: row.continues ?? undefined,
    environment: row.environment ?? undefined,
    deliver: row.deliver ?? undefined,
  };
}

export function stateOf(run: Run): RunState {
  return {
    status: run.status,
    attempt: run.attempt,
    createdAt: run.createdAt.toISOString(),
    ...(run.startedAt ? { startedAt: run.startedAt.toISOString() } : {}),
    ...(run.endedAt ? { endedAt: run.endedAt.toISOString() } : {}),
  };
}

export function streamOf(run: Pick<Run, 'id'>): string {
  return runStream(run.id);
}

/** Stands for a text in a receipt that does not repeat it. */
export function digestOf(value: Json): { sha256: string; bytes: number } {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return { sha256: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
}

/** Bytes in the form that a statement reads from JSON. */
export function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
