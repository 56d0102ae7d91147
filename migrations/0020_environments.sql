-- expand

-- What runs of a workspace work in: a script that prepares it, variables, secrets, and the hosts that are reachable.
create table :schema.environment (
  id               text collate "C" primary key,
  organization_id  text not null,
  workspace_id     text not null,
  name             text collate "C" not null,
  setup            text not null default '',
  variables        jsonb not null default '{}',
  -- Secrets that commands get as they are; of the others they get a placeholder.
  secret_variables text[] not null default '{}',
  hosts            text[] not null default '{}',
  -- Hosts to which requests of any method may go.
  writable_hosts   text[] not null default '{}',
  -- {connection, name, ref}
  repository       jsonb,
  minutes          int check (minutes > 0),
  memory_mib       int check (memory_mib > 0),
  created_by       text not null,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create unique index environment_name on :schema.environment (organization_id, workspace_id, name);
create index environment_person on :schema.environment (created_by);

create table :schema.environment_secret (
  environment_id text collate "C" not null references :schema.environment (id) on delete cascade,
  name           text collate "C" not null,
  ciphertext     bytea not null,
  iv             bytea not null check (length(iv) = 12),
  auth_tag       bytea not null check (length(auth_tag) = 16),
  updated_at     timestamptz not null default now(),
  primary key (environment_id, name)
);

-- What the script of an environment left, by what it depends on. While it is built, the row is the builder's lease.
create table :schema.environment_setup (
  environment_id  text collate "C" not null references :schema.environment (id) on delete cascade,
  digest          text not null,
  organization_id text not null,
  workspace_id    text not null,
  state           text not null check (state in ('building', 'ready', 'failed')),
  -- Which build it is: its files have the name.
  build           text not null,
  log             text not null default '',
  bytes           bigint not null default 0,
  started_at      timestamptz not null default now(),
  ended_at        timestamptz,
  used_at         timestamptz not null default now(),
  lease_until     timestamptz,
  primary key (environment_id, digest),
  check ((state = 'building') = (lease_until is not null))
);
create index environment_setup_workspace on :schema.environment_setup (organization_id, workspace_id);
create index environment_setup_used on :schema.environment_setup (used_at);

-- What schedules, triggers and recipes start is in an environment, too.
alter table :schema.standing_run add column environment text;
alter table :schema.recipe add column environment text;

create trigger change_notice after insert or update or delete on :schema.environment
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', '');
create trigger change_notice after insert or delete or update of state on :schema.environment_setup
  for each row execute function :schema.change_notice('organization_id', 'environment_id', 'workspace_id', '');
