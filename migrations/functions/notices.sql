-- Notifies open pages that a row changed, so that they read it again; the notice says where, never what. Tables that are
-- written with every request, receipts and runs have their own ways: NOTIFY takes a lock that all commits of the server
-- share.
create or replace function :schema.change_notice() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  if changed ->> tg_argv[0] is null then return null; end if;
  perform pg_notify(tg_table_schema, 'change ' || jsonb_strip_nulls(jsonb_build_object(
    'table', tg_table_name, 'organization', changed ->> tg_argv[0], 'id', changed ->> tg_argv[1],
    'workspace', changed ->> tg_argv[2], 'user', changed ->> tg_argv[3]))::text);
  return null;
end $$;
