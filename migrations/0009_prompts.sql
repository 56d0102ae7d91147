-- expand
-- Saved prompts, and what a person wants every answer to follow.

create table :schema.prompt (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  -- Whose it is; null if it is shared.
  user_id         text,
  -- The workspace whose members use it; null if it is a person's own.
  workspace_id    text,
  -- What is typed after the slash.
  name            text not null,
  text            text not null,
  created_by      text not null,
  -- As it was then, because a shared prompt outlives the membership of the person who made it.
  created_by_name text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  check ((user_id is null) <> (workspace_id is null)),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create unique index prompt_own on :schema.prompt (organization_id, user_id, name) where workspace_id is null;
create unique index prompt_shared on :schema.prompt (workspace_id, name) where workspace_id is not null;
create index prompt_list on :schema.prompt (organization_id, name collate "C", id);
create trigger change_notice after insert or update or delete on :schema.prompt
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');

create table :schema.custom_instructions (
  organization_id text not null,
  user_id         text not null,
  text            text not null,
  enabled         boolean not null,
  updated_at      timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create trigger change_notice after insert or update or delete on :schema.custom_instructions
  for each row execute function :schema.change_notice('organization_id', 'user_id', '', 'user_id');
