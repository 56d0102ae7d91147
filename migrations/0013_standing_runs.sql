-- expand

-- What starts runs without a person: a schedule at its times, a trigger when something is delivered to it. It acts for
-- the person who made it, with the credential that it was made with; both are looked at each time it starts a run.
create table :schema.standing_run (
  id              text collate "C" primary key,
  kind            text not null check (kind in ('schedule', 'trigger')),
  organization_id text not null,
  workspace_id    text not null,
  created_by      text not null,
  name            text not null,
  -- What it starts.
  objective            text not null,
  run_kind             text not null check (run_kind in ('chat', 'codex')),
  model                text,
  capabilities         text[] not null default '{}',
  funding_workspace_id text,
  scopes       text[] not null,
  started_with text not null check (started_with in ('session', 'token', 'grant')),
  token_id     text,
  grant_id     text,
  -- Off by choice. Paused is by the service itself, until a person turns it on again.
  enabled       boolean not null default true,
  paused_reason text check (paused_reason in ('authority_lost', 'refused')),
  paused_at     timestamptz,
  -- How often in a row what it wanted to start was refused.
  refusals      int not null default 0,
  last_job      text,
  created_at    timestamptz not null,
  check ((paused_reason is null) = (paused_at is null)),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create index standing_run_workspace on :schema.standing_run (organization_id, workspace_id, kind, id desc);
create index standing_run_person on :schema.standing_run (created_by);

-- The schedule or trigger that started it.
alter table :schema.job add column started_by text;
