-- expand

-- Provisioning by an organization's identity provider (SCIM 2.0). A suspended member keeps their place, their role and
-- their workspaces, but may not act: the view leaves them out.
alter table :schema.organization_member add column suspended_at timestamptz;

create or replace view :schema.acting_member as
  select m.organization_id, m.user_id, m.role, m.created_at from :schema.organization_member m
   where m.suspended_at is null
     and not exists (select from :schema.identity_user u where u.id = m.user_id and u.disabled_at is not null)
     and not exists (select from :schema.organization o where o.id = m.organization_id and (o.deleted_at is not null or o.disabled_at is not null));

-- The organization that made the account, and the one that shut it; an account that an operator or the person shut has none,
-- so that no identity provider opens it again.
alter table :schema.identity_user
  add column managed_by text references :schema.organization (id) on delete set null,
  add column shut_by text references :schema.organization (id) on delete set null;
create index identity_user_managed on :schema.identity_user (managed_by) where managed_by is not null;
create index identity_user_shut on :schema.identity_user (shut_by) where shut_by is not null;

-- What an identity provider shows to be let in, as a digest.
create table :schema.scim_token (
  id              text collate "C" primary key,
  organization_id text not null references :schema.organization (id) on delete cascade,
  digest          text not null unique check (digest like 'sha256:%'),
  created_by      text references :schema.identity_user (id) on delete set null,
  created_at      timestamptz not null,
  used_at         timestamptz
);
create index scim_token_organization on :schema.scim_token (organization_id, id);
create index scim_token_maker on :schema.scim_token (created_by);

-- What it said of a member. An account that the organization does not manage is not changed by it.
create table :schema.scim_user (
  organization_id text not null,
  user_id         text not null,
  user_name       text not null,
  external_id     text,
  display_name    text,
  given_name      text,
  family_name     text,
  formatted_name  text,
  email           text,
  changed_at      timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create unique index scim_user_name on :schema.scim_user (organization_id, lower(user_name));
create unique index scim_user_external on :schema.scim_user (organization_id, external_id) where external_id is not null;

-- A group is a named workspace whose members the identity provider keeps.
create table :schema.scim_group (
  workspace_id    text primary key,
  organization_id text not null,
  external_id     text,
  changed_at      timestamptz not null,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create unique index scim_group_external on :schema.scim_group (organization_id, external_id) where external_id is not null;
