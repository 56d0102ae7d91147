-- Limits and budgets of chat: admission and settlement, for one request or a whole batch in a fixed number of statements.
-- Locks are taken in the same order everywhere, so that no two batches can deadlock:
-- holds when settling, rate rows by user, budget rows by organization, usage, caps by id, the month's row.

create or replace function :schema.chat_version_bump() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  execute format('insert into %1$I.chat_version as v (organization_id, version) values ($1, 1)
                  on conflict (organization_id) do update set version = v.version + 1', tg_table_schema)
    using coalesce(changed ->> 'organization_id', changed ->> 'id');
  return null;
end $$;

create or replace function :schema.chat_rate_lay(p_user text, p_limit int) returns void
language plpgsql set enable_seqscan = off as $$
-- A user's ring, new or rebuilt because the limit changed: the newest accepted requests stay in it.
declare
  laid int;
  kept timestamptz[];
begin
  insert into :schema.chat_rate (user_id, size, next) values (p_user, p_limit, 0) on conflict (user_id) do nothing;
  select r.size into laid from :schema.chat_rate r where r.user_id = p_user for update;
  if laid = p_limit then
    return;
  end if;
  select array_agg(newest.at order by newest.at) into kept
    from (select s.at from :schema.chat_rate_slot s where s.user_id = p_user order by s.at desc limit p_limit) newest;
  delete from :schema.chat_rate_slot where user_id = p_user;
  insert into :schema.chat_rate_slot select p_user, u.slot - 1, u.at from unnest(kept) with ordinality as u (at, slot);
  update :schema.chat_rate set size = p_limit, next = coalesce(cardinality(kept), 0) where user_id = p_user;
end $$;

create or replace function :schema.chat_rate_take_all(p_user text, p_count int, p_limit int, p_window interval, out accepted int, out wait_ms int)
language plpgsql set enable_seqscan = off as $$
-- How many of a user's requests are accepted, and how long the others have to wait. The slots of a ring are in order of
-- time, so the free ones come first.
declare
  tried int := least(p_count, p_limit);
  place bigint;
  moment timestamptz;
begin
  loop
    update :schema.chat_rate set next = next + tried where user_id = p_user and size = p_limit returning next - tried into place;
    exit when found;
    perform :schema.chat_rate_lay(p_user, p_limit);
  end loop;
  moment := clock_timestamp();
  insert into :schema.chat_rate_slot as s (user_id, slot, at)
    select p_user, (n % p_limit)::int, moment from generate_series(place, place + tried - 1) n
    on conflict (user_id, slot) do update set at = excluded.at where s.at <= moment - p_window;
  get diagnostics accepted = row_count;
  wait_ms := 0;
  if accepted < tried then
    update :schema.chat_rate set next = next - (tried - accepted) where user_id = p_user;
  end if;
  if accepted < p_count then
    select ceil(extract(epoch from s.at + p_window - moment) * 1000) into wait_ms
      from :schema.chat_rate_slot s where s.user_id = p_user and s.slot = (place + accepted) % p_limit;
  end if;
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

create or replace function :schema.platform_month_take(p_month date, p_micros bigint, p_ceiling bigint) returns boolean
language plpgsql as $$
begin
  for tries in 1 .. 2 loop
    update :schema.platform_month m set reserved = m.reserved + p_micros where m.month = p_month and m.spent + m.reserved + p_micros <= p_ceiling;
    if found then
      return true;
    end if;
    if exists (select from :schema.platform_month m where m.month = p_month) then
      return false;
    end if;
    perform :schema.platform_month_open(p_month);
  end loop;
  return false;
end $$;

create or replace function :schema.chat_count_use(p_organization text, p_model text, p_provider text, p_credential text, p_input bigint, p_output bigint, p_charged bigint) returns void
language plpgsql set enable_seqscan = off as $$
begin
  update :schema.usage_day d set requests = d.requests + 1, input_tokens = d.input_tokens + p_input, output_tokens = d.output_tokens + p_output, cost_micros = d.cost_micros + p_charged
    where d.organization_id = p_organization and d.day = (now() at time zone 'UTC')::date and d.model = p_model and d.provider = p_provider and d.credential = p_credential;
  if not found then
    insert into :schema.usage_day as d (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
      values (p_organization, (now() at time zone 'UTC')::date, p_model, p_provider, p_credential, 1, p_input, p_output, p_charged)
      on conflict (organization_id, day, model, provider, credential) do update set
        requests = d.requests + 1, input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;
  end if;
end $$;

drop function if exists :schema.chat_close(text, bigint, text, text, bigint, bigint);
drop function if exists :schema.chat_close(text, bigint, text, text, bigint, bigint, int, int, int);

create or replace function :schema.chat_close(
  p_hold text, p_micros bigint, p_model text, p_provider text, p_input bigint, p_output bigint, p_uses boolean, p_status int, p_first_ms int, p_duration_ms int
) returns boolean
language plpgsql set enable_seqscan = off as $$
-- Closes a hold at the actual cost: on platform credit never more than it held, on an own key the list price, charged to no
-- budget. False if it was closed before. Without `p_uses` no usage is counted, without a status the request is not logged.
declare
  hold record;
  from_seat bigint := 0;
  from_credit bigint := 0;
  charged bigint := p_micros;
  capped int;
begin
  delete from :schema.chat_hold where id = p_hold returning * into hold;
  if not found then
    return false;
  end if;
  if hold.credential = 'platform' then
    from_seat := least(p_micros, hold.seat_micros);
    from_credit := least(p_micros - from_seat, hold.credit_micros);
    charged := from_seat + from_credit;
    update :schema.org_budget b set
      credit_reserved = b.credit_reserved - hold.credit_micros,
      credit_spent = b.credit_spent + from_credit,
      seat_reserved = b.seat_reserved - case when b.seat_month = hold.seat_month then hold.seat_micros else 0 end,
      seat_spent = b.seat_spent + case when b.seat_month = hold.seat_month then from_seat else 0 end
    where b.organization_id = hold.organization_id returning b.caps into capped;
  end if;
  if p_uses then
    perform :schema.chat_count_use(hold.organization_id, p_model, p_provider, hold.credential, p_input, p_output, from_seat + from_credit);
    perform :schema.spend_count(hold.organization_id, hold.user_id, hold.workspace_id, hold.token_id, p_model, p_provider, hold.credential, hold.surface, p_input, p_output, charged);
  end if;
  if p_status is not null then
    insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms)
      values (hold.request_id, now() - make_interval(secs => p_duration_ms / 1000.0), hold.organization_id, hold.user_id, hold.workspace_id, hold.token_id, hold.surface, p_model, p_provider, hold.credential,
              p_status, p_input, p_output, charged, p_first_ms, p_duration_ms);
  end if;
  -- An own key has not locked the budget, which knows how many caps there are.
  if capped > 0 or hold.credential <> 'platform' and charged > 0 then
    perform :schema.spend_cap_settle(hold.organization_id, hold.user_id, hold.workspace_id, hold.token_id, hold.seat_micros + hold.credit_micros, charged);
  end if;
  if hold.in_month or from_seat + from_credit > 0 then
    update :schema.platform_month m set spent = m.spent + from_seat + from_credit, reserved = m.reserved - case when hold.in_month then hold.seat_micros + hold.credit_micros else 0 end
      where m.month = hold.seat_month;
  end if;
  return true;
end $$;

create or replace function :schema.chat_release(p_hold text, p_micros bigint) returns bigint
language plpgsql as $$
begin
  perform :schema.chat_close(p_hold, p_micros, null, null, 0, 0, false, null, null, 0);
  return 0;
end $$;

create or replace function :schema.chat_abandon(p_hold text, p_process text, p_lifetime interval) returns void
language plpgsql as $$
-- Releases a hold that may not be open, because the answer to its admission was lost. If the admission is under way, this
-- waits for it; if it has not begun, this takes its id, so that it fails, and the reaper removes what took it.
begin
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, process_id)
    values (p_hold, '', now(), 0, 0, now() + p_lifetime, p_process) on conflict (id) do nothing;
  if not found then
    perform :schema.chat_release(p_hold, 0);
  end if;
