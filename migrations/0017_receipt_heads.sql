-- The head of every stream that is not a run's, noted by the statement that appends; a run's row has its own. A tail
-- that is cut, or a stream that is dropped, shows at once and not only at the next checkpoint.
create table :schema.receipt_head (
  stream text   collate "C" primary key,
  idx    bigint not null,
  hash   bytea  not null
) with (fillfactor = 50);

with recursive s as (
  (select stream from :schema.receipt where stream >= 'connect/' order by stream limit 1)
  union all
  select (select r.stream from :schema.receipt r where r.stream > s.stream order by r.stream limit 1) from s where s.stream < 'connect0'
)
insert into :schema.receipt_head (stream, idx, hash)
select s.stream, h.idx, h.hash from s
cross join lateral (select idx, hash from :schema.receipt r where r.stream = s.stream order by idx desc limit 1) h
where s.stream >= 'connect/' and s.stream < 'connect0';

-- The same functions as before, with two rules more: a run that is begun says nothing any more of what held it, and a
-- receipt that somebody put behind the head by hand stops the run instead of the statement.
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
      error = null, waiting_reason = null, look_at = now() + make_interval(secs => p_look_seconds), changed_by = pg_current_xact_id()
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
        and not exists (select from :schema.receipt r where r.stream = m.stream and r.idx = m.idx)
    returning m.stream, m.idx, m.prev, m.hash, m.body
  )
  insert into :schema.receipt (stream, idx, prev, hash, body) select m.stream, m.idx, m.prev, m.hash, m.body from moved m returning receipt.hash;
end $$;
