// The beginning of a run: its row and its first receipt in one statement, together with those of the same moment. The
// unique key lets one of two equal requests through; the other is shown the job that is there.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type LinkedReceipt, linkReceipt, receiptText } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import { groupOnDatabase } from './group-on-database.ts';
import { digestOf, hex, type Job, jobColumns, type JobRow, streamOf, toJob } from './job.ts';
import type { JobKind } from './job-states.ts';

export interface NewJob {
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly actor: string;
  readonly kind: JobKind;
  readonly task?: string | undefined;
  readonly objective: string;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[];
  readonly fundingWorkspaceId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Why it cannot begin yet, where nobody is to be told of it. */
  readonly waitingReason?: string | undefined;
}

const INSERT = `
with input as (
  select * from json_to_recordset($1::json) as i (id text, organization_id text, workspace_id text, created_by text, kind text, task text, objective text, model text,
    capabilities text[], funding_workspace_id text, idempotency_key text, request_hash bytea, at timestamptz, waiting_reason text, stream text, prev bytea, hash bytea, body text)
), inserted as (
  insert into :schema.job as j (id, organization_id, workspace_id, created_by, kind, task, objective, model, capabilities, funding_workspace_id,
    idempotency_key, request_hash, status, created_at, head_idx, head_hash, waiting_reason, look_at)
  select i.id, i.organization_id, i.workspace_id, i.created_by, i.kind, i.task, i.objective, i.model, i.capabilities, i.funding_workspace_id,
    i.idempotency_key, i.request_hash, 'queued', i.at, 0, i.hash, i.waiting_reason, case when i.waiting_reason is null then now() + interval '10 seconds' end
  from input i
  on conflict do nothing
  returning j.id
), appended as (
  insert into :schema.receipt (stream, idx, prev, hash, body) select i.stream, 0, i.prev, i.hash, i.body from input i where i.id in (select id from inserted)
)
select id from inserted`;

const BY_KEY = `select ${jobColumns('j')}, j.request_hash from :schema.job j where coalesce(j.organization_id, '') = $1 and j.idempotency_key = $2`;

export interface InsertedJob {
  readonly job: Job;
  readonly isNew: boolean;
}

interface Insert {
  readonly id: string;
  readonly at: Date;
  readonly wanted: NewJob;
  readonly receipt: LinkedReceipt;
}

/** The job, or undefined where its key is taken. */
const insert = groupOnDatabase<Insert, Job | undefined>(async (on, inserts) => {
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
    idempotency_key: wanted.idempotencyKey,
    request_hash: hex(requestHash(wanted)),
    at,
    waiting_reason: wanted.waitingReason,
    stream: receipt.stream,
    prev: hex(receipt.prev),
    hash: hex(receipt.hash),
    body: receipt.text,
  }));
  const { rows } = await on.query<{ id: string }>(INSERT, [JSON.stringify(input)]);
  const inserted = new Set(rows.map((row) => row.id));
  return inserts.map((one) => (inserted.has(one.id) ? queuedJob(one) : undefined));
});

/** What is in the row now, without reading it back. */
function queuedJob({ id, at, wanted, receipt }: Insert): Job {
  const { organizationId, workspaceId, createdBy, kind, task, objective, model, capabilities = [], fundingWorkspaceId, waitingReason } = wanted;
  return {
    id, organizationId, workspaceId, createdBy, kind, task, objective, model, capabilities, fundingWorkspaceId, waitingReason,
    status: 'queued', attempt: 0, createdAt: at, startedAt: undefined, endedAt: undefined, result: undefined, error: undefined, head: { index: receipt.index, hash: receipt.hash }, round: 0,
  };
}

export async function insertJob(on: Queryable, wanted: NewJob, at = new Date()): Promise<InsertedJob> {
  const id = newId('job', at.getTime());
  const stream = streamOf({ id });
  const { kind, task, objective, model, capabilities = [], idempotencyKey } = wanted;
  const draft = {
    kind: 'job.queued',
    actor: wanted.actor,
    body: { kind, objective: digestOf(objective), capabilities: [...capabilities], ...(task === undefined ? {} : { task }), ...(model === undefined ? {} : { model }), ...(wanted.workspaceId === undefined ? {} : { workspace: wanted.workspaceId }) },
  };
  const receipt = linkReceipt(stream, undefined, receiptText(draft, at));
  const inserted = await insert(on, { id, at, wanted, receipt });
  if (inserted) return { job: inserted, isNew: true };
  const job = idempotencyKey === undefined ? undefined : await findRepeated(on, wanted, idempotencyKey);
  if (!job) throw new AppError('conflict');
  return { job, isNew: false };
}

/** The job that an earlier request with this key started. Another body under the same key is refused. */
export async function findRepeated(on: Queryable, wanted: NewJob, idempotencyKey: string): Promise<Job | undefined> {
  const { rows } = await on.query<JobRow & { request_hash: Buffer }>(BY_KEY, [wanted.organizationId ?? '', idempotencyKey]);
  const [row] = rows;
  if (row && !row.request_hash.equals(requestHash(wanted))) throw new AppError('idempotency_conflict');
  return row && toJob(row);
}

function requestHash({ workspaceId, kind, task, objective, model, capabilities = [], fundingWorkspaceId }: NewJob): Buffer {
  const body = { workspace: workspaceId, kind, task, objective, model, capabilities: [...capabilities], funding: fundingWorkspaceId };
  return createHash('sha256').update(canonicalJson(body)).digest();
}