end $$;

drop function if exists :schema.chat_reserve_all(text, text[], bigint[], bigint, bigint, interval, bigint[], text[], text[], bigint[]);
drop function if exists :schema.chat_reserve_all(text, text[], bigint[], bigint, bigint, interval, bigint[], text[], text[], bigint[], text[], text[], text[], text[], text[]);

create or replace function :schema.chat_reserve_all(
  p_organization text, p_holds text[], p_micros bigint[], p_seat_budget bigint, p_credit bigint, p_lifetime interval,
  p_least bigint[], p_model text[], p_provider text[], p_input bigint[],
  p_user text[], p_workspace text[], p_spend_token text[], p_surface text[], p_request text[], p_process text
) returns boolean[]
language plpgsql set enable_seqscan = off as $$
-- Which of an organization's requests its budget still covers, in order; their holds are opened.
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  budget record;
  seat bigint;
  carried boolean[];
  seats bigint[];
begin
  select * into budget from :schema.org_budget where organization_id = p_organization for update;
  if not found then
    insert into :schema.org_budget (organization_id, seat_month) values (p_organization, this_month) on conflict (organization_id) do nothing;
    select * into budget from :schema.org_budget where organization_id = p_organization for update;
  end if;
  if budget.seat_month <> this_month then
    budget.seat_spent := 0;
    budget.seat_reserved := 0;
  end if;
  for i in 1 .. cardinality(p_holds) loop
    seat := least(p_micros[i], greatest(0, p_seat_budget - budget.seat_spent - budget.seat_reserved));
    seats[i] := seat;
    carried[i] := p_micros[i] - seat <= greatest(0, p_credit - budget.credit_spent - budget.credit_reserved);
    if carried[i] then
      budget.seat_reserved := budget.seat_reserved + seat;
      budget.credit_reserved := budget.credit_reserved + p_micros[i] - seat;
    end if;
  end loop;
  if true = any (carried) then
    update :schema.org_budget set seat_month = this_month, seat_spent = budget.seat_spent, seat_reserved = budget.seat_reserved, credit_reserved = budget.credit_reserved
      where organization_id = p_organization;
    insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id)
      select u.hold, p_organization, this_month, u.seat, u.micros - u.seat, now() + p_lifetime, u.least_micros, u.model, u.provider, u.input_tokens, u.user_id, u.workspace_id, u.token_id, u.surface, u.request_id, p_process
        from unnest(p_holds, p_micros, seats, carried, p_least, p_model, p_provider, p_input, p_user, p_workspace, p_spend_token, p_surface, p_request)
          as u (hold, micros, seat, carried, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id) where u.carried;
  end if;
  return carried;
