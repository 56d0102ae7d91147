-- Limits and budgets of chat: admission and settlement of any number of requests, in a number of statements that does not
-- grow with them. The order of locks is in src/enforcement/README.md.

create or replace function :schema.chat_version_bump() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  execute format('insert into %1$I.chat_version as v (organization_id, version) values ($1, 1)
                  on conflict (organization_id) do update set version = v.version + 1', tg_table_schema)
    using coalesce(changed ->> 'organization_id', changed ->> 'id');
  return null;
end $$;

create or replace function :schema.chat_rate_resize(p_user text, p_size int) returns void
language plpgsql set enable_seqscan = off as $$
-- Rebuilds a user's ring, whose row is locked, because the limit has changed: the newest accepted requests stay in it.
declare
  kept timestamptz[];
begin
  select array_agg(newest.at order by newest.at) into kept
    from (select s.at from :schema.chat_rate_slot s where s.user_id = p_user order by s.at desc limit p_size) newest;
  delete from :schema.chat_rate_slot where user_id = p_user;
  insert into :schema.chat_rate_slot select p_user, u.slot - 1, u.at from unnest(kept) with ordinality as u (at, slot);
  update :schema.chat_rate set size = p_size, next = coalesce(cardinality(kept), 0) where user_id = p_user;
end $$;

create or replace function :schema.platform_month_open(p_month date) returns void
language plpgsql as $$
-- Spending from before a ceiling was set is taken from the daily usage. Settlements wait for this: an earlier one is in the
-- sum, a later one finds the row.
begin
  lock table :schema.usage_day in share row exclusive mode;
  insert into :schema.platform_month (month, spent)
    select p_month, coalesce(sum(d.cost_micros), 0) from :schema.usage_day d where d.credential = 'platform' and d.day >= p_month and d.day < p_month + interval '1 month'
    on conflict (month) do nothing;
end $$;

create or replace function :schema.chat_admit(p_requests json, p_window interval, p_lifetime interval)
returns table (outcome text, retry_after_ms int, cap jsonb)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
-- The outcome of each request, in their order: how long one over its limit has to wait, which cap refuses it or what is left
-- under the tightest. Everything is decided under locks first; only what is admitted is written. An admitted request is open
-- under its `hold_id` if it has one.
declare
  asked :schema.chat_request[];
  outcomes text[];
  waits int[];
  caps jsonb[];
  seats bigint[];
  limited int;
  charged bigint;
  checked boolean;
  unknown boolean;
  has_ceiling boolean;
  resized text[];
  short record;
  wait int;
  this_month date := date_trunc('month', now() at time zone 'UTC');
  budgets :schema.org_budget[];
  capped int;
  budget :schema.org_budget;
  known text[];
  b int;
  one :schema.chat_request;
  seat bigint;
  month :schema.platform_month;
  fits boolean;
  at int;
begin
  select array_agg(r.request), array_agg(r.outcome), array_agg(0), array_agg(null::jsonb), array_agg(0::bigint),
         max(r.rate_limit), max(r.micros), bool_or(r.checks_caps), bool_or(not r.has_budget), bool_or(r.ceiling is not null and r.micros > 0)
    into asked, outcomes, waits, caps, seats, limited, charged, checked, unknown, has_ceiling
    from (select q as request, q.rate_limit, q.micros, q.checks_caps, q.ceiling,
                 case when exists (select from :schema.connect_token t where t.id = q.bearer_id and t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now())) then 'revoked'
                      when q.organization_id is not null and q.version <> coalesce((select v.version from :schema.chat_version v where v.organization_id = q.organization_id), 0) then 'stale'
                      else 'admitted' end as outcome,
                 q.organization_id is null or q.micros = 0 or exists (select from :schema.org_budget o where o.organization_id = q.organization_id) as has_budget
            from json_populate_recordset(null:::schema.chat_request, p_requests) q) r;
  -- A place in the rate limit and a row for the log are worth no wait for the disk; money is.
  if charged = 0 then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  if has_ceiling and not exists (select from :schema.platform_month m where m.month = this_month) then
    perform :schema.platform_month_open(this_month);
  end if;

  while limited > 0 loop
    limited := 0;
    for short in
      with wanted as (
        select u.user_id, min(u.rate_limit) as size, count(*)::int as requests, least(count(*), min(u.rate_limit))::int as tried
          from unnest(asked) with ordinality as u
         where u.rate_limit > 0 and outcomes[u.ordinality] = 'admitted' and (resized is null or u.user_id = any (resized)) group by u.user_id
      ), placed as (
        insert into :schema.chat_rate as r (user_id, size, next) select w.user_id, w.size, w.tried from wanted w order by w.user_id
          on conflict (user_id) do update set next = r.next + excluded.next where r.size = excluded.size
        returning r.user_id, r.next
      ), taken as (
        -- The moment is read once the user's row is locked: places follow each other in time, so the free ones come first.
        insert into :schema.chat_rate_slot as s (user_id, slot, at)
          select w.user_id, (n % w.size)::int, clock_timestamp() from placed p join wanted w on w.user_id = p.user_id cross join lateral generate_series(p.next - w.tried, p.next - 1) n
          on conflict (user_id, slot) do update set at = excluded.at where s.at <= excluded.at - p_window
        returning s.user_id
      )
      select w.user_id, w.size, w.tried, p.next - w.tried as place, coalesce(t.accepted, 0) as accepted
        from wanted w left join placed p on p.user_id = w.user_id left join (select s.user_id, count(*)::int as accepted from taken s group by s.user_id) t on t.user_id = w.user_id
       where t.accepted is distinct from w.requests
    loop
      if short.place is null then
        perform :schema.chat_rate_resize(short.user_id, short.size);
        resized := resized || short.user_id;
        limited := short.size;
      else
        update :schema.chat_rate set next = next - (short.tried - short.accepted) where user_id = short.user_id;
        select greatest(1, ceil(extract(epoch from s.at + p_window - clock_timestamp()) * 1000)) into wait
          from :schema.chat_rate_slot s where s.user_id = short.user_id and s.slot = (short.place + short.accepted) % short.size;
        for at in
          select u.ordinality from unnest(asked) with ordinality as u where u.user_id = short.user_id and u.rate_limit > 0 and outcomes[u.ordinality] = 'admitted' order by u.ordinality offset short.accepted
        loop
          outcomes[at] := 'rate_limited';
          waits[at] := wait;
        end loop;
      end if;
    end loop;
  end loop;

  if charged > 0 then
    if unknown then
      insert into :schema.org_budget (organization_id, seat_month) select distinct u.organization_id, this_month from unnest(asked) u where u.micros > 0 and u.organization_id is not null order by u.organization_id
        on conflict (organization_id) do nothing;
    end if;
    select array_agg(l.o), array_agg(l.organization_id), max(l.caps) into budgets, known, capped
      from (select o, o.organization_id, o.caps from :schema.org_budget o where o.organization_id = any (array(select u.organization_id from unnest(asked) with ordinality as u where u.micros > 0 and outcomes[u.ordinality] = 'admitted'))
             order by o.organization_id for update) l;
    -- With the budgets locked no cap can appear.
    if capped > 0 then
      perform from :schema.spend_cap c where c.id = any (array(
          select f.id from unnest(asked) with ordinality as u cross join lateral :schema.spend_caps_of(u.organization_id, u.user_id, u.workspace_id, u.token_id) f
           where u.micros > 0 and outcomes[u.ordinality] = 'admitted'))
        order by c.id for update;
    end if;
    if has_ceiling then
      select * into month from :schema.platform_month m where m.month = this_month for update;
    end if;
  end if;

  if charged > 0 or checked then
    for at in 1 .. cardinality(asked) loop
      continue when outcomes[at] <> 'admitted';
      one := asked[at];
      if one.micros = 0 then
        if one.checks_caps then
          caps[at] := :schema.spend_cap_check(one.organization_id, one.user_id, one.workspace_id, one.token_id);
          if caps[at] ? 'kind' then
            outcomes[at] := 'cap_reached';
          end if;
        end if;
        continue;
      end if;

      b := array_position(known, one.organization_id);
      budget := budgets[b];
      if budget.seat_month <> this_month then
        budget.seat_spent := 0;
        budget.seat_reserved := 0;
        budget.seat_month := this_month;
      end if;
      seat := least(one.micros, greatest(0, one.seat_budget - budget.seat_spent - budget.seat_reserved));
      if b is null or one.micros - seat > greatest(0, one.credit - budget.credit_spent - budget.credit_reserved) then
        outcomes[at] := 'quota_exceeded';
        continue;
      end if;
      fits := one.ceiling is null or month.spent + month.reserved + one.micros <= one.ceiling;
      if budget.caps > 0 then
        caps[at] := :schema.spend_cap_take(one.organization_id, one.user_id, one.workspace_id, one.token_id, one.micros, fits);
        if caps[at] ? 'kind' then
          outcomes[at] := 'cap_reached';
          continue;
        end if;
      end if;
      if not fits then
        outcomes[at] := 'ceiling_reached';
        continue;
      end if;
      if one.ceiling is not null then
        month.reserved := month.reserved + one.micros;
      end if;
      seats[at] := seat;
      budget.seat_reserved := budget.seat_reserved + seat;
      budget.credit_reserved := budget.credit_reserved + one.micros - seat;
      budgets[b] := budget;
    end loop;
  end if;

  if charged > 0 then
    update :schema.org_budget o set seat_month = n.seat_month, seat_spent = n.seat_spent, seat_reserved = n.seat_reserved, credit_reserved = n.credit_reserved
      from unnest(budgets) n where o.organization_id = n.organization_id;
    if has_ceiling then
      update :schema.platform_month m set reserved = month.reserved where m.month = this_month;
    end if;
  end if;
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, in_month, expires_at, least_micros, model, served, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id, credential)
    select u.hold_id, u.organization_id, this_month, seats[u.ordinality], u.micros - seats[u.ordinality], u.ceiling is not null and u.micros > 0, now() + p_lifetime,
           u.least_micros, u.model, coalesce(u.served, ''), u.provider, u.input_tokens, u.user_id, u.workspace_id, u.token_id, u.surface, u.request_id, u.process_id, u.credential
      from unnest(asked) with ordinality as u where outcomes[u.ordinality] = 'admitted' and u.hold_id is not null;

  return query select u.outcome, u.wait, u.cap from unnest(outcomes, waits, caps) as u (outcome, wait, cap);
