-- The same functions, set by set instead of row by row: a group of runs or steps costs little more than one. Rows are
-- still locked in the order of their keys, because the input is sorted and the planner is left nested loops only.

create or replace function :schema.job_begin(p_begins json, p_look_seconds int) returns setof :schema.job
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query with wanted as materialized (
    select distinct on (b.id) b.id, b.at, b.body from json_to_recordset(p_begins) as b(id text, at timestamptz, body text) order by b.id
  ), locked as materialized (
    select j.id, j.head_hash, w.at, w.body from wanted w cross join lateral (
      select k.id, k.head_hash from :schema.job k where k.id = w.id and k.status = 'queued' and k.head_idx = 0 for update
    ) j
  ), verified as materialized (
    select l.id, l.at, l.body, l.head_hash, sha256(l.head_hash || convert_to(l.body, 'UTF8')) as hash
    from locked l
    cross join lateral (select r.prev, r.hash, r.body from :schema.receipt r where r.stream = 'jobs/' || l.id and r.idx = 0 offset 0) r
    cross join lateral (select count(*) as receipts from (select from :schema.receipt k where k.stream = 'jobs/' || l.id limit 2) k) n
    cross join lateral (select count(*) as strange from (select from :schema.receipt_checkpoint_head h where h.stream = 'jobs/' || l.id and (h.idx <> 0 or h.hash <> l.head_hash) limit 1) h) c
    where r.prev = :schema.receipt_genesis('jobs/' || l.id) and r.hash = sha256(r.prev || convert_to(r.body, 'UTF8')) and r.hash = l.head_hash
      and r.body like '%"kind":"job.queued"}' and n.receipts = 1 and c.strange = 0
  ), appended as (
    insert into :schema.receipt (stream, idx, prev, hash, body) select 'jobs/' || v.id, 1, v.head_hash, v.hash, v.body from verified v
  )
  update :schema.job j set status = 'running', attempt = 1, started_at = v.at, head_idx = 1, head_hash = v.hash,
      waiting_reason = null, look_at = now() + make_interval(secs => p_look_seconds), changed_by = pg_current_xact_id()
    from verified v where j.id = v.id
  returning j.*;
end $$;

create or replace function :schema.job_move(p_moves json, p_look_seconds int) returns setof bytea
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query with wanted as materialized (
    select * from json_to_recordset(p_moves) as m(id text, stream text, idx bigint, prev bytea, hash bytea, body text, status text, attempt int,
      started_at timestamptz, ended_at timestamptz, result jsonb, error text) order by m.id, m.idx
  ), moved as (
    update :schema.job j
      set status = m.status, attempt = m.attempt, started_at = m.started_at, ended_at = m.ended_at, result = m.result, error = m.error,
          head_idx = m.idx, head_hash = m.hash, waiting_reason = null,
          look_at = case when m.ended_at is null then now() + make_interval(secs => p_look_seconds) end, changed_by = pg_current_xact_id()
      from wanted m
      where j.id = m.id and j.head_idx = m.idx - 1 and j.head_hash = m.prev
        and exists (select from :schema.receipt r where r.stream = m.stream and r.idx = m.idx - 1 and r.hash = m.prev)
    returning m.stream, m.idx, m.prev, m.hash, m.body
  )
  insert into :schema.receipt (stream, idx, prev, hash, body) select m.stream, m.idx, m.prev, m.hash, m.body from moved m returning receipt.hash;
end $$;

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
  -- New origins and known ones, each as far as nobody else was faster.
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
    from json_to_recordset(p_queues) as q(queue text, after text, pids text[], credits int[], ttls bigint[])
    cross join lateral :schema.broker_give(q.queue, q.after, q.pids, q.credits, q.ttls, p_now, p_offer_ms) c;
end $$;