end $$;

create or replace function :schema.chat_take_month(p_hold text, p_micros bigint, p_ceiling bigint) returns boolean
language plpgsql set enable_seqscan = off as $$
-- Counts an open hold in its month, or closes it if the month's ceiling is reached.
begin
  if :schema.platform_month_take(date_trunc('month', now() at time zone 'UTC')::date, p_micros, p_ceiling) then
    update :schema.chat_hold set in_month = true where id = p_hold;
    return true;
  end if;
  perform :schema.chat_release(p_hold, 0);
  return false;
end $$;

-- The same as chat_admit for a single request, in two statements if its user and organization are known: the checks with
-- the limit, the budget with the hold. Any other case goes through chat_admit.
--
-- `p_spend_token` is the token that the request is counted for, `p_own` whether an own key pays and there are caps. `cap` is
-- the cap that refuses, or what is left under the tightest. A request that holds nothing is open under `p_hold` if it has one.
drop function if exists :schema.chat_admit_one(text, text, text, bigint, int, interval, text, bigint, bigint, bigint, interval, bigint, text, text, bigint, text, text, text, text, boolean, bigint);

create or replace function :schema.chat_admit_one(
  p_user text, p_token text, p_organization text, p_version bigint, p_limit int, p_window interval,
  p_hold text, p_micros bigint, p_seat_budget bigint, p_credit bigint, p_hold_lifetime interval,
  p_least bigint, p_model text, p_provider text, p_input bigint,
  p_workspace text, p_spend_token text, p_surface text, p_request text, p_own boolean, p_ceiling bigint,
  p_process text default '', p_credential text default 'platform',
  out outcome text, out retry_after_ms int, out cap jsonb
)
language plpgsql set enable_seqscan = off as $$
declare
  capped int;
  this_month date;
  place bigint;
  slots int := 0;
  seat bigint;
begin
  -- A place in the rate limit and a row for the log are worth no wait for the disk; money is.
  if p_micros = 0 then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  retry_after_ms := 0;
  if p_limit > 0 then
    -- The moment is read once the user's row is locked: places follow each other in time.
    with placed as (
      update :schema.chat_rate r set next = r.next + 1
       where r.user_id = p_user and r.size = p_limit
         and not exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now()))
         and (p_organization is null or p_version = coalesce((select v.version from :schema.chat_version v where v.organization_id = p_organization), 0))
      returning r.next - 1 as place
    ), taken as (
      insert into :schema.chat_rate_slot as s (user_id, slot, at) select p_user, (p.place % p_limit)::int, clock_timestamp() from placed p
        on conflict (user_id, slot) do update set at = excluded.at where s.at <= excluded.at - p_window
      returning 1
    )
    select p.place, (select count(*) from taken) into place, slots from placed p;
  end if;

  if place is null then
    if exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now())) then
      outcome := 'revoked';
      return;
    end if;
    if p_organization is not null and p_version <> coalesce((select v.version from :schema.chat_version v where v.organization_id = p_organization), 0) then
      outcome := 'stale';
      return;
    end if;
    if p_limit > 0 then
      select t.accepted, t.wait_ms into slots, retry_after_ms from :schema.chat_rate_take_all(p_user, 1, p_limit, p_window) t;
    end if;
  elsif slots = 0 then
    update :schema.chat_rate set next = next - 1 where user_id = p_user;
    select greatest(1, ceil(extract(epoch from s.at + p_window - clock_timestamp()) * 1000)) into retry_after_ms
      from :schema.chat_rate_slot s where s.user_id = p_user and s.slot = place % p_limit;
  end if;
  if p_limit > 0 and slots = 0 then
    outcome := 'rate_limited';
    return;
  end if;

  if p_micros > 0 then
    this_month := date_trunc('month', now() at time zone 'UTC');
    -- Mostly one of the two carries it whole: the seats' budget where there is one, else the credit.
    seat := case when p_seat_budget > 0 then p_micros else 0 end;
    with taken as (
      update :schema.org_budget b set seat_reserved = b.seat_reserved + seat, credit_reserved = b.credit_reserved + p_micros - seat
       where b.organization_id = p_organization and b.seat_month = this_month
         and case when seat > 0 then b.seat_spent + b.seat_reserved + p_micros <= p_seat_budget else b.credit_spent + b.credit_reserved + p_micros <= p_credit end
      returning b.organization_id, b.caps
    )
    insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id)
      select p_hold, t.organization_id, this_month, seat, p_micros - seat, now() + p_hold_lifetime, p_least, p_model, p_provider, p_input, p_user, p_workspace, p_spend_token, p_surface, p_request, p_process from taken t
      returning (select t.caps from taken t) into capped;
    if not found then
      if p_organization is null or true <> all (:schema.chat_reserve_all(p_organization, array[p_hold], array[p_micros], p_seat_budget, p_credit, p_hold_lifetime,
           array[p_least], array[p_model], array[p_provider], array[p_input], array[p_user], array[p_workspace], array[p_spend_token], array[p_surface], array[p_request], p_process)) then
        outcome := 'quota_exceeded';
        return;
      end if;
      select b.caps into capped from :schema.org_budget b where b.organization_id = p_organization;
    end if;
    -- The budget's row is locked, so that no cap can appear now.
    if capped > 0 then
      cap := :schema.spend_cap_take(p_organization, p_user, p_workspace, p_spend_token, p_micros);
      if cap ? 'kind' then
        perform :schema.chat_release(p_hold, 0);
        outcome := 'cap_reached';
        return;
      end if;
    end if;
    if p_ceiling is not null and not :schema.chat_take_month(p_hold, p_micros, p_ceiling) then
      outcome := 'ceiling_reached';
      return;
    end if;
  else
    if p_own then
      cap := :schema.spend_cap_check(p_organization, p_user, p_workspace, p_spend_token);
      if cap ? 'kind' then
        outcome := 'cap_reached';
        return;
      end if;
    end if;
    if p_hold is not null then
      insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id, credential)
        values (p_hold, p_organization, date_trunc('month', now() at time zone 'UTC'), 0, 0, now() + p_hold_lifetime, p_least, p_model, p_provider, p_input, p_user, p_workspace, p_spend_token, p_surface, p_request, p_process, p_credential);
    end if;
  end if;
  outcome := 'admitted';
