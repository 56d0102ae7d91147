-- What decides a chat request: the organization's policy, own provider keys, Models accounts, and one number that
-- changes with any of them.

create table :schema.org_policy (
  organization_id           text primary key references :schema.organization (id),
  disabled_providers        text[] not null default '{}',
  disabled_models           text[] not null default '{}',
  require_zdr               boolean not null default false,
  enforce_study_mode        boolean not null default false,
  require_provider_key      boolean not null default false,
  inherit_organization_keys boolean not null default false,
  tool_switches             jsonb not null default '{}',
  modules                   jsonb not null default '{"rateLimiting":{},"budgetLimiting":{},"loggingConfig":{},"toolApproval":{}}',
  -- Null until a key is first saved or removed; until then it is not trusted.
  provider_key_summary      jsonb,
  updated_at                timestamptz not null default now()
);

-- Never the key itself: AES-256-GCM under BYOK_ENCRYPTION_KEY_B64, bound to the row. The organization-wide scope
-- is the organization's Global workspace.
create table :schema.org_provider_api_key (
  organization_id text not null,
  workspace_id    text not null,
  provider        text not null,
  ciphertext      bytea not null,
  iv              bytea not null check (length(iv) = 12),
  auth_tag        bytea not null check (length(auth_tag) = 16),
  key_version     int not null,
  fingerprint     text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, workspace_id, provider),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);

-- An OpenAI-compatible account of one workspace; `models` are patterns in which * matches anything.
create table :schema.models_account (
  workspace_id    text primary key,
  organization_id text not null,
  base_url        text not null,
  models          text[] not null,
  ciphertext      bytea not null,
  iv              bytea not null check (length(iv) = 12),
  auth_tag        bytea not null check (length(auth_tag) = 16),
  key_version     int not null,
  fingerprint     text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);

-- A process keeps what decides a request in memory, under the version it read. The admission statement compares
-- the version, so that a change is in force for the very next request without a second round trip.
create table :schema.chat_version (
  organization_id text primary key,
  version         bigint not null
);

create function :schema.chat_version_bump() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  execute format('insert into %1$I.chat_version as v (organization_id, version) values ($1, 1)
                  on conflict (organization_id) do update set version = v.version + 1', tg_table_schema)
    using coalesce(changed ->> 'organization_id', changed ->> 'id');
  return null;
end $$;

create trigger chat_version_member after insert or update or delete on :schema.organization_member for each row execute function :schema.chat_version_bump();
create trigger chat_version_workspace_member after insert or update or delete on :schema.workspace_member for each row execute function :schema.chat_version_bump();
create trigger chat_version_workspace after update or delete on :schema.workspace for each row execute function :schema.chat_version_bump();
create trigger chat_version_organization after update on :schema.organization for each row execute function :schema.chat_version_bump();
create trigger chat_version_policy after insert or update or delete on :schema.org_policy for each row execute function :schema.chat_version_bump();
create trigger chat_version_key after insert or update or delete on :schema.org_provider_api_key for each row execute function :schema.chat_version_bump();
create trigger chat_version_account after insert or update or delete on :schema.models_account for each row execute function :schema.chat_version_bump();
