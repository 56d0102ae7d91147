-- The broker's durable promises and tasks. Plans are cached per connection, and one that was made while a table was small
-- would go on scanning it. So these functions turn everything but index access off.

-- Everything that steps may read, in one snapshot: the promises that they name with tasks, awaiters and listeners; the
-- tasks that would be resumed, if a named promise will settle or is past its deadline; the promises that the replay of a
-- task will request.
create or replace function :schema.broker_load(p_ids text[], p_settling text[], p_owners text[], p_origins text[], p_now bigint)
returns json language plpgsql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  moment bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  ids text[];
begin
  ids := p_ids || array(
    select a.awaiter from unnest(p_ids) as n(id)
    cross join lateral (select from :schema.broker_promise p where p.id = n.id and p.settled_at is null and (p.timeout_at <= moment or p.id = any(p_settling))) p
    cross join lateral (select k.awaiter from :schema.broker_awaiter k where k.awaited = n.id) a);
  return json_build_object(
    'now', moment,
    'revisions', (select coalesce(json_object_agg(o.origin, o.revision), '{}') from :schema.broker_origin o where o.origin = any(p_origins)),
    'rows', (
      select coalesce(json_agg(r), '[]') from (
        select p.id, p.state, p.param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at,
               t.state as task_state, t.version, t.resumes, t.releases, t.pid, t.ttl, t.wake_at, t.offered_pid,
               case when p.settled_at is null then array(select a.awaiter from :schema.broker_awaiter a where a.awaited = p.id order by a.awaiter) end as awaiters,
               case when p.settled_at is null then array(select l.address from :schema.broker_listener l where l.promise = p.id order by l.address) end as listeners
        from (select distinct id from unnest(ids) as u(id)) n
        cross join lateral (select * from :schema.broker_promise k where k.id = n.id) p
        left join lateral (select * from :schema.broker_task k where k.id = n.id) t on true
      ) r),
    'owned', (
      select coalesce(json_agg(r), '[]') from (
        select p.id, p.state, p.param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at from unnest(p_owners) as o(id)
        cross join lateral (select * from :schema.broker_promise k where k.owner = o.id order by k.created_at limit 200) p
      ) r));
end $$;

-- Gives waiting tasks of one queue to streams with credit to spare, tenant by tenant, beginning after the one that was
-- served last. A stream with a time to live gets the task with its lease and everything that it would have requested,
-- without the parameters of the task's own calls; any other stream gets an offer. Rows that another replica is giving or
-- changing are skipped; if only the origin is locked, the task is offered.
--
-- A tenant's share is a part of the places of its group, the credit of all streams. A tenant that has its share gets
-- another place only while no other tenant waits. A tenant that has less need not wait for the places that others took
-- beyond theirs: those do not count, and it gets a place in addition to the stream's credit, which at most doubles.
-- The last row has no task: it says that tasks are left.
create or replace function :schema.broker_give(p_queue text, p_after text, p_pids text[], p_credits int[], p_ttls bigint[], p_share int, p_now bigint, p_offer_ms bigint)
returns table (task_id text, task_version int, task_lane text, stream_pid text, given json)
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  shares boolean := coalesce(p_share < 100, false) and starts_with(p_queue, 'any@');
  free int[];
  spare int := 0;
  places int := 0;
  share int;
  counted int := 0;
  lanes text[];
  holds int[];
  own int;
  held int;
  chosen int;
  lane_after text;
  after text := p_after;
  whole_lap boolean := false;
  found_one boolean := true;
  task record;
  promise record;
  next_revision bigint;
