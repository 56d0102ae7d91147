-- Limits and budgets of chat: admission and settlement of any number of requests, in a number of statements that does not
-- grow with them but for the rate limit. The order of locks is in src/enforcement/README.md.

create or replace function :schema.chat_version_bump() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  -- Once per transaction, whose steps no one else sees: otherwise a change of thousands of rows would leave as many
  -- versions of this one, each found by going through those before it.
  execute format('insert into %1$I.chat_version as v (organization_id, version) values ($1, 1)
                  on conflict (organization_id) do update set version = v.version + 1 where v.xmin <> pg_current_xact_id()::xid', tg_table_schema)
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

create or replace function :schema.chat_admit(p_asked :schema.chat_request[], p_window interval, p_lifetime interval)
returns table (outcome text, retry_after_ms int, cap jsonb)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
-- The outcome of each request, in their order: how long one over its limit has to wait, which cap refuses it or what is left
-- under the tightest. Everything is decided under locks first; only what is admitted is written. An admitted request is open
-- under its `hold_id` if it has one.
declare
  outcomes text[];
  waits int[];
  caps jsonb[];
  seats bigint[];
  unknown boolean;
  turns int[] := '{1}';
  at int;
  one :schema.chat_request;
  place int;
  refused text;
  wait int;
  charged text[];
  checked boolean := false;
  has_ceiling boolean := false;
  this_month date := date_trunc('month', now() at time zone 'UTC');
  budgets :schema.org_budget[];
  budget :schema.org_budget;
  known text[];
  b int;
  capped boolean := false;
  month :schema.platform_month;
  seat bigint;
  fits boolean;
  committed text;
begin
  select array_agg(case when exists (select from :schema.connect_token t where t.id = q.bearer_id and t.revoked_at is not null and (t.replaced_by is null or t.revoked_at <= now())) then 'revoked'
                        when q.organization_id is not null and q.version <> coalesce((select v.version from :schema.chat_version v where v.organization_id = q.organization_id), 0) then 'stale'
                        else 'admitted' end),
         bool_or(q.micros > 0 and not exists (select from :schema.org_budget o where o.organization_id = q.organization_id))
    into outcomes, unknown from unnest(p_asked) q;
  if cardinality(p_asked) > 1 then
    turns := array(select u.ordinality from unnest(p_asked) with ordinality as u order by u.user_id, u.ordinality);
  end if;

  foreach at in array turns loop
    continue when outcomes[at] <> 'admitted';
    one := p_asked[at];
    if one.rate_limit > 0 and one.user_id is distinct from refused then
      loop
        insert into :schema.chat_rate as r (user_id, size, next) values (one.user_id, one.rate_limit, 1)
          on conflict (user_id) do update set next = r.next + 1 where r.size = excluded.size
          returning (r.next - 1) % r.size into place;
        exit when found;
        perform :schema.chat_rate_resize(one.user_id, one.rate_limit);
      end loop;
      -- The moment is read once the user's row is locked: places follow each other in time, so the first has waited longest.
      insert into :schema.chat_rate_slot as s (user_id, slot, at) values (one.user_id, place, clock_timestamp())
        on conflict (user_id, slot) do update set at = excluded.at where s.at <= excluded.at - p_window;
      if not found then
        update :schema.chat_rate r set next = r.next - 1 where r.user_id = one.user_id;
        select greatest(1, ceil(extract(epoch from s.at + p_window - clock_timestamp()) * 1000)) into wait
          from :schema.chat_rate_slot s where s.user_id = one.user_id and s.slot = place;
        refused := one.user_id;
      end if;
    end if;
    if one.rate_limit > 0 and one.user_id = refused then
      outcomes[at] := 'rate_limited';
      waits[at] := wait;
      continue;
    end if;
    if one.micros > 0 then
      charged := charged || one.organization_id;
      has_ceiling := has_ceiling or one.ceiling is not null;
    end if;
    checked := checked or one.checks_caps;
  end loop;

  if charged is null then
    -- A place in the rate limit and a row for the log are worth no wait for the disk; money is.
    committed := set_config('synchronous_commit', 'off', true);
  else
    if unknown then
      insert into :schema.org_budget (organization_id, seat_month) select distinct c, this_month from unnest(charged) c where c is not null order by c
        on conflict (organization_id) do nothing;
    end if;
    budgets := array(select o from :schema.org_budget o where o.organization_id = any (charged) order by o.organization_id for update);
    foreach budget in array budgets loop
      known := known || budget.organization_id;
      -- With the budgets locked no cap can appear.
      capped := capped or budget.caps > 0;
    end loop;
    if has_ceiling and not exists (select from :schema.platform_month m where m.month = this_month) then
      perform :schema.platform_month_open(this_month);
    end if;
    if capped then
      perform from :schema.spend_cap c where c.id = any (array(
          select f.id from unnest(p_asked) with ordinality as u cross join lateral :schema.spend_caps_of(u.organization_id, u.user_id, u.workspace_id, u.token_id) f
           where u.micros > 0 and outcomes[u.ordinality] = 'admitted'))
        order by c.id for update;
    end if;
    if has_ceiling then
      select * into month from :schema.platform_month m where m.month = this_month for update;
    end if;
  end if;

  if charged is not null or checked then
    for at in 1 .. cardinality(p_asked) loop
      continue when outcomes[at] <> 'admitted';
      one := p_asked[at];
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

  if known is not null then
    update :schema.org_budget o set seat_month = n.seat_month, seat_spent = n.seat_spent, seat_reserved = n.seat_reserved, credit_reserved = n.credit_reserved
      from unnest(budgets) n where o.organization_id = n.organization_id;
    if has_ceiling then
      update :schema.platform_month m set reserved = month.reserved where m.month = this_month;
    end if;
  end if;
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, in_month, expires_at, least_micros, model, served, provider, input_tokens, user_id, workspace_id, token_id, surface, request_id, process_id, credential)
    select u.hold_id, u.organization_id, this_month, coalesce(seats[u.ordinality], 0), u.micros - coalesce(seats[u.ordinality], 0), u.ceiling is not null and u.micros > 0, now() + p_lifetime,
           u.least_micros, u.model, coalesce(u.served, ''), u.provider, u.input_tokens, u.user_id, u.workspace_id, u.token_id, u.surface, u.request_id, u.process_id, u.credential
      from unnest(p_asked) with ordinality as u where outcomes[u.ordinality] = 'admitted' and u.hold_id is not null;

  for at in 1 .. cardinality(p_asked) loop
    outcome := outcomes[at];
    retry_after_ms := coalesce(waits[at], 0);
    cap := caps[at];
    return next;
  end loop;
