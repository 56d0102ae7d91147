-- Queues a message for every address that subscribed to the event, in the transaction of what happened.
create or replace function :schema.announce_event(p_organization text, p_workspace text, p_event text, p_data jsonb) returns void
language sql volatile as $$
  insert into :schema.subscription_delivery (id, subscription_id, event, body, created_at, next_at)
  select 'msg_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || replace(gen_random_uuid()::text, '-', ''),
         s.id, p_event,
         json_build_object('type', p_event, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                           'data', jsonb_build_object('organization', p_organization) || jsonb_strip_nulls(jsonb_build_object('workspace', p_workspace)) || p_data)::text,
         now(), now()
    from :schema.subscription s
   where s.organization_id = p_organization and (s.workspace_id is null or s.workspace_id = p_workspace)
     and p_event = any (s.events) and s.disabled_at is null
$$;