end $$;

-- For builds that do not know whom a request is counted for.
create or replace function :schema.chat_admit_one(
  p_user text, p_token text, p_organization text, p_version bigint, p_limit int, p_window interval,
  p_hold text, p_micros bigint, p_seat_budget bigint, p_credit bigint, p_hold_lifetime interval,
  p_least bigint, p_model text, p_provider text, p_input bigint, p_ceiling bigint, out outcome text, out retry_after_ms int
)
language plpgsql as $$
begin
  select case a.outcome when 'cap_reached' then 'quota_exceeded' else a.outcome end, a.retry_after_ms into outcome, retry_after_ms
    from :schema.chat_admit_one(p_user, p_token, p_organization, p_version, p_limit, p_window, p_hold, p_micros, p_seat_budget, p_credit, p_hold_lifetime,
      p_least, p_model, p_provider, p_input, '', case when p_token like 'tok\_%' then p_token else '' end, '', '', false, p_ceiling) a;
end $$;

-- The outcome of each request of a batch, and how long a request over its limit has to wait.
drop function if exists :schema.chat_admit(text[], text[], text[], bigint[], int[], interval, text[], bigint[], bigint[], bigint[], interval, bigint[], text[], text[], bigint[], text[], text[], text[], text[], boolean[], bigint);

create or replace function :schema.chat_admit(
  p_user text[], p_token text[], p_organization text[], p_version bigint[], p_limit int[], p_window interval,
  p_hold text[], p_micros bigint[], p_seat_budget bigint[], p_credit bigint[], p_hold_lifetime interval,
  p_least bigint[], p_model text[], p_provider text[], p_input bigint[],
  p_workspace text[], p_spend_token text[], p_surface text[], p_request text[], p_own boolean[], p_ceiling bigint,
  p_process text default '', p_credential text[] default null
) returns table (pos int, outcome text, retry_after_ms int, cap jsonb)
language plpgsql set enable_seqscan = off as $$
declare
  outcomes text[];
  caps jsonb[] := array_fill(null::jsonb, array[cardinality(p_user)]);
  capped text[];
  waits int[] := array_fill(0, array[cardinality(p_user)]);
  together record;
  taken record;
  carried boolean[];
