-- The broker's durable promises and tasks. Times are milliseconds since the epoch, as the protocol has them. Ids
-- compare by byte, so that a root and all below it (`root`, `root:…`) are one range of the primary key.
--
-- A step reads what it needs in one statement and writes what it changes in another; the revision of an origin,
-- which every write raises, tells whether somebody else has written in between.
create table :schema.broker_origin (
  origin text collate "C" primary key,
  revision bigint not null
);

create table :schema.broker_promise (
  id text collate "C" primary key,
  state text not null check (state in ('pending', 'resolved', 'rejected', 'rejected_canceled', 'rejected_timedout')),
  param text not null,
  value text not null,
  tags text not null,
  timeout_at bigint not null,
  created_at bigint not null,
  settled_at bigint,
  -- The task whose replay asks for this promise first.
  owner text collate "C",
  -- Whether the deadline fires by itself.
  armed boolean not null,
  ends_at bigint not null generated always as (coalesce(settled_at, timeout_at)) stored,
  check ((state = 'pending') = (settled_at is null))
);
create index broker_promise_owner on :schema.broker_promise (owner) where owner is not null;
create index broker_promise_due on :schema.broker_promise (timeout_at) where armed and settled_at is null;
create index broker_promise_ended on :schema.broker_promise (ends_at);

-- One task for each promise that names a target. While pending it is in exactly one of three places: in its queue
-- (queued_at), offered to a stream (offered_pid), or waiting for a time (wake_at). A timer's task is in none.
create table :schema.broker_task (
  id text collate "C" primary key,
  state text not null check (state in ('pending', 'acquired', 'suspended', 'halted', 'fulfilled')),
  version int not null,
  resumes text not null,
  releases int not null,
  pid text,
  ttl bigint,
  -- Lease while acquired, end of an offer or of a pause while pending.
  wake_at bigint,
  queue text not null,
  prefer_pid text,
  -- Tenants take turns within a queue; never empty, so that the empty text stands before all of them.
  lane text collate "C" not null check (lane <> ''),
  queued_at bigint,
  offered_pid text,
  since bigint not null,
  -- Who the task counts against.
  holder text generated always as (coalesce(pid, offered_pid)) stored,
  check (state = 'pending' or (queued_at is null and offered_pid is null)),
  check ((state = 'acquired') = (pid is not null)),
  check (queued_at is null or offered_pid is null)
);
create index broker_task_queue on :schema.broker_task (queue, lane, queued_at) where queued_at is not null;
create index broker_task_holder on :schema.broker_task (holder) where holder is not null;
create index broker_task_wake on :schema.broker_task (wake_at) where wake_at is not null;
create index broker_task_waiting on :schema.broker_task (queue, state, since) where state in ('pending', 'halted');

create table :schema.broker_awaiter (
  awaited text collate "C" not null,
  awaiter text collate "C" not null,
  primary key (awaited, awaiter)
);
create index broker_awaiter_awaiter on :schema.broker_awaiter (awaiter);

create table :schema.broker_listener (
  promise text collate "C" not null,
  address text collate "C" not null,
  primary key (promise, address)
);

-- Messages to listeners whose stream another replica holds, or nobody yet.
create table :schema.broker_unblock (
  queue text not null,
  promise text collate "C" not null,
  queued_at bigint not null,
  primary key (queue, promise)
);
create index broker_unblock_queued on :schema.broker_unblock (queued_at);

create table :schema.broker_replica (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null
);

-- Open poll streams, and those that ended a moment ago.
create table :schema.broker_stream (
  id text primary key,
  replica text not null,
  task_group text not null,
  pid text not null,
  credit int not null,
  -- Whether being connected keeps the leases of its process; otherwise heartbeats do.
  keeps_leases boolean not null,
  connected_at bigint not null,
  ended_at bigint
);
create index broker_stream_pid on :schema.broker_stream (pid);
create index broker_stream_ended on :schema.broker_stream (ended_at) where ended_at is not null;

-- Plans are kept per connection, and one that was made while a table was small would go on reading all of it. The
-- functions below therefore leave the planner no way but through the indexes.

-- Offers waiting tasks of one queue to streams with credit to spare, one tenant after the other, beginning behind
-- the tenant that was served last. Rows that another replica is offering or changing are left to it.
create function :schema.broker_claim(p_queue text, p_after text, p_pids text[], p_credits int[], p_now bigint, p_offer_ms bigint)
returns table (task_id text, task_version int, task_lane text, stream_pid text)
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  free int[];
  total int := 0;
  held int;
  chosen int;
  after text := p_after;
  whole_lap boolean := false;
  found_one boolean := true;
  task record;
