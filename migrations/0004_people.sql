-- expand

-- People and organizations that are shut. A shut one keeps its rows until they are erased, or until it is opened again;
-- what its members may reach is read through the views below, and they leave it out at once.
alter table :schema.identity_user add column disabled_at timestamptz;
create index identity_user_disabled on :schema.identity_user (id) where disabled_at is not null;
alter table :schema.organization add column deleted_at timestamptz;
alter table :schema.organization add column disabled_at timestamptz;
create index organization_shut on :schema.organization (id) where deleted_at is not null or disabled_at is not null;

-- Who is a member and may act as one: everything that decides access reads this, and nothing reads the table for it.
create view :schema.acting_member as
  select m.organization_id, m.user_id, m.role, m.created_at from :schema.organization_member m
   where not exists (select from :schema.identity_user u where u.id = m.user_id and u.disabled_at is not null)
     and not exists (select from :schema.organization o where o.id = m.organization_id and (o.deleted_at is not null or o.disabled_at is not null));

create or replace view :schema.member_workspace as
  select m.user_id, w.organization_id, m.role as organization_role, w.id as workspace_id, w.slug, w.name, w.kind, w.created_at,
         case when w.kind <> 'named' then m.role else wm.role end as role,
         w.kind <> 'named' or wm.user_id is not null as is_member
    from :schema.workspace w
    join :schema.acting_member m on m.organization_id = w.organization_id
    left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id;

-- Whose removed thing a kept name was: it goes when they are erased.
alter table :schema.removed_name add column organization_id text;
alter table :schema.removed_name add column user_id text;

-- What is to be erased, and what has been. The row holds ids only, and stays as the record that it was done.
create table :schema.erasure (
  kind        text not null check (kind in ('person', 'organization', 'workspace')),
  subject_id  text not null,
  asked_by    text not null,
  asked_at    timestamptz not null,
  due_at      timestamptz not null,
  finished_at timestamptz,
  primary key (kind, subject_id)
);
create index erasure_due on :schema.erasure (due_at) where finished_at is null;

-- What operators did to people and organizations, one line each.
create table :schema.operator_act (
  id         text collate "C" primary key,
  at         timestamptz not null,
  operator   text not null,
  act        text not null,
  kind       text not null check (kind in ('person', 'organization')),
  subject_id text not null
);
