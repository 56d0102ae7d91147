-- Usage by person, workspace and token, caps on it, and the log of requests. chat.sql calls these when it admits and
-- settles. The order of locks is in src/enforcement/README.md.

create or replace function :schema.spend_caps_of(p_organization text, p_user text, p_workspace text, p_token text) returns setof :schema.spend_cap
language sql stable set enable_seqscan = off as $$
  select c.* from (values ('member', p_user), ('workspace', p_workspace), ('token', p_token)) as s (kind, subject_id)
    cross join lateral (select k.* from :schema.spend_cap k where k.organization_id = p_organization and k.kind = s.kind and k.subject_id = s.subject_id limit 1) c;
$$;

create or replace function :schema.spend_cap_refusal(p_kind text, p_subject text, p_limit bigint) returns jsonb
language sql stable as $$
  select jsonb_build_object('kind', p_kind, 'id', p_subject, 'limitMicros', p_limit,
    'resetsAt', to_char(date_trunc('month', now() at time zone 'UTC') + interval '1 month', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'));
$$;

-- Counts a hold under every cap of its subjects, if `p_counts` and all of them cover it. Returns the first that does not, or
-- what is left under the tightest; null without a cap.
create or replace function :schema.spend_cap_take(p_organization text, p_user text, p_workspace text, p_token text, p_micros bigint, p_counts boolean) returns jsonb
language plpgsql set enable_seqscan = off as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  ids text[] := array(select f.id from :schema.spend_caps_of(p_organization, p_user, p_workspace, p_token) f);
  cap record;
  room bigint;
  least_room bigint;
begin
  for cap in select c.* from :schema.spend_cap c where c.id = any (ids) order by c.id loop
    room := cap.limit_micros - case when cap.month >= this_month then cap.spent else 0 end - cap.reserved - p_micros;
    if room < 0 then
      return :schema.spend_cap_refusal(cap.kind, cap.subject_id, cap.limit_micros);
    end if;
    least_room := least(least_room, room);
  end loop;
  if p_counts then
    update :schema.spend_cap c set reserved = c.reserved + p_micros where c.id = any (ids);
  end if;
  return case when least_room is not null then jsonb_build_object('roomMicros', least_room) end;
end $$;

-- For a request on an own key, which reserves nothing: refused once what is settled has reached a cap.
create or replace function :schema.spend_cap_check(p_organization text, p_user text, p_workspace text, p_token text) returns jsonb
language sql stable set enable_seqscan = off as $$
  select case when u.room <= 0 then :schema.spend_cap_refusal(u.kind, u.subject_id, u.limit_micros) else jsonb_build_object('roomMicros', u.room) end
    from (select c.kind, c.subject_id, c.limit_micros, c.limit_micros - case when c.month >= date_trunc('month', now() at time zone 'UTC')::date then c.spent else 0 end as room
            from :schema.spend_caps_of(p_organization, p_user, p_workspace, p_token) c) u
   order by u.room limit 1;
$$;

-- Sets a subject's cap. A new one starts with what the subject has spent this month and holds now. Both are exact: with the
-- budget's row locked nothing is admitted or settled on platform credit, and settlements on own keys wait for the table.
create or replace function :schema.spend_cap_put(p_id text, p_organization text, p_kind text, p_subject text, p_limit bigint) returns text
language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  known text;
begin
  insert into :schema.org_budget (organization_id, seat_month) values (p_organization, this_month) on conflict (organization_id) do nothing;
  perform from :schema.org_budget b where b.organization_id = p_organization for update;
  update :schema.spend_cap c set limit_micros = p_limit, updated_at = now()
    where c.organization_id = p_organization and c.kind = p_kind and c.subject_id = p_subject returning c.id into known;
  if known is not null then
    return known;
  end if;
  lock table :schema.spend_day in share row exclusive mode;
  insert into :schema.spend_cap (id, organization_id, kind, subject_id, limit_micros, month, spent, reserved) values (
    p_id, p_organization, p_kind, p_subject, p_limit, this_month,
    (select coalesce(sum(d.cost_micros), 0) from :schema.spend_day d where d.organization_id = p_organization and d.day >= this_month
        and p_subject = case p_kind when 'member' then d.user_id when 'workspace' then d.workspace_id else d.token_id end),
    (select coalesce(sum(h.seat_micros + h.credit_micros), 0) from :schema.chat_hold h where h.organization_id = p_organization
        and p_subject = case p_kind when 'member' then h.user_id when 'workspace' then h.workspace_id else h.token_id end));
  update :schema.org_budget set caps = caps + 1 where organization_id = p_organization;
  return p_id;
end $$;

create or replace function :schema.spend_cap_remove(p_organization text, p_id text) returns boolean
language plpgsql as $$
begin
  perform from :schema.org_budget b where b.organization_id = p_organization for update;
  delete from :schema.spend_cap c where c.organization_id = p_organization and c.id = p_id;
  if not found then
    return false;
  end if;
  update :schema.org_budget set caps = caps - 1 where organization_id = p_organization;
  return true;
end $$;

-- Adds the days that are over to their months, and deletes days of months that ended long ago. A settlement is counted on
-- the day on which its transaction began, so a day is complete an hour after its end.
create or replace function :schema.spend_roll(p_days int) returns int
language plpgsql as $$
declare
  rolled date;
  complete date := (now() at time zone 'UTC' - interval '1 hour')::date - 1;
begin
  select r.through into rolled from :schema.spend_rolled r for update;
  if complete > rolled then
    insert into :schema.spend_month as m (organization_id, month, user_id, workspace_id, token_id, model, served, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros, unpriced)
      select d.organization_id, date_trunc('month', d.day)::date, d.user_id, d.workspace_id, d.token_id, d.model, d.served, d.provider, d.credential, d.surface, sum(d.requests), sum(d.input_tokens), sum(d.output_tokens), sum(d.cost_micros), sum(d.unpriced)
        from :schema.spend_day d where d.day > rolled and d.day <= complete group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
      on conflict (organization_id, month, user_id, workspace_id, token_id, model, served, provider, credential, surface) do update set
        requests = m.requests + excluded.requests, input_tokens = m.input_tokens + excluded.input_tokens,
        output_tokens = m.output_tokens + excluded.output_tokens, cost_micros = m.cost_micros + excluded.cost_micros, unpriced = m.unpriced + excluded.unpriced;
    insert into :schema.spend_trend (organization_id, day, requests, input_tokens, output_tokens, cost_micros, unpriced)
      select d.organization_id, d.day, sum(d.requests), sum(d.input_tokens), sum(d.output_tokens), sum(d.cost_micros), sum(d.unpriced)
        from :schema.spend_day d where d.day > rolled and d.day <= complete group by 1, 2
      on conflict (organization_id, day) do nothing;
    update :schema.spend_rolled set through = complete;
  end if;
  delete from :schema.spend_day d where d.day < date_trunc('month', (now() at time zone 'UTC')::date - p_days)::date and d.day <= greatest(rolled, complete);
  return greatest(0, complete - rolled);
end $$;

-- Makes the partitions of the coming days and drops those that are older than `p_days`.
create or replace function :schema.request_log_keep(p_days int, p_ahead int) returns int
language plpgsql as $$
declare
  here text;
  today date := (now() at time zone 'UTC')::date;
  part record;
  day date;
  changed int := 0;
begin
  select n.nspname into here from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = ':schema.request_log_keep(int, int)'::regprocedure;
  perform pg_advisory_xact_lock(hashtextextended(here || '.request_log', 0));
  for part in
    select c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ':schema.request_log'::regclass and c.relname ~ '^request_log_\d{8}$'
  loop
    if part.day < today - p_days then
      execute format('drop table %I.%I', here, part.relname);
      changed := changed + 1;
    end if;
  end loop;
  for day in select d::date from generate_series(today::timestamp, (today + p_ahead)::timestamp, interval '1 day') d loop
    if to_regclass(format('%I.%I', here, 'request_log_' || to_char(day, 'YYYYMMDD'))) is null then
      execute format('create table %I.%I (like %I.request_log including all)', here, 'request_log_' || to_char(day, 'YYYYMMDD'), here);
      -- What arrived before its partition existed.
      execute format('with early as (delete from %1$I.request_log_rest where at >= %2$L and at < %3$L returning *) insert into %1$I.%4$I select * from early',
        here, day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00', 'request_log_' || to_char(day, 'YYYYMMDD'));
      execute format('alter table %1$I.request_log attach partition %1$I.%2$I for values from (%3$L) to (%4$L)',
        here, 'request_log_' || to_char(day, 'YYYYMMDD'), day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
      changed := changed + 1;
    end if;
  end loop;
  delete from :schema.request_log_rest where at < now() - make_interval(days => p_days);
  return changed;
end $$;
