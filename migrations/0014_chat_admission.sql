-- Admission and settlement for a whole group in a fixed number of statements, however many requests it holds. They
-- lock as before: rate rows by user, then budget rows by organization; settlement closes its holds first.

-- Every hold is opened under the lock of its organization's budget row, which refers to the organization itself.
alter table :schema.chat_hold drop constraint chat_hold_organization_id_fkey;

create function :schema.chat_rate_lay(p_user text, p_limit int) returns void
language plpgsql set enable_seqscan = off as $$
-- A user's ring, new or laid anew because the limit was changed: the newest accepted requests stay in it.
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

create function :schema.chat_rate_take_all(p_user text, p_count int, p_limit int, p_window interval, out accepted int, out wait_ms int)
language plpgsql set enable_seqscan = off as $$
-- How many of a user's requests are accepted, and how long the others have to wait. The places of a ring follow each
-- other in time, so those that are free come first.
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

create function :schema.chat_reserve_all(p_organization text, p_holds text[], p_micros bigint[], p_seat_budget bigint, p_credit bigint, p_lifetime interval) returns boolean[]
language plpgsql set enable_seqscan = off as $$
-- Which of an organization's requests its budget still carries, in their order; their holds are open then.
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
    insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at)
      select u.hold, p_organization, this_month, u.seat, u.micros - u.seat, now() + p_lifetime
        from unnest(p_holds, p_micros, seats, carried) as u (hold, micros, seat, carried) where u.carried;
  end if;
  return carried;
end $$;

create function :schema.chat_admit_one(
  p_user text, p_token text, p_organization text, p_version bigint, p_limit int, p_window interval,
  p_hold text, p_micros bigint, p_seat_budget bigint, p_credit bigint, p_hold_lifetime interval, out outcome text, out retry_after_ms int
)
language plpgsql set enable_seqscan = off as $$
-- What a group does, for one alone in as few and as short statements as there can be: its latency is the user's.
declare
  this_month date;
  place bigint;
  moment timestamptz;
  budget record;
  seat bigint;
begin
  retry_after_ms := 0;
  if p_token is not null and exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null) then
    outcome := 'revoked';
    return;
  end if;
  if p_organization is not null and p_version <> coalesce((select v.version from :schema.chat_version v where v.organization_id = p_organization), 0) then
    outcome := 'stale';
    return;
  end if;

  if p_limit > 0 then
    update :schema.chat_rate set next = next + 1 where user_id = p_user and size = p_limit returning next - 1 into place;
    if place is null then
      -- The first of a user, or of a new limit, goes the long way.
      select t.accepted, t.wait_ms into place, retry_after_ms from :schema.chat_rate_take_all(p_user, 1, p_limit, p_window) t;
      if place = 0 then
        outcome := 'rate_limited';
        return;
      end if;
    else
      moment := clock_timestamp();
      insert into :schema.chat_rate_slot as s (user_id, slot, at) values (p_user, place % p_limit, moment)
        on conflict (user_id, slot) do update set at = excluded.at where s.at <= moment - p_window;
      if not found then
        update :schema.chat_rate set next = next - 1 where user_id = p_user;
        select ceil(extract(epoch from s.at + p_window - moment) * 1000) into retry_after_ms from :schema.chat_rate_slot s where s.user_id = p_user and s.slot = place % p_limit;
        outcome := 'rate_limited';
        return;
      end if;
    end if;
  end if;

  if p_micros > 0 then
    this_month := date_trunc('month', now() at time zone 'UTC');
    select b.seat_month, b.seat_spent, b.seat_reserved, b.credit_spent + b.credit_reserved as credit_taken into budget from :schema.org_budget b where b.organization_id = p_organization for update;
    if budget.seat_month is distinct from this_month then
      -- The first of an organization, or of a month, goes the long way.
      if p_organization is null or true <> all (:schema.chat_reserve_all(p_organization, array[p_hold], array[p_micros], p_seat_budget, p_credit, p_hold_lifetime)) then
        outcome := 'quota_exceeded';
        return;
      end if;
    else
      seat := least(p_micros, greatest(0, p_seat_budget - budget.seat_spent - budget.seat_reserved));
      if p_micros - seat > greatest(0, p_credit - budget.credit_taken) then
        outcome := 'quota_exceeded';
        return;
      end if;
      update :schema.org_budget set seat_reserved = seat_reserved + seat, credit_reserved = credit_reserved + p_micros - seat where organization_id = p_organization;
      insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at) values (p_hold, p_organization, this_month, seat, p_micros - seat, now() + p_hold_lifetime);
    end if;
  end if;
  outcome := 'admitted';
end $$;

create or replace function :schema.chat_admit(
  p_user text[], p_token text[], p_organization text[], p_version bigint[], p_limit int[], p_window interval,
  p_hold text[], p_micros bigint[], p_seat_budget bigint[], p_credit bigint[], p_hold_lifetime interval
) returns table (pos int, outcome text, retry_after_ms int)
language plpgsql set enable_seqscan = off as $$
declare
  outcomes text[];
  waits int[] := array_fill(0, array[cardinality(p_user)]);
  together record;
  taken record;
  carried boolean[];
