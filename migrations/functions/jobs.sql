-- Runs are inserted, begun and moved many at a time, each with its receipt. Plans are cached per connection, and one that
-- was made while a table was small would go on scanning it. So these functions turn everything but index access off.

-- Why a run may no longer go on; null while it may. A run outlives the expiry and the rotation of its
-- token, but not its revocation.
create or replace function :schema.run_lost_authority(p_organization text, p_workspace text, p_user text, p_token text, p_grant text) returns text
language sql stable as $$
  select case
    when p_user is null then null
    when exists (select from :schema.identity_user u where u.id = p_user and u.disabled_at is not null) then 'account_shut'
    when exists (select from :schema.organization o where o.id = p_organization and o.deleted_at is not null) then 'organization_deleted'
    when exists (select from :schema.organization o where o.id = p_organization and o.disabled_at is not null) then 'organization_paused'
    when exists (select from :schema.connect_token t where t.id = p_token and t.revoked_at is not null and t.replaced_by is null) then 'token_revoked'
    when p_grant is not null and not exists (select from :schema.oauth_grant g where g.id = p_grant and g.revoked_at is null) then 'grant_revoked'
    when not exists (select from :schema.acting_member m where m.organization_id = p_organization and m.user_id = p_user) then 'membership_removed'
    when not exists (
      select from :schema.member_workspace w
        where w.workspace_id = p_workspace and w.organization_id = p_organization and w.user_id = p_user and w.is_member
    ) then 'workspace_membership_removed'
  end
$$;

-- Inserts runs with their first receipts. If a person may have only so many queued, concurrent inserts for that person are
-- serialized, so that each counts after the previous one has committed. Returns the outcome of each: `inserted`, `taken`
-- (its key belongs to another run) or `full`.
create or replace function :schema.job_insert(p_jobs json) returns table (job_id text, outcome text)
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  person text;
begin
  for person in select distinct i.created_by from json_to_recordset(p_jobs) as i(created_by text, most_queued int) where i.most_queued is not null order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended('queued runs of ' || person, 0));
  end loop;
  return query with input as materialized (
    select * from json_to_recordset(p_jobs) as i(id text, organization_id text, workspace_id text, created_by text, kind text, task text, objective text, model text,
      capabilities text[], funding_workspace_id text, project_id text, idempotency_key text, request_hash bytea, at timestamptz, waiting_reason text,
      scopes text[], started_with text, token_id text, grant_id text, started_by text, continues text, environment text, deliver text, most_queued int, stream text, prev bytea, hash bytea, body text)
  ), fresh as materialized (
    select i.id, i.created_by, i.most_queued from input i
    where i.idempotency_key is null or (
      i.id = (select min(s.id) from input s where s.idempotency_key = i.idempotency_key and s.organization_id is not distinct from i.organization_id)
      and not exists (select from :schema.job j where coalesce(j.organization_id, '') = coalesce(i.organization_id, '') and j.idempotency_key = i.idempotency_key))
  ), placed as materialized (
    select f.id, f.most_queued, row_number() over (partition by f.created_by order by f.id) + q.queued as place
    from fresh f
    cross join lateral (select count(*) as queued from (select from :schema.job j where j.created_by = f.created_by and j.status = 'queued' limit f.most_queued) k) q
  ), admitted as materialized (
    select p.id from placed p where p.most_queued is null or p.place <= p.most_queued
  ), inserted as (
    insert into :schema.job as j (id, organization_id, workspace_id, created_by, kind, task, objective, model, capabilities, funding_workspace_id, project_id,
      idempotency_key, request_hash, status, created_at, head_idx, head_hash, waiting_reason, look_at, scopes, started_with, token_id, grant_id, started_by,
      continues, environment, deliver)
    select i.id, i.organization_id, i.workspace_id, i.created_by, i.kind, i.task, i.objective, i.model, i.capabilities, i.funding_workspace_id, i.project_id,
      i.idempotency_key, i.request_hash, 'queued', i.at, 0, i.hash, i.waiting_reason, case when i.waiting_reason is null then now() + interval '10 seconds' end,
      i.scopes, i.started_with, i.token_id, i.grant_id, i.started_by, i.continues, i.environment, i.deliver
    from input i join admitted a on a.id = i.id
    on conflict do nothing
    returning j.id
  ), appended as materialized (
    select count(*) as receipts
    from (
      select array_agg(i.stream) as streams, array_agg(0::bigint) as idxs, array_agg(i.prev) as prevs, array_agg(i.hash) as hashes, array_agg(i.body) as bodies
      from input i where i.id in (select n.id from inserted n)
    ) l
    cross join lateral :schema.receipt_append_to_runs(l.streams, l.idxs, l.prevs, l.hashes, l.bodies)
  )
  select i.id, case when n.id is not null then 'inserted' when f.id is not null and a.id is null then 'full' else 'taken' end
  from input i cross join appended left join inserted n on n.id = i.id left join fresh f on f.id = i.id left join admitted a on a.id = i.id;
