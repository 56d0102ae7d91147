// Creates a run: its row and its first receipt in one statement, batched with concurrent calls. The unique key lets one of
// two equal requests through; the other gets the run that exists. The statement (job_insert) also enforces how many runs
// a person may have queued.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type LinkedReceipt, linkReceipt, receiptText } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { serverTime } from '../../store/server-clock.ts';
import { runBatched } from '../../store/statement-batches.ts';
import {
  type Delivery,
  digestOf,
  hex,
  type Run,
  runColumns,
  type RunRow,
  type RunAuthority,
  streamOf,
  toRun,
} from './run.ts';
import type { RunKind } from './run-states.ts';
import { NO_AUTHORITY } from './run-authority.ts';

export interface NewRun {
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly actor: string;
  readonly kind: RunKind;
  readonly task?: string | undefined;
  readonly objective: string;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[];
  readonly fundingWorkspaceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Why the run cannot begin yet; such a run is not dispatched. */
  readonly waitingReason?: string | undefined;
  readonly authority?: RunAuthority | undefined;
  /** The schedule or trigger that starts it. */
  readonly startedBy?: string | undefined;
  /** The run that it goes on with. */
  readonly continues?: string | undefined;
  readonly environment?: string | undefined;
  readonly deliver?: Delivery | undefined;
  /** How many runs this person may have queued; unlimited when absent. */
  readonly mostQueued?: number | undefined;
}

const INSERT = 'select job_id, outcome from :schema.job_insert($1)';

const BY_KEY = `select ${runColumns('j')}, j.request_hash from :schema.job j where coalesce(j.organization_id, '') = $1 and j.idempotency_key = $2`;

export interface InsertedRun {
  readonly run: Run;
  readonly isNew: boolean;
}

interface Insert {
  readonly id: string;
  readonly at: Date;
  readonly wanted: NewRun;
  readonly receipt: LinkedReceipt;
}

type Refused = 'taken' | 'full';

/** The run, or why there is none: its key is taken, or the person has reached the limit of queued runs. */
async function insertMany(on: Queryable, inserts: readonly Insert[]): Promise<(Run | Refused)[]> {
  const input = inserts.map(({ id, at, wanted, receipt }) => ({
    id,
    organization_id: wanted.organizationId,
    workspace_id: wanted.workspaceId,
    created_by: wanted.createdBy,
    kind: wanted.kind,
    task: wanted.task,
    objective: wanted.objective,
    model: wanted.model,
    capabilities: wanted.capabilities ?? [],
    funding_workspace_id: wanted.fundingWorkspaceId,
    project_id: wanted.projectId,
    idempotency_key: wanted.idempotencyKey,
    request_hash: hex(requestHash(wanted)),
    at,
    waiting_reason: wanted.waitingReason,
    ...storedAuthority(wanted.authority),
    started_by: wanted.startedBy,
    continues: wanted.continues,
    environment: wanted.environment,
    deliver: wanted.deliver,
    most_queued: wanted.mostQueued,
    stream: receipt.stream,
    prev: hex(receipt.prev),
    hash: hex(receipt.hash),
    body: receipt.text,
  }));
  const { rows } = await on.query<{ job_id: string; outcome: 'inserted' | Refused }>(INSERT, [JSON.stringify(input)]);
  const outcomes = new Map(rows.map(({ job_id, outcome }) => [job_id, outcome]));
  return inserts.map((one) => {
    const outcome = outcomes.get(one.id) ?? 'taken';
    return outcome === 'inserted' ? queuedRun(one) : outcome;
  });
}

function storedAuthority({ startedWith, scopes, tokenId, grantId }: RunAuthority = NO_AUTHORITY): Record<
  string,
  unknown
> {
  return { scopes, started_with: startedWith, token_id: tokenId, grant_id: grantId };
}