begin
  for i in 1 .. coalesce(array_length(p_pids, 1), 0) loop
    select count(*) into held from :schema.broker_task t where t.holder = p_pids[i];
    free[i] := p_credits[i] - held;
    spare := spare + greatest(free[i], 0);
  end loop;
  if shares then
    select coalesce(sum(s.credit), 0) into places
      from (select max(k.credit) as credit from :schema.broker_stream k where k.task_group = substr(p_queue, 5) and k.ended_at is null group by k.pid) s;
    share := greatest(places * p_share / 100, 1);
    select coalesce(array_agg(h.lane), '{}'), coalesce(array_agg(h.number), '{}'), coalesce(sum(least(h.number, share)), 0) into lanes, holds, counted
      from (
        select t.lane, count(*)::int as number
        from (select distinct k.pid from :schema.broker_stream k where k.task_group = substr(p_queue, 5) and k.ended_at is null) s
        cross join lateral (select k.lane from :schema.broker_task k where k.holder = s.pid and k.queue = p_queue) t
        group by t.lane
      ) h;
  end if;
  while spare > 0 or counted < places loop
    select t.lane into lane_after from :schema.broker_task t
      where t.queue = p_queue and t.queued_at is not null and t.lane > after order by t.lane limit 1;
    if not found then
      exit when whole_lap and not found_one;
      after := '';
      whole_lap := true;
      found_one := false;
      continue;
    end if;
    after := lane_after;
    if shares then
      own := coalesce(holds[array_position(lanes, after)], 0);
      if own >= share then
        continue when spare = 0
          or exists (select from :schema.broker_task t where t.queue = p_queue and t.queued_at is not null and t.lane < after)
          or exists (select from :schema.broker_task t where t.queue = p_queue and t.queued_at is not null and t.lane > after);
      end if;
    end if;
    chosen := null;
    for i in 1 .. array_length(p_pids, 1) loop
      if free[i] + p_credits[i] > 0 and (chosen is null or free[i] > free[chosen]) then chosen := i; end if;
    end loop;
    exit when chosen is null;
    select t.id, t.version, t.lane, t.prefer_pid, t.releases into task from :schema.broker_task t
      where t.queue = p_queue and t.queued_at is not null and t.lane = after
      order by t.queued_at limit 1 for update skip locked;
    continue when not found;
    found_one := true;
    for i in 1 .. array_length(p_pids, 1) loop
      if p_pids[i] = task.prefer_pid and free[i] > 0 then chosen := i; end if;
    end loop;
    if free[chosen] > 0 then spare := spare - 1; end if;
    free[chosen] := free[chosen] - 1;
    if shares then
      if own < share then counted := counted + 1; end if;
      if own = 0 then lanes := lanes || after; holds := holds || 1; else holds[array_position(lanes, after)] := own + 1; end if;
    end if;
    task_id := task.id;
    task_version := task.version;
    task_lane := task.lane;
    stream_pid := p_pids[chosen];
    given := null;
    next_revision := null;
    if p_ttls[chosen] > 0 then
      select p.id, p.state, p.param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at into promise
        from :schema.broker_promise p where p.id = task.id and p.settled_at is null and p.timeout_at > p_now;
      if found then
        select o.revision + 1 into next_revision from :schema.broker_origin o where o.origin = split_part(task.id, ':', 1) for update skip locked;
      end if;
    end if;
    if next_revision is null then
      update :schema.broker_task t set queued_at = null, offered_pid = p_pids[chosen], wake_at = p_now + p_offer_ms where t.id = task.id;
    else
      update :schema.broker_origin o set revision = next_revision where o.origin = split_part(task.id, ':', 1);
      update :schema.broker_task t set state = 'acquired', version = task.version + 1, resumes = '[]', pid = p_pids[chosen], ttl = p_ttls[chosen],
          wake_at = p_now + p_ttls[chosen], queued_at = null, offered_pid = null, since = p_now where t.id = task.id;
      given := json_build_object('revision', next_revision, 'releases', task.releases, 'ttl', p_ttls[chosen], 'promise', row_to_json(promise), 'owned', (
        select coalesce(json_agg(r), '[]') from (
          select p.id, p.state, '{}' as param, p.value, p.tags, p.timeout_at, p.created_at, p.settled_at
          from :schema.broker_promise p where p.owner = task.id order by p.created_at limit 200
        ) r));
    end if;
    return next;
  end loop;
  if shares and exists (select from :schema.broker_task t where t.queue = p_queue and t.queued_at is not null) then
    task_id := null;
    task_version := null;
    task_lane := null;
    stream_pid := null;
    given := null;
    return next;
  end if;
end $$;

-- The same without shares, for builds that know none.
create or replace function :schema.broker_give(p_queue text, p_after text, p_pids text[], p_credits int[], p_ttls bigint[], p_now bigint, p_offer_ms bigint)
returns table (task_id text, task_version int, task_lane text, stream_pid text, given json)
language sql volatile as $$
  select * from :schema.broker_give(p_queue, p_after, p_pids, p_credits, p_ttls, null, p_now, p_offer_ms)
$$;

-- Writes what steps have changed, if no origin has a newer revision than they read, and gives waiting tasks of the given
-- queues to streams. A pending task without queued_at and wake_at keeps both: it only got another resume while it is
-- queued or offered. Null means nothing to write. Changes that need not be durable do not wait for the disk: a crash of
-- the server may undo them, together with everything after them.
create or replace function :schema.broker_save(
  p_revisions json, p_created json, p_settled json, p_tasks json, p_clear text[], p_forget text[], p_await json,
  p_unhear text[], p_hear json, p_unblock json, p_queues json, p_now bigint, p_offer_ms bigint, p_durable boolean)