end $$;

create or replace function :schema.chat_settle(p_settlements json) returns text[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
-- Closes requests at their actual cost: on platform credit never more than was held, on an own key the list price, charged to
-- no budget. Returns the holds that were closed before; those count nothing. The hold knows whom a request is counted for. A
-- request without one was refused, or is counted without having been open.
declare
  closed :schema.chat_settlement[];
  before text[];
  matters boolean;
  capped int := 0;
  this_month date := date_trunc('month', now() at time zone 'UTC');
begin
  with told as materialized (
    select (row_number() over ())::int as at, q.* from json_populate_recordset(null:::schema.chat_settlement, p_settlements) q
  ), held as materialized (
    select h.id from :schema.chat_hold h where h.id = any (array(select t.hold_id from told t)) order by h.id for update
  ), gone as (
    delete from :schema.chat_hold h using held l join told t on t.hold_id = l.id where h.id = l.id
    returning t.at, h.*
  )
  select array_agg((t.hold_id, coalesce(g.organization_id, t.organization_id), coalesce(g.user_id, t.user_id), coalesce(g.workspace_id, t.workspace_id), coalesce(g.token_id, t.token_id),
           coalesce(g.surface, t.surface), coalesce(g.request_id, t.request_id), t.model, coalesce(t.served, ''), t.provider, coalesce(g.credential, t.credential), t.input_tokens, t.output_tokens,
           case when g.credential = 'platform' then least(t.cost_micros, g.seat_micros + g.credit_micros) else t.cost_micros end, t.uses, t.status, t.first_token_ms, t.duration_ms,
           coalesce(g.credential = 'platform', false), g.seat_month, g.seat_micros, g.credit_micros, case when g.in_month then g.seat_micros + g.credit_micros else 0 end,
           least(t.cost_micros, g.seat_micros), least(greatest(0, t.cost_micros - g.seat_micros), g.credit_micros)):::schema.chat_settlement)
           filter (where t.hold_id is null or g.id is not null),
         coalesce(array_agg(t.hold_id) filter (where t.hold_id is not null and g.id is null), '{}'), bool_or(t.uses or t.hold_id is not null)
    into closed, before, matters
    from told t left join gone g on g.at = t.at;
  if not matters then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  with spent as (
    update :schema.org_budget o set
      credit_reserved = o.credit_reserved - t.credit_held,
      credit_spent = o.credit_spent + t.credit,
      seat_reserved = o.seat_reserved - t.seat_held,
      seat_spent = o.seat_spent + t.seat
    from (select l.organization_id, sum(u.credit_held)::bigint as credit_held, sum(u.credit)::bigint as credit,
                 coalesce(sum(u.seat_held) filter (where u.month = l.seat_month), 0)::bigint as seat_held, coalesce(sum(u.seat) filter (where u.month = l.seat_month), 0)::bigint as seat
            from (select b.organization_id, b.seat_month from :schema.org_budget b
                   where b.organization_id = any (array(select u.organization_id from unnest(closed) u where u.platform)) order by b.organization_id for update) l
            join unnest(closed) u on u.organization_id = l.organization_id and u.platform group by l.organization_id) t
    where o.organization_id = t.organization_id returning o.caps
  )
  select max(s.caps) into capped from spent s;

  insert into :schema.usage_day as d (organization_id, day, model, served, provider, credential, requests, input_tokens, output_tokens, cost_micros)
    select u.organization_id, (now() at time zone 'UTC')::date, u.model, u.served, u.provider, u.credential, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(case when u.platform then u.cost_micros else 0 end)
      from unnest(closed) u where u.uses
     group by u.organization_id, u.model, u.served, u.provider, u.credential order by u.organization_id, u.model, u.served, u.provider, u.credential
    on conflict (organization_id, day, model, served, provider, credential) do update set
      requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;

  insert into :schema.spend_day as d (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros)
    select u.organization_id, (now() at time zone 'UTC')::date, u.user_id, u.workspace_id, u.token_id, u.model, u.served, u.provider, u.credential, u.surface, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(u.cost_micros)
      from unnest(closed) u where u.uses
     group by 1, 3, 4, 5, 6, 7, 8, 9, 10 order by 1, 3, 4, 5, 6, 7, 8, 9, 10
    on conflict (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface) do update set
      requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;

  insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, served, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms)
    select u.request_id, now() - make_interval(secs => u.duration_ms / 1000.0), u.organization_id, u.user_id, u.workspace_id, u.token_id, u.surface, u.model, u.served, u.provider, u.credential,
           u.status, u.input_tokens, u.output_tokens, case when u.uses then u.cost_micros else 0 end, u.first_token_ms, u.duration_ms
      from unnest(closed) u where u.status is not null;

  -- An own key has not locked the budget, which knows how many caps there are.
  if capped > 0 or exists (select from unnest(closed) u where not u.platform and u.cost_micros > 0) then
    with counted as materialized (
      select k.id, sum(coalesce(u.seat_held + u.credit_held, 0))::bigint as held, sum(u.cost_micros)::bigint as charged
        from unnest(closed) u cross join lateral :schema.spend_caps_of(u.organization_id, u.user_id, u.workspace_id, u.token_id) k
       where u.platform or u.cost_micros > 0 and (u.uses or u.hold_id is not null) group by k.id
    ), locked as materialized (
      select c.id from :schema.spend_cap c where c.id = any (array(select k.id from counted k)) order by c.id for update
    )
    update :schema.spend_cap c set
      reserved = c.reserved - k.held,
      spent = case when c.month >= this_month then c.spent else 0 end + k.charged,
      month = greatest(c.month, this_month)
    from locked l join counted k on k.id = l.id where c.id = l.id;
  end if;

  if capped is not null then
    update :schema.platform_month m set spent = m.spent + t.charged, reserved = m.reserved - t.held
      from (select l.month, sum(u.cost_micros)::bigint as charged, sum(u.month_held)::bigint as held
              from (select p.month from :schema.platform_month p where p.month = any (array(select u.month from unnest(closed) u where u.platform)) order by p.month for update) l
              join unnest(closed) u on u.month = l.month and u.platform group by l.month) t
     where m.month = t.month;
  end if;
  return before;
