-- expand

-- Addresses that are told what happens, and what they are told. A message waits in its row: next_at is null once it was
-- delivered or given up, and moves past the lease while a worker sends it.
create table :schema.subscription (
  id              text collate "C" primary key,
  organization_id text not null references :schema.organization (id) on delete cascade,
  -- Null for the whole organization.
  workspace_id    text,
  created_by      text not null,
  url             text not null,
  events          text[] not null,
  ciphertext      bytea not null,
  iv              bytea not null check (length(iv) = 12),
  auth_tag        bytea not null check (length(auth_tag) = 16),
  created_at      timestamptz not null,
  -- Since when nothing has been delivered, though it was tried.
  failing_since   timestamptz,
  disabled_at     timestamptz,
  disabled_reason text check (disabled_reason in ('by_person', 'failing', 'gone')),
  check ((disabled_at is null) = (disabled_reason is null)),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create index subscription_organization on :schema.subscription (organization_id, id desc);

create table :schema.subscription_delivery (
  id              text collate "C" primary key,
  subscription_id text not null references :schema.subscription (id) on delete cascade,
  event           text not null,
  -- What is sent, with ids and states only.
  body            text not null,
  created_at      timestamptz not null,
  next_at         timestamptz,
  tries           int not null default 0,
  tried_at        timestamptz,
  delivered_at    timestamptz,
  status          int,
  -- Why the last try failed, in words.
  failure         text
);
create index subscription_delivery_due on :schema.subscription_delivery (next_at) where next_at is not null;
create index subscription_delivery_list on :schema.subscription_delivery (subscription_id, id desc);
create index subscription_delivery_created on :schema.subscription_delivery (created_at);