returns table (queue text, id text, version int, lane text, pid text, given json)
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  written bigint;
begin
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  -- New origins and known ones, each unless another replica was faster.
  with read as materialized (
    select r.origin, r.revision from json_to_recordset(p_revisions) as r(origin text, revision bigint) order by r.origin collate "C"
  ), begun as (
    insert into :schema.broker_origin as o (origin, revision) select r.origin, 1 from read r where r.revision = 0 on conflict do nothing returning 1
  ), raised as (
    update :schema.broker_origin o set revision = o.revision + 1 from read r where r.revision > 0 and o.origin = r.origin and o.revision = r.revision returning 1
  )
  select (select count(*) from read) - (select count(*) from begun) - (select count(*) from raised) into written;
  if written <> 0 then raise exception 'origin changed' using errcode = '40001'; end if;
  if p_created is not null then
    insert into :schema.broker_promise (id, state, param, value, tags, timeout_at, created_at, settled_at, owner, armed)
      select r.id, r.state, r.param, r.value, r.tags, r.timeout_at, r.created_at, r.settled_at, r.owner, r.armed
      from json_to_recordset(p_created) as r(id text, state text, param text, value text, tags text, timeout_at bigint, created_at bigint, settled_at bigint, owner text, armed boolean);
  end if;
  if p_settled is not null then
    update :schema.broker_promise p set state = r.state, value = r.value, settled_at = r.settled_at
      from json_to_recordset(p_settled) as r(id text, state text, value text, settled_at bigint) where p.id = r.id;
  end if;
  if p_tasks is not null then
    insert into :schema.broker_task as t (id, state, version, resumes, releases, pid, ttl, wake_at, queue, prefer_pid, lane, queued_at, since)
      select r.id, r.state, r.version, r.resumes, r.releases, r.pid, r.ttl, r.wake_at, r.queue, r.prefer_pid, r.lane, r.queued_at, p_now
      from json_to_recordset(p_tasks) as r(id text, state text, version int, resumes text, releases int, pid text, ttl bigint, wake_at bigint, queue text, prefer_pid text, lane text, queued_at bigint)
      on conflict (id) do update set
        state = excluded.state, version = excluded.version, resumes = excluded.resumes, releases = excluded.releases, pid = excluded.pid, ttl = excluded.ttl,
        wake_at = case when excluded.state = 'pending' and t.state = 'pending' and excluded.queued_at is null and excluded.wake_at is null then t.wake_at else excluded.wake_at end,
        queued_at = case when excluded.state = 'pending' and t.state = 'pending' and excluded.queued_at is null and excluded.wake_at is null then t.queued_at else excluded.queued_at end,
        offered_pid = case when excluded.state = 'pending' and t.state = 'pending' and excluded.queued_at is null and excluded.wake_at is null then t.offered_pid end,
        since = case when excluded.state = t.state then t.since else excluded.since end;
  end if;
  if p_clear is not null then
    delete from :schema.broker_awaiter a where a.awaited = any(p_clear);
  end if;
  if p_forget is not null then
    delete from :schema.broker_awaiter a where a.awaiter = any(p_forget);
  end if;
  if p_await is not null then
    insert into :schema.broker_awaiter (awaited, awaiter) select r.awaited, r.awaiter from json_to_recordset(p_await) as r(awaited text, awaiter text) on conflict do nothing;
  end if;
  if p_unhear is not null then
    delete from :schema.broker_listener l where l.promise = any(p_unhear);
  end if;
  if p_hear is not null then
    insert into :schema.broker_listener (promise, address) select r.promise, r.address from json_to_recordset(p_hear) as r(promise text, address text) on conflict do nothing;
  end if;
  if p_unblock is not null then
    insert into :schema.broker_unblock (queue, promise, queued_at) select r.queue, r.promise, p_now from json_to_recordset(p_unblock) as r(queue text, promise text) on conflict do nothing;
  end if;
  if p_queues is null then return; end if;
  return query
    select q.queue, c.task_id, c.task_version, c.task_lane, c.stream_pid, c.given
    from json_to_recordset(p_queues) as q(queue text, after text, pids text[], credits int[], ttls bigint[], share int)
    cross join lateral :schema.broker_give(q.queue, q.after, q.pids, q.credits, q.ttls, q.share, p_now, p_offer_ms) c;
end $$;

-- Whether anything is due by the clock.
create or replace function :schema.broker_due(p_grace_ms bigint)
returns table (promises boolean, tasks boolean, streams boolean)
language plpgsql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  moment bigint := floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  return query select
    exists (select from :schema.broker_promise p where p.armed and p.settled_at is null and p.timeout_at <= moment),
    exists (select from :schema.broker_task t where t.wake_at <= moment),
    exists (select from :schema.broker_stream s where s.ended_at < moment - p_grace_ms);
end $$;
