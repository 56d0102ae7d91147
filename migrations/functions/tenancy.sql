-- Records outlive workspaces and tokens; their names are kept for them.
create or replace function :schema.removed_name_keep() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.removed_name (id, name) values ($1, $2) on conflict (id) do nothing', tg_table_schema) using old.id, old.name;
  return null;
end $$;