begin
  if 0 = all (p_micros) then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  select array_agg(case when t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now()) then 'revoked' when u.organization is not null and coalesce(v.version, 0) <> u.version then 'stale' else 'admitted' end order by u.at)
    into outcomes
    from unnest(p_token, p_organization, p_version) with ordinality as u (token, organization, version, at)
    left join :schema.connect_token t on t.id = u.token
    left join :schema.chat_version v on v.organization_id = u.organization;

  for together in
    select u.user_id, u.request_limit, count(*)::int as requests, array_agg(u.at::int order by u.at) as ats
      from unnest(p_user, p_limit, outcomes) with ordinality as u (user_id, request_limit, outcome, at)
     where u.outcome = 'admitted' and u.request_limit > 0 group by u.user_id, u.request_limit order by u.user_id, u.request_limit
  loop
    taken := :schema.chat_rate_take_all(together.user_id, together.requests, together.request_limit, p_window);
    for i in taken.accepted + 1 .. together.requests loop
      outcomes[together.ats[i]] := 'rate_limited';
      waits[together.ats[i]] := taken.wait_ms;
    end loop;
  end loop;

  for together in
    select u.organization, u.seat_budget, u.credit, array_agg(u.hold order by u.at) as holds, array_agg(u.micros order by u.at) as micros, array_agg(u.at::int order by u.at) as ats,
           array_agg(u.least_micros order by u.at) as leasts, array_agg(u.model order by u.at) as models, array_agg(u.provider order by u.at) as providers, array_agg(u.input_tokens order by u.at) as inputs,
           array_agg(u.user_id order by u.at) as users, array_agg(u.workspace_id order by u.at) as workspaces, array_agg(u.token_id order by u.at) as tokens, array_agg(u.surface order by u.at) as surfaces, array_agg(u.request_id order by u.at) as requests
      from unnest(p_organization, p_hold, p_micros, p_seat_budget, p_credit, outcomes, p_least, p_model, p_provider, p_input, p_user, p_workspace, p_spend_token, p_surface, p_request)
        with ordinality as u (organization, hold, micros, seat_budget, credit, outcome, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, at)
     where u.outcome = 'admitted' and u.micros > 0 group by u.organization, u.seat_budget, u.credit order by u.organization, u.seat_budget, u.credit
  loop
    carried := null;
    if together.organization is not null then
      carried := :schema.chat_reserve_all(together.organization, together.holds, together.micros, together.seat_budget, together.credit, p_hold_lifetime, together.leasts, together.models, together.providers, together.inputs,
        together.users, together.workspaces, together.tokens, together.surfaces, together.requests, p_process);
    end if;
    for i in 1 .. cardinality(together.ats) loop
      if carried[i] is not true then
        outcomes[together.ats[i]] := 'quota_exceeded';
      end if;
    end loop;
  end loop;

  select array_agg(b.organization_id) into capped from :schema.org_budget b where b.organization_id = any (p_organization) and b.caps > 0;
  if capped is not null then
    perform from :schema.spend_cap c where c.id = any (array(
        select f.id from unnest(p_organization, p_user, p_workspace, p_spend_token, p_micros, outcomes) as u (organization, user_id, workspace_id, token_id, micros, outcome)
          cross join lateral (values ('member', u.user_id), ('workspace', u.workspace_id), ('token', u.token_id)) as s (kind, subject_id)
          cross join lateral (select k.id from :schema.spend_cap k where k.organization_id = u.organization and k.kind = s.kind and k.subject_id = s.subject_id limit 1) f
         where u.outcome = 'admitted' and u.micros > 0 and u.organization = any (capped)))
      order by c.id for update;
    for i in 1 .. cardinality(p_micros) loop
      if outcomes[i] = 'admitted' and p_organization[i] = any (capped) and (p_micros[i] > 0 or p_own[i]) then
        caps[i] := case when p_micros[i] > 0 then :schema.spend_cap_take(p_organization[i], p_user[i], p_workspace[i], p_spend_token[i], p_micros[i])
                        else :schema.spend_cap_check(p_organization[i], p_user[i], p_workspace[i], p_spend_token[i]) end;
        if caps[i] ? 'kind' then
          outcomes[i] := 'cap_reached';
          if p_micros[i] > 0 then
            perform :schema.chat_release(p_hold[i], 0);
          end if;
        end if;
      end if;
    end loop;
  end if;

  if p_ceiling is not null then
    for i in 1 .. cardinality(p_micros) loop
      if outcomes[i] = 'admitted' and p_micros[i] > 0 and not :schema.chat_take_month(p_hold[i], p_micros[i], p_ceiling) then
        outcomes[i] := 'ceiling_reached';
      end if;
    end loop;
  end if;

  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id, credential)
    select u.hold, u.organization, date_trunc('month', now() at time zone 'UTC'), 0, 0, now() + p_hold_lifetime, u.least_micros, u.model, u.provider, u.input_tokens, u.user_id, u.workspace_id, u.token_id, u.surface, u.request_id, p_process, u.credential
      from unnest(p_organization, p_hold, p_micros, outcomes, p_least, p_model, p_provider, p_input, p_user, p_workspace, p_spend_token, p_surface, p_request, p_credential)
        as u (organization, hold, micros, outcome, least_micros, model, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, credential)
     where u.outcome = 'admitted' and u.micros = 0 and u.hold is not null;

  return query select u.at::int, u.outcome, u.wait, u.cap from unnest(outcomes, waits, caps) with ordinality as u (outcome, wait, cap, at);
end $$;

create or replace function :schema.chat_admit(
  p_user text[], p_token text[], p_organization text[], p_version bigint[], p_limit int[], p_window interval,
  p_hold text[], p_micros bigint[], p_seat_budget bigint[], p_credit bigint[], p_hold_lifetime interval,
  p_least bigint[], p_model text[], p_provider text[], p_input bigint[], p_ceiling bigint
) returns table (pos int, outcome text, retry_after_ms int)
language plpgsql as $$
declare
  nothing text[] := array_fill(''::text, array[cardinality(p_user)]);