end $$;

-- Begins runs that have not begun before: appends job.started after job.queued and moves the row. The chain is verified as
-- it is read. A run in any other state, without authority, or with a chain that does not verify is skipped; the slow path
-- finds out what is wrong with it.
create or replace function :schema.job_begin(p_begins json, p_look_seconds int) returns setof :schema.job
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query with wanted as materialized (
    select distinct on (b.id) b.id, b.at, b.body from json_to_recordset(p_begins) as b(id text, at timestamptz, body text) order by b.id
  ), locked as materialized (
    select j.id, j.head_hash, w.at, w.body, :schema.run_lost_authority(j.organization_id, j.workspace_id, j.created_by, j.token_id, j.grant_id) as lost
    from wanted w cross join lateral (
      select k.id, k.head_hash, k.organization_id, k.workspace_id, k.created_by, k.token_id, k.grant_id
      from :schema.job k where k.id = w.id and k.status = 'queued' and k.head_idx = 0 for update
    ) j
  ), verified as materialized (
    select l.id, l.at, l.body, l.head_hash from locked l cross join lateral :schema.receipt_only('jobs/' || l.id) r
    where l.lost is null and r.hash = l.head_hash and r.kind = 'job.queued'
  ), appended as materialized (
    select a.stream, a.hash
    from (
      select array_agg('jobs/' || v.id) as streams, array_agg(1::bigint) as idxs, array_agg(v.head_hash) as prevs, array_agg(v.body) as bodies
      from verified v
    ) l
    cross join lateral :schema.receipt_append_to_runs(l.streams, l.idxs, l.prevs, null, l.bodies) a
  )
  update :schema.job j set status = 'running', attempt = 1, started_at = v.at, head_idx = 1, head_hash = a.hash,
      waiting_reason = null, look_at = now() + make_interval(secs => p_look_seconds), changed_by = pg_current_xact_id()
    from verified v join appended a on a.stream = 'jobs/' || v.id where j.id = v.id
  returning j.*;
end $$;

-- Moves runs, each with its receipt, and returns the hashes of those that moved. A run is skipped if its head is not the
-- one that the caller saw, or if a receipt was added after its head by hand. A run is not completed while it has messages
-- that it has not read: their number is in its row, so a message that arrives at the same moment is counted or refused.
-- Who ended their run themselves gets no mail of it.
create or replace function :schema.job_move(p_moves json, p_look_seconds int) returns setof bytea
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query with wanted as materialized (
    select * from json_to_recordset(p_moves) as m(id text, stream text, idx bigint, prev bytea, hash bytea, body text, status text, attempt int,
      started_at timestamptz, ended_at timestamptz, result jsonb, error text, seen int) order by m.id, m.idx
  ), moved as (
    update :schema.job j
      set status = m.status, attempt = m.attempt, started_at = m.started_at, ended_at = m.ended_at, result = m.result, error = m.error,
          head_idx = m.idx, head_hash = m.hash, waiting_reason = null,
          messages_read = greatest(j.messages_read, m.seen),
          look_at = case when m.ended_at is null then now() + make_interval(secs => p_look_seconds) end, changed_by = pg_current_xact_id()
      from wanted m
      where j.id = m.id and j.head_idx = m.idx - 1 and j.head_hash = m.prev
        and exists (select from :schema.receipt_at(m.stream, m.idx - 1) r where r.hash = m.prev)
        and not exists (select from :schema.receipt_at(m.stream, m.idx))
        and (m.status <> 'completed' or j.messages <= greatest(j.messages_read, m.seen))
    returning m.stream, m.idx, m.prev, m.hash, m.body, j.id, j.organization_id, j.workspace_id, j.created_by, j.status, j.ended_at
  ), told as materialized (
    select count(:schema.announce_event(m.organization_id, m.workspace_id, 'run.' || m.status, jsonb_build_object('job', m.id, 'status', m.status)))
    from moved m where m.ended_at is not null and m.organization_id is not null
  ), mailed as (
    insert into :schema.run_mail (job_id, user_id, created_at)
    select m.id, u.id, now() from moved m join :schema.identity_user u on u.id = m.created_by and u.run_mails
    where m.ended_at is not null and m.body::json ->> 'actor' <> 'user:' || u.id
  )
  select a.hash
  from (
    select array_agg(m.stream) as streams, array_agg(m.idx) as idxs, array_agg(m.prev) as prevs, array_agg(m.hash) as hashes, array_agg(m.body) as bodies
    from moved m
  ) l
  cross join told
  cross join lateral :schema.receipt_append_to_runs(l.streams, l.idxs, l.prevs, l.hashes, l.bodies) a;
end $$;
