-- Who created an organization, and who has had their signup credit. An organization that an operator makes for an
-- address without an account belongs to nobody until the invitation to own it is accepted.

alter table :schema.organization add column created_by text references :schema.identity_user (id);
create index organization_creator on :schema.organization (created_by);

-- Founder and organization were written in one transaction and so carry the same moment.
update :schema.organization o set created_by = m.user_id
  from :schema.organization_member m
 where m.organization_id = o.id and m.created_at = o.created_at;

-- The primary key is what makes it once a person. The organization is not referred to: the grant outlives it.
create table :schema.signup_credit_grant (
  user_id         text primary key references :schema.identity_user (id) on delete cascade,
  organization_id text not null,
  granted_at      timestamptz not null default now()
);
insert into :schema.signup_credit_grant (user_id, organization_id, granted_at)
  select distinct on (created_by) created_by, id, created_at from :schema.organization where created_by is not null order by created_by, created_at, id;

-- Null: an operator invited.
alter table :schema.invitation alter column invited_by drop not null;
