-- The admission of one request alone, in two statements where its user and its organization have been seen before:
-- the checks with the limit, the budget with the hold. Whatever they do not settle goes the long way.

create or replace function :schema.chat_admit_one(
  p_user text, p_token text, p_organization text, p_version bigint, p_limit int, p_window interval,
  p_hold text, p_micros bigint, p_seat_budget bigint, p_credit bigint, p_hold_lifetime interval, out outcome text, out retry_after_ms int
)
language plpgsql set enable_seqscan = off as $$
declare
  this_month date;
  place bigint;
  slots int := 0;
  seat bigint;
begin
  retry_after_ms := 0;
  if p_limit > 0 then
    -- The moment is read once the user's row is locked: places follow each other in time.
    with placed as (
      update :schema.chat_rate r set next = r.next + 1
       where r.user_id = p_user and r.size = p_limit
         and not exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null)
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
    if exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null) then
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
      returning b.organization_id
    )
    insert into :schema.chat_hold (id, organization_id, seat_month, seat_micros, credit_micros, expires_at)
      select p_hold, t.organization_id, this_month, seat, p_micros - seat, now() + p_hold_lifetime from taken t;
    if not found and (p_organization is null or true <> all (:schema.chat_reserve_all(p_organization, array[p_hold], array[p_micros], p_seat_budget, p_credit, p_hold_lifetime))) then
      outcome := 'quota_exceeded';
      return;
    end if;
  end if;
  outcome := 'admitted';
end $$;