begin
  return query select a.pos, case a.outcome when 'cap_reached' then 'quota_exceeded' else a.outcome end, a.retry_after_ms
    from :schema.chat_admit(p_user, p_token, p_organization, p_version, p_limit, p_window, p_hold, p_micros, p_seat_budget, p_credit, p_hold_lifetime,
      p_least, p_model, p_provider, p_input, nothing, (select array_agg(case when t.token like 'tok\_%' then t.token else '' end order by t.at) from unnest(p_token) with ordinality as t (token, at)),
      nothing, nothing, array_fill(false, array[cardinality(p_user)]), p_ceiling) a;
end $$;

-- Closes requests, as chat_close does; returns the holds that were closed before. A request without a hold was refused: it is
-- only logged. Builds that open nothing for a request on an own key count it without one.
create or replace function :schema.chat_settle_all(
  p_organization text[], p_hold text[], p_micros bigint[], p_model text[], p_provider text[], p_credential text[], p_input bigint[], p_output bigint[],
  p_user text[], p_workspace text[], p_spend_token text[], p_surface text[], p_request text[], p_uses boolean[], p_status int[], p_first_ms int[], p_duration_ms int[]
) returns text[]
language plpgsql set enable_seqscan = off as $$
declare
  closed record;
  spent record;
begin
  if not true = any (p_uses) and num_nonnulls(variadic p_hold) = 0 then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  with gone as (
    delete from :schema.chat_hold h using unnest(p_hold, p_micros) with ordinality as u (hold, micros, at) where h.id = u.hold
    returning u.at, h.organization_id, h.seat_month, h.in_month, h.seat_micros as seat_held, h.credit_micros as credit_held,
              least(u.micros, h.seat_micros) as seat, least(greatest(0, u.micros - h.seat_micros), h.credit_micros) as credit,
              h.user_id, h.workspace_id, h.token_id, h.credential = 'platform' as platform, u.micros
  ), charge as (
    select u.at, u.hold, case when u.hold is null or not g.platform then u.micros else g.seat + g.credit end as micros, u.hold is not null and g.at is null as closed
      from unnest(p_hold, p_micros) with ordinality as u (hold, micros, at) left join gone g on g.at = u.at
  )
  select (select array_agg(case when not c.closed then c.micros end order by c.at) from charge c) as charges,
         (select coalesce(array_agg(c.hold), '{}') from charge c where c.closed) as before,
         (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from gone g) as holds
    into closed;

  for spent in
    select g.organization_id, g.seat_month, sum(g.seat_held) as seat_held, sum(g.credit_held) as credit_held, sum(g.seat) as seat, sum(g.credit) as credit
      from jsonb_to_recordset(closed.holds) as g (organization_id text, seat_month date, seat_held bigint, credit_held bigint, seat bigint, credit bigint, platform boolean)
     where g.platform group by g.organization_id, g.seat_month order by g.organization_id, g.seat_month
  loop
    update :schema.org_budget b set
      credit_reserved = b.credit_reserved - spent.credit_held,
      credit_spent = b.credit_spent + spent.credit,
      seat_reserved = b.seat_reserved - case when b.seat_month = spent.seat_month then spent.seat_held else 0 end,
      seat_spent = b.seat_spent + case when b.seat_month = spent.seat_month then spent.seat else 0 end
    where b.organization_id = spent.organization_id;
  end loop;

  -- A hold that was closed before has been counted before: its charge is null.
  insert into :schema.usage_day as d (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
    select u.organization, (now() at time zone 'UTC')::date, u.model, u.provider, u.credential, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(case when u.hold is not null and u.credential = 'platform' then u.charged else 0 end)
      from unnest(p_organization, p_hold, p_model, p_provider, p_credential, p_input, p_output, closed.charges, p_uses) as u (organization, hold, model, provider, credential, input_tokens, output_tokens, charged, uses)
     where u.uses and u.charged is not null
     group by u.organization, u.model, u.provider, u.credential order by u.organization, u.model, u.provider, u.credential
    on conflict (organization_id, day, model, provider, credential) do update set
      requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;

  insert into :schema.spend_day as d (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros)
    select u.organization, (now() at time zone 'UTC')::date, u.user_id, u.workspace_id, u.token_id, u.model, u.provider, u.credential, u.surface, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(u.charged)
      from unnest(p_organization, p_user, p_workspace, p_spend_token, p_model, p_provider, p_credential, p_surface, p_input, p_output, closed.charges, p_uses)
        as u (organization, user_id, workspace_id, token_id, model, provider, credential, surface, input_tokens, output_tokens, charged, uses)
     where u.uses and u.charged is not null
     group by 1, 3, 4, 5, 6, 7, 8, 9 order by 1, 3, 4, 5, 6, 7, 8, 9
    on conflict (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface) do update set
      requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;

  insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms)
    select u.request_id, now() - make_interval(secs => u.duration_ms / 1000.0), u.organization, u.user_id, u.workspace_id, u.token_id, u.surface, u.model, u.provider, u.credential,
           u.status, u.input_tokens, u.output_tokens, case when u.uses then u.charged else 0 end, u.first_ms, u.duration_ms
      from unnest(p_request, p_organization, p_user, p_workspace, p_spend_token, p_surface, p_model, p_provider, p_credential, p_status, p_input, p_output, closed.charges, p_uses, p_first_ms, p_duration_ms)
        as u (request_id, organization, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, charged, uses, first_ms, duration_ms)
     where u.charged is not null and u.status is not null;

  for spent in
    select c.id, sum(s.held) as held, sum(s.charged) as charged
      from (select g.organization_id, g.user_id, g.workspace_id, g.token_id, g.seat_held + g.credit_held as held, case when g.platform then g.seat + g.credit else g.micros end as charged
              from jsonb_to_recordset(closed.holds) as g (organization_id text, user_id text, workspace_id text, token_id text, seat_held bigint, credit_held bigint, seat bigint, credit bigint, platform boolean, micros bigint)
             where g.platform or g.micros > 0
            union all
            select u.organization, u.user_id, u.workspace_id, u.token_id, 0, u.micros
              from unnest(p_organization, p_user, p_workspace, p_spend_token, p_hold, p_micros, p_uses) as u (organization, user_id, workspace_id, token_id, hold, micros, uses)
             where u.hold is null and u.uses and u.micros > 0) s
      cross join lateral (values ('member', s.user_id), ('workspace', s.workspace_id), ('token', s.token_id)) as t (kind, subject_id)
      cross join lateral (select k.id from :schema.spend_cap k where k.organization_id = s.organization_id and k.kind = t.kind and k.subject_id = t.subject_id limit 1) c
     group by c.id order by c.id
  loop
    perform :schema.spend_cap_add(spent.id, spent.held::bigint, spent.charged::bigint);
  end loop;

  for spent in
    select g.seat_month, sum(g.seat + g.credit) as charged, sum(case when g.in_month then g.seat_held + g.credit_held else 0 end) as held
      from jsonb_to_recordset(closed.holds) as g (seat_month date, in_month boolean, seat_held bigint, credit_held bigint, seat bigint, credit bigint, platform boolean)
     where g.platform group by g.seat_month order by g.seat_month
  loop
    update :schema.platform_month m set spent = m.spent + spent.charged, reserved = m.reserved - spent.held where m.month = spent.seat_month;
  end loop;
  return closed.before;