end $$;

create or replace function :schema.chat_settle(p_told :schema.chat_settlement[]) returns text[]
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
-- Closes requests at their actual cost: on platform credit never more than was held, on an own key the list price, charged to
-- no budget, or null if that is unknown. Returns the holds that were closed before; those count nothing. The hold knows whom
-- a request is counted for. A request without one was refused, or is counted without having been open.
declare
  one :schema.chat_settlement;
  ids text[];
  holds :schema.chat_hold[];
  hold :schema.chat_hold;
  held text[];
  before text[] := '{}';
  closed :schema.chat_settlement[];
  used boolean := false;
  logged boolean := false;
  charged text[];
  budgets :schema.org_budget[];
  budget :schema.org_budget;
  known text[];
  b int;
  -- An own key does not lock the budget, which knows how many caps there are.
  capped boolean := false;
  this_month date := date_trunc('month', now() at time zone 'UTC');
begin
  foreach one in array p_told loop
    ids := ids || one.hold_id;
    used := used or one.uses;
  end loop;
  holds := array(select h from :schema.chat_hold h where h.id = any (ids) order by h.id for update);
  foreach hold in array holds loop
    held := held || hold.id;
  end loop;
  if held is not null then
    delete from :schema.chat_hold h where h.id = any (held);
  elsif not used then
    perform set_config('synchronous_commit', 'off', true);
  end if;

  used := false;
  foreach one in array p_told loop
    one.platform := false;
    one.served := coalesce(one.served, '');
    if one.hold_id is not null then
      b := array_position(held, one.hold_id);
      if b is null then
        before := before || one.hold_id;
        continue;
      end if;
      held[b] := null;
      hold := holds[b];
      one.organization_id := hold.organization_id;
      one.user_id := hold.user_id;
      one.workspace_id := hold.workspace_id;
      one.token_id := hold.token_id;
      one.surface := hold.surface;
      one.request_id := hold.request_id;
      one.credential := hold.credential;
      one.platform := hold.credential = 'platform';
      one.month := hold.seat_month;
      one.seat_held := hold.seat_micros;
      one.credit_held := hold.credit_micros;
      one.month_held := case when hold.in_month then hold.seat_micros + hold.credit_micros else 0 end;
    end if;
    if one.platform then
      one.cost_micros := least(one.cost_micros, one.seat_held + one.credit_held);
      charged := charged || one.organization_id;
    else
      capped := capped or coalesce(one.cost_micros, 0) > 0;
    end if;
    used := used or one.uses;
    logged := logged or one.status is not null;
    closed := closed || one;
  end loop;

  if charged is not null then
    budgets := array(select o from :schema.org_budget o where o.organization_id = any (charged) order by o.organization_id for update);
    foreach budget in array budgets loop
      known := known || budget.organization_id;
      capped := capped or budget.caps > 0;
    end loop;
    foreach one in array closed loop
      b := array_position(known, one.organization_id);
      continue when b is null or not one.platform;
      budget := budgets[b];
      budget.credit_reserved := budget.credit_reserved - one.credit_held;
      budget.credit_spent := budget.credit_spent + greatest(0, one.cost_micros - one.seat_held);
      if one.month = budget.seat_month then
        budget.seat_reserved := budget.seat_reserved - one.seat_held;
        budget.seat_spent := budget.seat_spent + least(one.cost_micros, one.seat_held);
      end if;
      budgets[b] := budget;
    end loop;
    update :schema.org_budget o set credit_reserved = n.credit_reserved, credit_spent = n.credit_spent, seat_reserved = n.seat_reserved, seat_spent = n.seat_spent
      from unnest(budgets) n where o.organization_id = n.organization_id;
  end if;

  if used then
    insert into :schema.usage_day as d (organization_id, day, model, served, provider, credential, requests, input_tokens, output_tokens, cost_micros)
      select u.organization_id, (now() at time zone 'UTC')::date, u.model, u.served, u.provider, u.credential, count(*), sum(u.input_tokens), sum(u.output_tokens), sum(case when u.platform then u.cost_micros else 0 end)
        from unnest(closed) u where u.uses
       group by u.organization_id, u.model, u.served, u.provider, u.credential order by u.organization_id, u.model, u.served, u.provider, u.credential
      on conflict (organization_id, day, model, served, provider, credential) do update set
        requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros;

    insert into :schema.spend_day as d (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros, unpriced)
      select u.organization_id, (now() at time zone 'UTC')::date, u.user_id, u.workspace_id, u.token_id, u.model, u.served, u.provider, u.credential, u.surface, count(*), sum(u.input_tokens), sum(u.output_tokens), coalesce(sum(u.cost_micros), 0), count(*) filter (where u.cost_micros is null)
        from unnest(closed) u where u.uses
       group by 1, 3, 4, 5, 6, 7, 8, 9, 10 order by 1, 3, 4, 5, 6, 7, 8, 9, 10
      on conflict (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface) do update set
        requests = d.requests + excluded.requests, input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens, cost_micros = d.cost_micros + excluded.cost_micros, unpriced = d.unpriced + excluded.unpriced;
  end if;

  if logged then
    insert into :schema.request_log (id, at, organization_id, user_id, workspace_id, token_id, surface, model, served, provider, credential, status, input_tokens, output_tokens, cost_micros, first_token_ms, duration_ms)
      select u.request_id, now() - make_interval(secs => u.duration_ms / 1000.0), u.organization_id, u.user_id, u.workspace_id, u.token_id, u.surface, u.model, u.served, u.provider, u.credential,
             u.status, u.input_tokens, u.output_tokens, case when u.uses then u.cost_micros else 0 end, u.first_token_ms, u.duration_ms
        from unnest(closed) u where u.status is not null;
  end if;

  if capped then
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

  if known is not null and exists (select from :schema.platform_month) then
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
declare
  closed :schema.chat_settlement;
begin
  insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at, process_id)
    values (p_hold, '', now(), 0, 0, now() + p_lifetime, p_process) on conflict (id) do nothing;
  if not found then
    closed.hold_id := p_hold;
    closed.cost_micros := 0;
    closed.uses := false;
    perform :schema.chat_settle(array[closed]);
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
    select count(*) as holds, array_agg(json_populate_record(null:::schema.chat_settlement, json_build_object('hold_id', h.id, 'cost_micros', h.least_micros, 'model', h.model, 'served', h.served, 'provider', h.provider, 'input_tokens', h.input_tokens, 'output_tokens', h.output_tokens,
             'uses', h.model <> '', 'status', case when h.model <> '' then 500 end, 'duration_ms', least(2147483647, extract(epoch from now() - h.opened_at) * 1000)::int))) as settlements
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
