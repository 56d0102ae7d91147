-- The chain of receipts; docs/verify-receipts.md explains how to verify a stream by hand. Other parts of the service read
-- and append through these functions. The read-only ones in plain SQL are inlined into the calling statement, so they cost
-- nothing and use the caller's plan.

-- The hash that the first receipt of a stream links to.
create or replace function :schema.receipt_genesis(stream text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to('receipt-stream/v1', 'UTF8') || '\x00'::bytea || convert_to(stream, 'UTF8'));

create or replace function :schema.receipt_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'receipts are append-only and hash-chained: % refused', tg_op using errcode = 'integrity_constraint_violation';
end $$;

-- Appends receipts of runs. The caller holds the rows of the runs, which record the heads of their streams, so no head is
-- recorded here. A null hash is computed; a given one is checked by the trigger.
create or replace function :schema.receipt_append_to_runs(p_stream text[], p_idx bigint[], p_prev bytea[], p_hash bytea[], p_body text[])
returns table (stream text, hash bytea)
language plpgsql volatile as $$
#variable_conflict use_column
begin
  return query insert into :schema.receipt as r (stream, idx, prev, hash, body)
    select u.stream, u.idx, u.prev, coalesce(u.hash, sha256(u.prev || convert_to(u.body, 'UTF8'))), u.body
    from unnest(p_stream, p_idx, p_prev, p_hash, p_body) as u (stream, idx, prev, hash, body)
    returning r.stream, r.hash;
end $$;

-- The only receipt of a stream, if it has exactly one, it verifies, and no checkpoint recorded another head.
create or replace function :schema.receipt_only(p_stream text) returns table (hash bytea, kind text)
language sql stable as $$
  select r.hash, r.kind
  from (select k.prev, k.hash, k.body, k.kind from :schema.receipt k where k.stream = p_stream and k.idx = 0 offset 0) r
  cross join lateral (select count(*) as receipts from (select from :schema.receipt k where k.stream = p_stream limit 2) k) n
  cross join lateral (select count(*) as strange from (select from :schema.receipt_checkpoint_head h where h.stream = p_stream and (h.idx <> 0 or h.hash <> r.hash) limit 1) h) c
  where r.prev = :schema.receipt_genesis(p_stream) and r.hash = sha256(r.prev || convert_to(r.body, 'UTF8')) and n.receipts = 1 and c.strange = 0
$$;

-- The receipt at an index of a stream.
create or replace function :schema.receipt_at(p_stream text, p_idx bigint) returns table (hash bytea)
language sql stable as $$
  select r.hash from :schema.receipt r where r.stream = p_stream and r.idx = p_idx
$$;

-- The last receipt of a stream.
create or replace function :schema.receipt_last(p_stream text) returns table (idx bigint, hash bytea)
language sql stable as $$
  select r.idx, r.hash from :schema.receipt r where r.stream = p_stream order by r.idx desc limit 1
$$;

-- The heads that appends and checkpoints recorded; their receipts may be gone since.
create or replace function :schema.receipt_noted_heads() returns table (stream text, idx bigint, hash bytea)
language sql stable as $$
  select n.stream, n.idx, n.hash from :schema.receipt_head n union all select c.stream, c.idx, c.hash from :schema.receipt_checkpoint_head c
$$;

-- The same for one stream.
create or replace function :schema.receipt_noted(p_stream text) returns table (idx bigint, hash bytea)
language sql stable as $$
  select n.idx, n.hash from :schema.receipt_head n where n.stream = p_stream
  union all select c.idx, c.hash from :schema.receipt_checkpoint_head c where c.stream = p_stream
$$;

-- A stored receipt.
create or replace function :schema.receipt_stored(p_stream text, p_idx bigint) returns table (prev bytea, hash bytea, body text)
language sql stable as $$
  select r.prev, r.hash, r.body from :schema.receipt r where r.stream = p_stream and r.idx = p_idx
$$;

-- Enters appended receipts into the table that searches read. The workspace is in the stream's name, or, for a run, in its
-- first receipt, which also names the person who started it. The text is cut, not parsed: in canonical JSON a quote inside
-- a string is escaped, so a key with its quotes occurs only as a key, and no text can make an append fail. Regular
-- expressions would cost more than the append itself.
create or replace function :schema.receipt_enter() returns trigger
language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into :schema.receipt_entry (workspace_id, at, stream, idx, kind, person, app, tool)
  select e.workspace_id, e.at, e.stream, e.idx, e.kind, e.person,
         case when e.kind <> 'job.progress' then e.provider when strpos(e.tool, '__') > 0 then nullif(split_part(split_part(e.tool, '__', 1), '--', 1), '') end,
         coalesce(nullif(split_part(e.tool, '__', 2), ''), e.tool)
  from (
    select left(case when starts_with(n.stream, 'connect/') then substr(n.stream, 9) else nullif(split_part(split_part(f.body, '"workspace":"', 2), '"', 1), '') end, 200) as workspace_id,
           left(split_part(split_part(left(n.body, 400), '","at":"', 2), '"', 1), 40) as at,
           n.stream, n.idx, left(coalesce(n.kind, ''), 200) as kind,
           case when starts_with(n.body, '{"actor":"user:') then left(split_part(substr(n.body, 16), '"', 1), 200)
                when starts_with(f.body, '{"actor":"user:') then left(split_part(substr(f.body, 16), '"', 1), 200) end as person,
           case when n.kind in ('tool.called', 'tool.observed', 'tool.failed') then nullif(left(split_part(split_part(n.body, '"provider":"', 2), '"', 1), 200), '') end as provider,
           case when n.kind in ('tool.called', 'tool.observed', 'tool.failed', 'job.progress') then nullif(left(split_part(split_part(n.body, '"tool":"', 2), '"', 1), 200), '') end as tool
    from added n
    left join lateral (
      select r.body from :schema.receipt r where r.stream = n.stream and r.idx = 0 and starts_with(n.stream, 'jobs/') limit 1
    ) f on true
  ) e
  where e.workspace_id is not null
  on conflict do nothing;
  return null;
end $$;