begin
  for i in 1 .. coalesce(array_length(p_pids, 1), 0) loop
    select count(*) into held from :schema.broker_task t where t.holder = p_pids[i];
    free[i] := greatest(p_credits[i] - held, 0);
    total := total + free[i];
  end loop;
  while total > 0 loop
    select t.id, t.version, t.lane, t.prefer_pid into task from :schema.broker_task t
      where t.queue = p_queue and t.queued_at is not null and t.lane > after
      order by t.lane, t.queued_at limit 1 for update skip locked;
    if not found then
      exit when whole_lap and not found_one;
      after := '';
      whole_lap := true;
      found_one := false;
      continue;
    end if;
    found_one := true;
    after := task.lane;
    chosen := 1;
    for i in 1 .. array_length(p_pids, 1) loop
      if free[i] > free[chosen] then chosen := i; end if;
    end loop;
    for i in 1 .. array_length(p_pids, 1) loop
      if p_pids[i] = task.prefer_pid and free[i] > 0 then chosen := i; end if;
    end loop;
    free[chosen] := free[chosen] - 1;
    total := total - 1;
    update :schema.broker_task t set queued_at = null, offered_pid = p_pids[chosen], wake_at = p_now + p_offer_ms where t.id = task.id;
    task_id := task.id;
    task_version := task.version;
    task_lane := task.lane;
    stream_pid := p_pids[chosen];
    return next;
  end loop;
end $$;

-- Everything that steps may look at, as of one moment: the promises they name with tasks, awaiters and listeners;
-- the tasks that would be resumed, where a named promise will settle or is past its deadline; what the replay of a
-- task will ask for.
create function :schema.broker_load(p_ids text[], p_settling text[], p_owners text[], p_origins text[], p_now bigint)
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

-- Writes what steps have changed, provided that no origin has a newer revision than they had read, and offers
-- waiting tasks of the given queues. A pending task that comes without a place in the queue and without a time
-- keeps both: it was only given another resume while it is queued or offered. Null stands for nothing to write.
-- What need not be durable is not waited for: a crash of the server may undo it, together with all that came after.
create function :schema.broker_save(
  p_revisions json, p_created json, p_settled json, p_tasks json, p_clear text[], p_forget text[], p_await json,
  p_unhear text[], p_hear json, p_unblock json, p_queues json, p_now bigint, p_offer_ms bigint, p_durable boolean)
returns table (queue text, id text, version int, lane text, pid text)
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  read record;
begin
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  for read in select r.origin, r.revision from json_to_recordset(p_revisions) as r(origin text, revision bigint) order by r.origin collate "C" loop
    if read.revision = 0 then
      insert into :schema.broker_origin as o (origin, revision) values (read.origin, 1) on conflict do nothing;
    else
      update :schema.broker_origin o set revision = o.revision + 1 where o.origin = read.origin and o.revision = read.revision;
    end if;
    if not found then raise exception 'origin changed' using errcode = '40001'; end if;
  end loop;
  if p_created is not null then
    insert into :schema.broker_promise (id, state, param, value, tags, timeout_at, created_at, settled_at, owner, armed)
      select r.id, r.state, r.param, r.value, r.tags, r.timeout_at, r.created_at, r.settled_at, r.owner, r.armed
      from json_to_recordset(p_created) as r(id text, state text, param text, value text, tags text, timeout_at bigint, created_at bigint, settled_at bigint, owner text, armed boolean);
  end if;
  if p_settled is not null then
    for read in select r.id, r.state, r.value, r.settled_at from json_to_recordset(p_settled) as r(id text, state text, value text, settled_at bigint) loop
      update :schema.broker_promise p set state = read.state, value = read.value, settled_at = read.settled_at where p.id = read.id;
    end loop;
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
    select q.queue, c.task_id, c.task_version, c.task_lane, c.stream_pid
    from json_to_recordset(p_queues) as q(queue text, after text, pids text[], credits int[])
    cross join lateral :schema.broker_claim(q.queue, q.after, q.pids, q.credits, p_now, p_offer_ms) c;
end $$;

-- Whether anything is due by the clock, in one look.
create function :schema.broker_due(p_grace_ms bigint)
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
