-- Limits and money of chat. Admission and settlement are one function call each over a whole batch of requests.
-- Both lock rate rows by user first and budget rows by organization after, in order, so that no two batches can
-- wait for each other in a circle.

-- A ring of the last `size` accepted requests of a user: the next one is accepted when the one it would overwrite
-- is older than the window. Exact, and the same work whatever the limit is. Losing it in a crash forgives a minute.
create unlogged table :schema.chat_rate (
  user_id text primary key,
  size    int not null,
  next    bigint not null
);
create unlogged table :schema.chat_rate_slot (
  user_id text not null,
  slot    int not null,
  at      timestamptz not null,
  primary key (user_id, slot)
);

-- All amounts are micro-dollars. The seat figures are those of seat_month and count as zero in any other month.
create table :schema.org_budget (
  organization_id text primary key references :schema.organization (id),
  credit_spent    bigint not null default 0 check (credit_spent >= 0),
  credit_reserved bigint not null default 0 check (credit_reserved >= 0),
  seat_month      date not null,
  seat_spent      bigint not null default 0 check (seat_spent >= 0),
  seat_reserved   bigint not null default 0 check (seat_reserved >= 0)
);

-- An open reservation. Settling deletes it, which makes settling idempotent; one that expires goes back whole.
create table :schema.chat_hold (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  seat_month      date not null,
  seat_micros     bigint not null check (seat_micros >= 0),
  credit_micros   bigint not null check (credit_micros >= 0),
  expires_at      timestamptz not null
);
create index chat_hold_expiry on :schema.chat_hold (expires_at);

create table :schema.usage_day (
  organization_id text not null references :schema.organization (id),
  day             date not null,
  model           text not null,
  provider        text not null,
  credential      text not null check (credential in ('models-account', 'own-key', 'platform')),
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  primary key (organization_id, day, model, provider, credential)
);

create function :schema.chat_rate_take(p_user text, p_limit int, p_now timestamptz, p_window interval) returns interval
language plpgsql as $$
-- Null when the request is accepted, otherwise how long until one would be.
declare
  ring record;
  oldest timestamptz;
  kept timestamptz[];
begin
  insert into :schema.chat_rate (user_id, size, next) values (p_user, p_limit, 0) on conflict (user_id) do nothing;
  select size, next into ring from :schema.chat_rate where user_id = p_user for update;
  if ring.size <> p_limit then
    -- The limit was changed: keep the newest accepted requests and lay the ring anew.
    select array_agg(newest.at order by newest.at) into kept
      from (select s.at from :schema.chat_rate_slot s where s.user_id = p_user order by s.at desc limit p_limit) newest;
    delete from :schema.chat_rate_slot where user_id = p_user;
    insert into :schema.chat_rate_slot select p_user, u.slot - 1, u.at from unnest(kept) with ordinality as u (at, slot);
    ring.size := p_limit;
    ring.next := coalesce(cardinality(kept), 0);
  end if;
  select s.at into oldest from :schema.chat_rate_slot s where s.user_id = p_user and s.slot = ring.next % ring.size;
  if oldest > p_now - p_window then
    update :schema.chat_rate set size = ring.size, next = ring.next where user_id = p_user and size <> ring.size;
    return oldest + p_window - p_now;
  end if;
  insert into :schema.chat_rate_slot (user_id, slot, at) values (p_user, ring.next % ring.size, p_now)
    on conflict (user_id, slot) do update set at = excluded.at;
  update :schema.chat_rate set size = ring.size, next = ring.next + 1 where user_id = p_user;
  return null;
end $$;

create function :schema.chat_reserve(p_organization text, p_hold text, p_micros bigint, p_seat_budget bigint, p_credit bigint, p_expires timestamptz) returns boolean
language plpgsql as $$
declare
  this_month date := date_trunc('month', now() at time zone 'UTC');
  budget record;
  from_seat bigint;
  from_credit bigint;
begin
  insert into :schema.org_budget (organization_id, seat_month) values (p_organization, this_month) on conflict (organization_id) do nothing;
  select * into budget from :schema.org_budget where organization_id = p_organization for update;
  if budget.seat_month <> this_month then
    update :schema.org_budget set seat_month = this_month, seat_spent = 0, seat_reserved = 0 where organization_id = p_organization;
    budget.seat_spent := 0;
    budget.seat_reserved := 0;
  end if;
  from_seat := least(p_micros, greatest(0, p_seat_budget - budget.seat_spent - budget.seat_reserved));
  from_credit := p_micros - from_seat;
  if from_credit > greatest(0, p_credit - budget.credit_spent - budget.credit_reserved) then
    return false;
  end if;
  update :schema.org_budget set seat_reserved = seat_reserved + from_seat, credit_reserved = credit_reserved + from_credit where organization_id = p_organization;
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at)
    values (p_hold, p_organization, this_month, from_seat, from_credit, p_expires);
  return true;
