-- expand
-- For databases that were carried over from before 0001_schema.sql, which has both.
alter table :schema.receipt add column if not exists kind text generated always as (substring(right(body, 128) from '"kind":"([^"]*)"}$')) stored;

create or replace view :schema.member_workspace as
  select m.user_id, w.organization_id, m.role as organization_role, w.id as workspace_id, w.slug, w.name, w.kind, w.created_at,
         case when w.kind <> 'named' then m.role else wm.role end as role,
         w.kind <> 'named' or wm.user_id is not null as is_member
    from :schema.workspace w
    join :schema.organization_member m on m.organization_id = w.organization_id
    left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id;
