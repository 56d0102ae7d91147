-- Background runs. The receipts of stream jobs/<id> are the record; this row is what they add up to, written in the
-- statement that appends. `head_idx` and `head_hash` are the fencing token: whoever appends names the head it saw,
-- and a late worker names one that is gone. The row is also the outbox: `look_at` says when somebody must see to it
-- that the broker has the job.
create table :schema.job (
  id                   text collate "C" primary key,
  -- A job of the service itself has no organization, no workspace and no person; it has a task instead.
  organization_id      text references :schema.organization (id),
  -- No foreign key: the record of a run outlives its workspace.
  workspace_id         text,
  created_by           text,
  kind                 text not null check (kind in ('chat', 'control', 'codex')),
  task                 text,
  objective            text not null,
  model                text,
  capabilities         text[] not null default '{}',
  funding_workspace_id text,
  idempotency_key      text,
  request_hash         bytea not null,
  status               text not null check (status in ('queued', 'running', 'completed', 'failed', 'aborted')),
  attempt              int not null default 0,
  created_at           timestamptz not null,
  started_at           timestamptz,
  ended_at             timestamptz,
  result               jsonb,
  error                text,
  head_idx             bigint not null,
  head_hash            bytea not null,
  waiting_reason       text,
  -- How often the broker had to be given the job anew because its call ended before the job did.
  round                int not null default 0,
  look_at              timestamptz,
  -- The transaction of the last change: what a live channel resumes behind. A serial number would skip what
  -- commits late.
  changed_by           xid8 not null default pg_current_xact_id(),
  check ((organization_id is null) = (workspace_id is null)),
  check ((organization_id is null) = (task is not null)),
  check ((ended_at is not null) = (status in ('completed', 'failed', 'aborted')))
);

create unique index job_idempotency on :schema.job (coalesce(organization_id, ''), idempotency_key) where idempotency_key is not null;
create index job_of_workspace on :schema.job (workspace_id, id) where workspace_id is not null;
create index job_of_workspace_status on :schema.job (workspace_id, status, id) where workspace_id is not null;
create index job_changes on :schema.job (workspace_id, changed_by) where workspace_id is not null;
create index job_of_service on :schema.job (id) where organization_id is null;
-- Only unfinished jobs are in these two, so their cost does not grow with what is done.
create index job_due on :schema.job (look_at) where look_at is not null;
create index job_open on :schema.job (status, waiting_reason) where status in ('queued', 'running');
create index job_ended on :schema.job (ended_at) where ended_at is not null;
