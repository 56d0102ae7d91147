-- Organizations, who is in them, and the workspaces inside them. Composite foreign keys carry the invariants: a
-- workspace membership names an organization membership of the same organization and goes when it goes.
-- Ids hold an underscore and slugs do not: where either may stand, what it is can be told from the text.

create table :schema.organization (
  id                   text primary key,
  slug                 text not null unique,
  name                 text not null,
  plan                 text not null check (plan in ('free', 'team', 'business')),
  signup_credit_micros bigint not null check (signup_credit_micros >= 0),
  created_at           timestamptz not null default now(),
  constraint organization_id_or_slug check (id like '%\_%' and slug not like '%\_%')
);

-- The primary key is what makes one membership a person hold under parallel calls.
create table :schema.organization_member (
  organization_id text not null references :schema.organization (id),
  user_id         text not null references :schema.identity_user (id),
  role            text not null check (role in ('owner', 'admin', 'member')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_member_user on :schema.organization_member (user_id);

create table :schema.workspace (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  slug            text not null,
  name            text not null,
  kind            text not null check (kind in ('global', 'default', 'named')),
  created_at      timestamptz not null default now(),
  unique (organization_id, slug),
  unique (organization_id, id),
  constraint workspace_id_or_slug check (id like '%\_%' and slug not like '%\_%'),
  constraint workspace_reserved_slug check (case when kind = 'named' then slug not in ('global', 'default') else slug = kind end)
);
create unique index workspace_one_global on :schema.workspace (organization_id) where kind = 'global';
create unique index workspace_one_default on :schema.workspace (organization_id) where kind = 'default';

-- Rows exist for named workspaces only: everybody in the organization is in Global and Default.
create table :schema.workspace_member (
  workspace_id    text not null,
  user_id         text not null,
  organization_id text not null,
  role            text not null check (role in ('owner', 'admin', 'member')),
  created_at      timestamptz not null default now(),
  primary key (workspace_id, user_id),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index workspace_member_user on :schema.workspace_member (organization_id, user_id);

create table :schema.invitation (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  email           text not null check (email = lower(email)),
  role            text not null check (role in ('owner', 'admin', 'member')),
  invited_by      text not null references :schema.identity_user (id),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  accepted_by     text references :schema.identity_user (id),
  accepted_at     timestamptz,
  check ((accepted_by is null) = (accepted_at is null))
);
create unique index invitation_one_open on :schema.invitation (organization_id, email) where accepted_at is null;
create index invitation_organization on :schema.invitation (organization_id, id);

-- Named connect tokens (never the token itself), and revocations of unnamed ones, which have no name and are
-- forgotten once the token they name has expired.
create table :schema.connect_token (
  id              text primary key,
  user_id         text references :schema.identity_user (id) on delete cascade,
  organization_id text references :schema.organization (id),
  workspace_id    text,
  name            text,
  scopes          text[] not null default '{}',
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  revoked_at      timestamptz,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  check (name is not null or revoked_at is not null),
  check (name is null or (user_id is not null and organization_id is not null))
);
create index connect_token_user on :schema.connect_token (user_id, id) where name is not null;
create index connect_token_workspace on :schema.connect_token (organization_id, workspace_id);
create index connect_token_forgettable on :schema.connect_token (expires_at) where name is null;
