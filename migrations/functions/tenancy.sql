-- Records outlive workspaces and tokens; their names are kept for them, until their organization or person is erased.
create or replace function :schema.removed_name_keep() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.removed_name (id, name, organization_id, user_id) values ($1, $2, $3, $4) on conflict (id) do nothing', tg_table_schema)
    using old.id, old.name, old.organization_id, to_jsonb(old) ->> 'user_id';
  return null;
end $$;
