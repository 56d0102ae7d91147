-- Guardrail groups: authored, versioned, tested against sample text. A version is never changed once written.

create table :schema.guardrail_group (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  latest_version  int not null check (latest_version >= 1),
  created_by      text not null,
  created_at      timestamptz not null default now()
);
create index guardrail_group_organization on :schema.guardrail_group (organization_id, id);

create table :schema.guardrail_version (
  group_id   text not null references :schema.guardrail_group (id) on delete cascade,
  version    int not null check (version >= 1),
  name       text not null,
  rules      jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (group_id, version)
);
