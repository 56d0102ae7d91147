-- Views hear that a row changed and read it again; the notice says where, never what. Tables that are written with
-- every request, and the receipts and runs, tell of themselves in their own way: a notice takes a lock over all
-- commits of the server.
create function :schema.change_notice() returns trigger language plpgsql as $$
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

-- The columns with the organization, the id, the workspace, and the person that alone may know of it.
create trigger change_notice after update of slug, name, plan on :schema.organization
  for each row execute function :schema.change_notice('id', 'id', '', '');
create trigger change_notice after insert or update or delete on :schema.organization_member
  for each row execute function :schema.change_notice('organization_id', 'user_id', '', '');
create trigger change_notice after insert or update or delete on :schema.workspace
  for each row execute function :schema.change_notice('organization_id', 'id', 'id', '');
create trigger change_notice after insert or update or delete on :schema.workspace_member
  for each row execute function :schema.change_notice('organization_id', 'user_id', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.invitation
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');
create trigger change_notice after insert or update or delete on :schema.connect_token
  for each row execute function :schema.change_notice('organization_id', 'id', '', 'user_id');
create trigger change_notice after insert or update or delete on :schema.org_policy
  for each row execute function :schema.change_notice('organization_id', 'organization_id', '', '');
create trigger change_notice after insert or update or delete on :schema.org_provider_api_key
  for each row execute function :schema.change_notice('organization_id', 'provider', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.models_account
  for each row execute function :schema.change_notice('organization_id', 'workspace_id', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.guardrail_group
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');
create trigger change_notice after insert or delete or update of title, messages on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