/** The inserted row, without reading it back. */
function queuedRun({ id, at, wanted, receipt }: Insert): Run {
  const {
    organizationId,
    workspaceId,
    createdBy,
    kind,
    task,
    objective,
    model,
    capabilities = [],
    fundingWorkspaceId,
    projectId,
    waitingReason,
    authority = NO_AUTHORITY,
    startedBy,
    continues,
    environment,
    deliver,
  } = wanted;
  return {
    id,
    organizationId,
    workspaceId,
    createdBy,
    kind,
    task,
    objective,
    model,
    capabilities,
    fundingWorkspaceId,
    projectId,
    waitingReason,
    authority,
    startedBy,
    continues,
    environment,
    deliver,
    status: 'queued',
    attempt: 0,
    createdAt: at,
    startedAt: undefined,
    endedAt: undefined,
    result: undefined,
    error: undefined,
    head: { index: receipt.index, hash: receipt.hash },
    round: 0,
  };
}

export async function insertRun(on: Queryable, wanted: NewRun, at = serverTime(on)): Promise<InsertedRun> {
  const id = newId('job', at.getTime());
  const stream = streamOf({ id });
  const { kind, task, objective, model, capabilities = [], idempotencyKey, authority } = wanted;
  const draft = {
    kind: 'job.queued',
    actor: wanted.actor,
    body: {
      kind,
      objective: digestOf(objective),
      capabilities: [...capabilities],
      ...(task === undefined ? {} : { task }),
      ...(model === undefined ? {} : { model }),
      ...(wanted.workspaceId === undefined ? {} : { workspace: wanted.workspaceId }),
      ...(wanted.projectId === undefined ? {} : { project: wanted.projectId }),
      ...(wanted.startedBy === undefined ? {} : { startedBy: wanted.startedBy }),
      ...(wanted.continues === undefined ? {} : { continues: wanted.continues }),
      ...(wanted.environment === undefined ? {} : { environment: wanted.environment }),
      ...(wanted.deliver === undefined ? {} : { deliver: wanted.deliver }),
      ...(authority === undefined ? {} : { startedWith: authority.startedWith ?? null, scopes: [...authority.scopes] }),
    },
  };
  const receipt = linkReceipt(stream, undefined, receiptText(draft, at));
  const inserted = await runBatched(on, insertMany, { id, at, wanted, receipt });
  if (typeof inserted === 'object') return { run: inserted, isNew: true };
  const run = idempotencyKey === undefined ? undefined : await findRepeated(on, wanted, idempotencyKey);
  if (run) return { run, isNew: false };
  throw inserted === 'full' ? new AppError('too_many_runs', { limit: wanted.mostQueued }) : new AppError('conflict');
}

/** The run that an earlier request with this key started. A different body under the same key is refused. */
export async function findRepeated(on: Queryable, wanted: NewRun, idempotencyKey: string): Promise<Run | undefined> {
  const { rows } = await on.query<RunRow & { request_hash: Buffer }>(BY_KEY, [
    wanted.organizationId ?? '',
    idempotencyKey,
  ]);
  const [row] = rows;
  if (row && !row.request_hash.equals(requestHash(wanted))) throw new AppError('idempotency_conflict');
  return row && toRun(row);
}

/** The run that a schedule or trigger started under this key. */
export async function findStarted(
  on: Queryable,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  idempotencyKey: string,
): Promise<Run | undefined> {
  const { rows } = await on.query<RunRow>(BY_KEY, [organizationId, idempotencyKey]);
  return rows[0]?.started_by === id ? toRun(rows[0]) : undefined;
}

function requestHash({
  workspaceId,
  kind,
  task,
  objective,
  model,
  capabilities = [],
  fundingWorkspaceId,
  projectId,
  continues,
  environment,
  deliver,
}: NewRun): Buffer {
  const body = {
    workspace: workspaceId,
    kind,
    task,
    objective,
    model,
    capabilities: [...capabilities],
    funding: fundingWorkspaceId,
    project: projectId,
    continues,
    environment,
    deliver,
  };
  return createHash('sha256').update(canonicalJson(body)).digest();
}