begin
  select array_agg(case when t.revoked_at is not null then 'revoked' when u.organization is not null and coalesce(v.version, 0) <> u.version then 'stale' else 'admitted' end order by u.at)
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
    select u.organization, u.seat_budget, u.credit, array_agg(u.hold order by u.at) as holds, array_agg(u.micros order by u.at) as micros, array_agg(u.at::int order by u.at) as ats
      from unnest(p_organization, p_hold, p_micros, p_seat_budget, p_credit, outcomes) with ordinality as u (organization, hold, micros, seat_budget, credit, outcome, at)
     where u.outcome = 'admitted' and u.micros > 0 group by u.organization, u.seat_budget, u.credit order by u.organization, u.seat_budget, u.credit
  loop
    carried := null;
    if together.organization is not null then
      carried := :schema.chat_reserve_all(together.organization, together.holds, together.micros, together.seat_budget, together.credit, p_hold_lifetime);
    end if;
    for i in 1 .. cardinality(together.ats) loop
      if carried[i] is not true then
        outcomes[together.ats[i]] := 'quota_exceeded';
      end if;
    end loop;
  end loop;

  return query select u.at::int, u.outcome, u.wait from unnest(outcomes, waits) with ordinality as u (outcome, wait, at);
end $$;

create or replace function :schema.chat_settle(
  p_organization text[], p_hold text[], p_micros bigint[], p_model text[], p_provider text[], p_credential text[], p_input bigint[], p_output bigint[]
) returns void
language plpgsql set enable_seqscan = off as $$
declare
  closed record;
  spent record;
begin
  if array_remove(p_hold, null) = '{}' then
    -- Overrides paid for all of them: what a crash of the database could take is a moment's statistics, never money.
    perform set_config('synchronous_commit', 'off', true);
  end if;

  with gone as (
    delete from :schema.chat_hold h using unnest(p_hold, p_micros) with ordinality as u (hold, micros, at) where h.id = u.hold
    returning u.at, h.organization_id, h.seat_month, h.seat_micros as seat_held, h.credit_micros as credit_held,
              least(u.micros, h.seat_micros) as seat, least(greatest(0, u.micros - h.seat_micros), h.credit_micros) as credit
  )
  select (select array_agg(g.seat + g.credit order by u.at) from unnest(p_hold) with ordinality as u (hold, at) left join gone g on g.at = u.at) as charges,
         (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from gone g) as holds
    into closed;

  for spent in
    select g.organization_id, g.seat_month, sum(g.seat_held) as seat_held, sum(g.credit_held) as credit_held, sum(g.seat) as seat, sum(g.credit) as credit
      from jsonb_to_recordset(closed.holds) as g (organization_id text, seat_month date, seat_held bigint, credit_held bigint, seat bigint, credit bigint)
     group by g.organization_id, g.seat_month order by g.organization_id, g.seat_month
  loop
    update :schema.org_budget b set
      credit_reserved = b.credit_reserved - spent.credit_held,
      credit_spent = b.credit_spent + spent.credit,
      seat_reserved = b.seat_reserved - case when b.seat_month = spent.seat_month then spent.seat_held else 0 end,
      seat_spent = b.seat_spent + case when b.seat_month = spent.seat_month then spent.seat else 0 end
    where b.organization_id = spent.organization_id;
  end loop;

  -- A hold that was closed before has been counted before.
  insert into :schema.usage_day as d (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
    select u.organization, (now() at time zone 'UTC')::date, u.model, u.provider, u.credential, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(coalesce(u.charged, 0))
      from unnest(p_organization, p_hold, p_model, p_provider, p_credential, p_input, p_output, closed.charges) as u (organization, hold, model, provider, credential, input_tokens, output_tokens, charged)
     where u.hold is null or u.charged is not null
     group by u.organization, u.model, u.provider, u.credential order by u.organization, u.model, u.provider, u.credential
    on conflict (organization_id, day, model, provider, credential) do update set
      requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;
end $$;

create function :schema.chat_settle_one(p_organization text, p_hold text, p_micros bigint, p_model text, p_provider text, p_credential text, p_input bigint, p_output bigint) returns void
language plpgsql set enable_seqscan = off as $$
declare
  charged bigint := 0;
begin
  if p_hold is null then
    perform set_config('synchronous_commit', 'off', true);
  else
    charged := :schema.chat_release(p_hold, p_micros);
    if charged is null then
      return;
    end if;
  end if;
  update :schema.usage_day d set requests = d.requests + 1, input_tokens = d.input_tokens + p_input, output_tokens = d.output_tokens + p_output, cost_micros = d.cost_micros + charged
    where d.organization_id = p_organization and d.day = (now() at time zone 'UTC')::date and d.model = p_model and d.provider = p_provider and d.credential = p_credential;
  if not found then
    insert into :schema.usage_day as d (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
      values (p_organization, (now() at time zone 'UTC')::date, p_model, p_provider, p_credential, 1, p_input, p_output, charged)
      on conflict (organization_id, day, model, provider, credential) do update set
        requests = d.requests + 1, input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;
  end if;
end $$;

drop function :schema.chat_rate_take(text, int, timestamptz, interval);
drop function :schema.chat_reserve(text, text, bigint, bigint, bigint, timestamptz);