end $$;

create or replace function :schema.chat_settle_single(
  p_organization text, p_hold text, p_micros bigint, p_model text, p_provider text, p_credential text, p_input bigint, p_output bigint,
  p_user text, p_workspace text, p_spend_token text, p_surface text, p_request text, p_uses boolean, p_status int, p_first_ms int, p_duration_ms int
) returns text[]
language plpgsql set enable_seqscan = off as $$
begin
  if p_hold is not null then
    return case when :schema.chat_close(p_hold, p_micros, p_model, p_provider, p_input, p_output, p_uses, p_status, p_first_ms, p_duration_ms) then '{}' else array[p_hold] end;
  end if;
  if p_uses then
    perform :schema.chat_count_use(p_organization, p_model, p_provider, p_credential, p_input, p_output, 0);
    perform :schema.spend_count(p_organization, p_user, p_workspace, p_spend_token, p_model, p_provider, p_credential, p_surface, p_input, p_output, p_micros);
  else
    perform set_config('synchronous_commit', 'off', true);
  end if;
  insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms)
    values (p_request, now() - make_interval(secs => p_duration_ms / 1000.0), p_organization, p_user, p_workspace, p_spend_token, p_surface, p_model, p_provider, p_credential,
            p_status, p_input, p_output, case when p_uses then p_micros else 0 end, p_first_ms, p_duration_ms);
  if p_uses and p_micros > 0 then
    perform :schema.spend_cap_settle(p_organization, p_user, p_workspace, p_spend_token, 0, p_micros);
  end if;
  return '{}';
end $$;

-- For builds that expect no answer.
create or replace function :schema.chat_settle(
  p_organization text[], p_hold text[], p_micros bigint[], p_model text[], p_provider text[], p_credential text[], p_input bigint[], p_output bigint[],
  p_user text[], p_workspace text[], p_spend_token text[], p_surface text[], p_request text[], p_uses boolean[], p_status int[], p_first_ms int[], p_duration_ms int[]
) returns void
language plpgsql as $$
begin
  perform :schema.chat_settle_all(p_organization, p_hold, p_micros, p_model, p_provider, p_credential, p_input, p_output, p_user, p_workspace, p_spend_token, p_surface, p_request, p_uses, p_status, p_first_ms, p_duration_ms);
end $$;