end $$;

create function :schema.chat_admit(
  p_user text[], p_token text[], p_organization text[], p_version bigint[], p_limit int[], p_window interval,
  p_hold text[], p_micros bigint[], p_seat_budget bigint[], p_credit bigint[], p_hold_lifetime interval
) returns table (pos int, outcome text, retry_after_ms int)
language plpgsql as $$
declare
  request record;
  wait interval;
  outcomes text[] := array_fill('admitted'::text, array[cardinality(p_user)]);
  waits int[] := array_fill(0, array[cardinality(p_user)]);
begin
  for request in
    select u.* from unnest(p_user, p_token, p_organization, p_version, p_limit) with ordinality as u (user_id, token, organization, version, request_limit, at) order by u.user_id, u.at
  loop
    if request.token is not null and exists (select 1 from :schema.connect_token t where t.id = request.token and t.revoked_at is not null) then
      outcomes[request.at] := 'revoked';
    elsif request.organization is not null and coalesce((select v.version from :schema.chat_version v where v.organization_id = request.organization), 0) <> request.version then
      outcomes[request.at] := 'stale';
    elsif request.request_limit > 0 then
      wait := :schema.chat_rate_take(request.user_id, request.request_limit, clock_timestamp(), p_window);
      if wait is not null then
        outcomes[request.at] := 'rate_limited';
        waits[request.at] := ceil(extract(epoch from wait) * 1000);
      end if;
    end if;
  end loop;

  for request in
    select u.* from unnest(p_organization, p_hold, p_micros, p_seat_budget, p_credit) with ordinality as u (organization, hold, micros, seat_budget, credit, at) order by u.organization, u.at
  loop
    if outcomes[request.at] = 'admitted' and request.micros > 0
       and not (request.organization is not null and :schema.chat_reserve(request.organization, request.hold, request.micros, request.seat_budget, request.credit, now() + p_hold_lifetime)) then
      outcomes[request.at] := 'quota_exceeded';
    end if;
  end loop;

  return query select u.at::int, u.outcome, u.wait from unnest(outcomes, waits) with ordinality as u (outcome, wait, at);
end $$;

create function :schema.chat_release(p_hold text, p_micros bigint) returns bigint
language plpgsql as $$
-- Closes a hold at what was used, never more than it held; returns what was charged, null when it was closed before.
declare
  hold record;
  from_seat bigint;
  from_credit bigint;
begin
  delete from :schema.chat_hold where id = p_hold returning * into hold;
  if not found then
    return null;
  end if;
  from_seat := least(p_micros, hold.seat_micros);
  from_credit := least(p_micros - from_seat, hold.credit_micros);
  update :schema.org_budget b set
    credit_reserved = b.credit_reserved - hold.credit_micros,
    credit_spent = b.credit_spent + from_credit,
    seat_reserved = b.seat_reserved - case when b.seat_month = hold.seat_month then hold.seat_micros else 0 end,
    seat_spent = b.seat_spent + case when b.seat_month = hold.seat_month then from_seat else 0 end
  where b.organization_id = hold.organization_id;
  return from_seat + from_credit;
end $$;

create function :schema.chat_settle(
  p_organization text[], p_hold text[], p_micros bigint[], p_model text[], p_provider text[], p_credential text[], p_input bigint[], p_output bigint[]
) returns void
language plpgsql as $$
declare
  settled record;
  charged bigint;
begin
  for settled in
    select u.* from unnest(p_organization, p_hold, p_micros, p_model, p_provider, p_credential, p_input, p_output)
      with ordinality as u (organization, hold, micros, model, provider, credential, input_tokens, output_tokens, at)
    order by u.organization, u.model, u.provider, u.credential, u.at
  loop
    charged := case when settled.hold is null then 0 else :schema.chat_release(settled.hold, settled.micros) end;
    -- A hold that was closed before has been counted before.
    continue when charged is null;
    insert into :schema.usage_day as d (organization_id, day, model, provider, credential, requests, input_tokens, output_tokens, cost_micros)
      values (settled.organization, (now() at time zone 'UTC')::date, settled.model, settled.provider, settled.credential, 1, settled.input_tokens, settled.output_tokens, charged)
      on conflict (organization_id, day, model, provider, credential) do update set
        requests = d.requests + 1, input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;
  end loop;
end $$;

create function :schema.chat_reap(p_most int) returns bigint
language plpgsql as $$
-- Returns expired holds whole: the process that opened them is gone.
declare
  expired record;
  reaped bigint := 0;
begin
  for expired in
    select h.id from :schema.chat_hold h where h.expires_at < now() order by h.organization_id, h.id limit p_most for update skip locked
  loop
    if :schema.chat_release(expired.id, 0) is not null then
      reaped := reaped + 1;
    end if;
  end loop;
  return reaped;
end $$;
