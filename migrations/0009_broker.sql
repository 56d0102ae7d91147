-- The broker's durable promises and tasks. Times are milliseconds since the epoch, as the protocol has them. Ids
-- compare by byte, so that a root and all below it (`root`, `root:…`) are one range of the primary key.
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

-- Offers waiting tasks of one queue to streams with credit to spare, one tenant after the other, beginning behind
-- the tenant that was served last. Rows that another replica is offering or changing are left to it.
create function :schema.broker_claim(p_queue text, p_after text, p_pids text[], p_credits int[], p_now bigint, p_offer_ms bigint)
returns table (task_id text, task_version int, task_lane text, stream_pid text)
language plpgsql volatile set enable_seqscan = off as $$
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