end $$;

create or replace function :schema.chat_abandon(p_hold text, p_process text, p_lifetime interval) returns void
language plpgsql as $$
-- Releases a hold that may not be open, because the answer to its admission was lost. If the admission has written it, this
-- waits for it; if not, this takes its id, so that it fails, and the reaper removes what took it.
begin
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, process_id)
    values (p_hold, '', now(), 0, 0, now() + p_lifetime, p_process) on conflict (id) do nothing;
  if not found then
    perform :schema.chat_settle(json_build_array(json_build_object('hold_id', p_hold, 'cost_micros', 0, 'uses', false)));
  end if;
end $$;

create or replace function :schema.chat_note(p_hold text[], p_micros bigint[], p_output bigint[]) returns void
language sql as $$
-- Records what the answers under way have cost so far, in case their process dies before it settles them.
  update :schema.chat_hold h set least_micros = greatest(h.least_micros, u.micros), output_tokens = u.output_tokens
    from unnest(p_hold, p_micros, p_output) as u (hold, micros, output_tokens) where h.id = u.hold;
$$;

create or replace function :schema.chat_reap(p_most int, p_process text, p_lost_after interval) returns bigint
language plpgsql set enable_seqscan = off as $$
-- Settles holds that have expired, or whose process is lost, at the least that their calls have cost, and logs them as
-- failed; one without a model is returned in full. `p_process` is the one that asks: it can tell who is lost if it has been
-- seen all the while itself.
declare
  can_tell boolean := exists (select from :schema.process p where p.id = p_process and p.seen_at >= now() - p_lost_after and p.present_since <= now() - p_lost_after);
  owner text := '';
  before timestamptz;
  lost record;
begin
  loop
    before := case when can_tell and owner <> '' and not exists (select from :schema.process p where p.id = owner and p.seen_at >= now() - p_lost_after) then 'infinity' else now() end;
    select count(*) as holds, json_agg(json_build_object('hold_id', h.id, 'cost_micros', h.least_micros, 'model', h.model, 'served', h.served, 'provider', h.provider, 'input_tokens', h.input_tokens, 'output_tokens', h.output_tokens,
             'uses', h.model <> '', 'status', case when h.model <> '' then 500 end, 'duration_ms', least(2147483647, extract(epoch from now() - h.opened_at) * 1000)::int)) as settlements
      into lost
      from (select * from :schema.chat_hold o where o.process_id = owner and o.expires_at < before order by o.expires_at limit p_most for update skip locked) h;
    if lost.holds > 0 then
      perform :schema.chat_settle(lost.settlements);
      return lost.holds;
    end if;
    select h.process_id into owner from :schema.chat_hold h where h.process_id > owner order by h.process_id limit 1;
    exit when not found;
  end loop;
  return 0;
end $$;