create or replace function :schema.chat_settle_one(
  p_organization text, p_hold text, p_micros bigint, p_model text, p_provider text, p_credential text, p_input bigint, p_output bigint,
  p_user text, p_workspace text, p_spend_token text, p_surface text, p_request text, p_uses boolean, p_status int, p_first_ms int, p_duration_ms int
) returns void
language plpgsql as $$
begin
  perform :schema.chat_settle_single(p_organization, p_hold, p_micros, p_model, p_provider, p_credential, p_input, p_output, p_user, p_workspace, p_spend_token, p_surface, p_request, p_uses, p_status, p_first_ms, p_duration_ms);
end $$;

-- For builds that do not know whom a request is counted for: a hold knows.
create or replace function :schema.chat_settle_one(p_organization text, p_hold text, p_micros bigint, p_model text, p_provider text, p_credential text, p_input bigint, p_output bigint) returns void
language plpgsql as $$
begin
  perform :schema.chat_settle_one(p_organization, p_hold, case when p_hold is null then 0 else p_micros end, p_model, p_provider, p_credential, p_input, p_output, '', '', '', '', '', true, 200, null, 0);
end $$;

create or replace function :schema.chat_settle(
  p_organization text[], p_hold text[], p_micros bigint[], p_model text[], p_provider text[], p_credential text[], p_input bigint[], p_output bigint[]
) returns void
language plpgsql as $$
begin
  perform :schema.chat_settle(p_organization, p_hold, u.micros, p_model, p_provider, p_credential, p_input, p_output, u.users, u.workspaces, u.tokens, u.surfaces, u.requests,
    array_fill(true, array[cardinality(p_organization)]), array_fill(200, array[cardinality(p_organization)]), array_fill(null::int, array[cardinality(p_organization)]), array_fill(0, array[cardinality(p_organization)]))
    from (select array_agg(case when i.hold is null then 0 else i.micros end order by i.at) as micros, array_agg(coalesce(h.user_id, '') order by i.at) as users, array_agg(coalesce(h.workspace_id, '') order by i.at) as workspaces,
                 array_agg(coalesce(h.token_id, '') order by i.at) as tokens, array_agg(coalesce(h.surface, '') order by i.at) as surfaces, array_agg(coalesce(h.request_id, '') order by i.at) as requests
            from unnest(p_hold, p_micros) with ordinality as i (hold, micros, at) left join :schema.chat_hold h on h.id = i.hold) u;
end $$;

create or replace function :schema.chat_note(p_hold text[], p_micros bigint[], p_output bigint[]) returns void
language sql as $$
-- Records what the answers under way have cost so far, in case their process dies before it settles them.
  update :schema.chat_hold h set least_micros = greatest(h.least_micros, u.micros), output_tokens = u.output_tokens
    from unnest(p_hold, p_micros, p_output) as u (hold, micros, output_tokens) where h.id = u.hold;
$$;

drop function if exists :schema.chat_reap(int);

create or replace function :schema.chat_reap(p_most int, p_process text default '', p_lost_after interval default '15 seconds') returns bigint
language plpgsql set enable_seqscan = off as $$
-- Settles holds that have expired, or whose process is lost, at the least that their calls have cost, and logs them as
-- failed; one without a model is returned in full. Those of one process at a time, so that budgets are locked in order.
-- `p_process` is the one that asks: it can tell who is lost if it has been seen all the while itself.
declare
  can_tell boolean := exists (select from :schema.process p where p.id = p_process and p.seen_at >= now() - p_lost_after and p.present_since <= now() - p_lost_after);
  owner text := '';
  before timestamptz;
  lost record;
begin
  loop
    before := case when can_tell and owner <> '' and not exists (select from :schema.process p where p.id = owner and p.seen_at >= now() - p_lost_after) then 'infinity' else now() end;
    select count(*) as holds, array_agg(h.organization_id) as organizations, array_agg(h.id) as ids, array_agg(h.least_micros) as micros, array_agg(h.model) as models, array_agg(h.provider) as providers,
           array_agg(h.credential) as credentials, array_agg(h.input_tokens) as inputs, array_agg(h.output_tokens) as outputs, array_agg(h.user_id) as users, array_agg(h.workspace_id) as workspaces,
           array_agg(h.token_id) as tokens, array_agg(h.surface) as surfaces, array_agg(h.request_id) as requests, array_agg(h.model <> '') as uses, array_agg(case when h.model <> '' then 500 end) as statuses,
           array_agg(null::int) as firsts, array_agg(least(2147483647, extract(epoch from now() - h.opened_at) * 1000)::int) as durations
      into lost
      from (select * from :schema.chat_hold o where o.process_id = owner and o.expires_at < before order by o.expires_at limit p_most for update skip locked) h;
    if lost.holds > 0 then
      perform :schema.chat_settle_all(lost.organizations, lost.ids, lost.micros, lost.models, lost.providers, lost.credentials, lost.inputs, lost.outputs,
        lost.users, lost.workspaces, lost.tokens, lost.surfaces, lost.requests, lost.uses, lost.statuses, lost.firsts, lost.durations);
      return lost.holds;
    end if;
    select h.process_id into owner from :schema.chat_hold h where h.process_id > owner order by h.process_id limit 1;
    exit when not found;
  end loop;
  return 0;
end $$;
