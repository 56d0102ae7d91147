-- expand

-- Runs that a workspace keeps to start them again; the objective may have fields, {{name}}.
create table :schema.recipe (
  id              text collate "C" primary key,
  organization_id text not null,
  workspace_id    text not null,
  name            text collate "C" not null,
  description     text not null default '',
  -- What it starts.
  objective            text not null,
  run_kind             text not null check (run_kind in ('chat', 'codex')),
  model                text,
  capabilities         text[] not null default '{}',
  funding_workspace_id text,
  created_by      text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create unique index recipe_name on :schema.recipe (organization_id, workspace_id, lower(name));
create index recipe_person on :schema.recipe (created_by);

create trigger change_notice after insert or update or delete on :schema.recipe
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', '');
