// The beginning of a run: its row and its first receipt in one statement. The unique key lets one of two equal
// requests through; the other is shown the job that is there.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { linkReceipt, receiptText } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import { digestOf, type Job, jobColumns, type JobRow, streamOf, toJob } from './job.ts';
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
with inserted as (
  insert into :schema.job as j (id, organization_id, workspace_id, created_by, kind, task, objective, model, capabilities, funding_workspace_id,
    idempotency_key, request_hash, status, created_at, head_idx, head_hash, waiting_reason, look_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'queued', $13, 0, $14, $15, case when $15::text is null then now() + interval '10 seconds' end)
  on conflict do nothing
  returning ${jobColumns('j')}
), appended as (
  insert into :schema.receipt (stream, idx, prev, hash, body) select $16, 0, $17, $14, $18 from inserted
)
select * from inserted`;

const BY_KEY = `select ${jobColumns('j')}, j.request_hash from :schema.job j where coalesce(j.organization_id, '') = $1 and j.idempotency_key = $2`;

export interface InsertedJob {
  readonly job: Job;
  readonly isNew: boolean;
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
  const { rows } = await on.query<JobRow>(INSERT, [
    id, wanted.organizationId ?? null, wanted.workspaceId ?? null, wanted.createdBy ?? null, kind, task ?? null, objective, model ?? null, capabilities,
    wanted.fundingWorkspaceId ?? null, idempotencyKey ?? null, requestHash(wanted), at, receipt.hash, wanted.waitingReason ?? null, stream, receipt.prev, receipt.text,
  ]);
  if (rows[0]) return { job: toJob(rows[0]), isNew: true };
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
