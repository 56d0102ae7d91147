-- expand
-- What receipts can be searched by, across streams: one row per receipt, written by a trigger in the same statement and
-- never read by verification. Nothing here is evidence; the receipts are.
create table :schema.receipt_entry (
  workspace_id text   collate "C" not null,
  -- ISO 8601 as in the receipt, which sorts as text.
  at           text   collate "C" not null,
  stream       text   collate "C" not null,
  idx          bigint not null,
  kind         text   collate "C" not null,
  -- Who did it: the actor, or for what a worker recorded the person who started the run.
  person       text   collate "C",
  app          text   collate "C",
  tool         text   collate "C",
  primary key (workspace_id, at, stream, idx)
);
-- Every index costs each append: kinds and tools are found by reading the workspace in order of time.
create index receipt_entry_person on :schema.receipt_entry (workspace_id, person, at) where person is not null;
create index receipt_entry_app on :schema.receipt_entry (workspace_id, app, at) where app is not null;

-- The body is in functions/receipts.sql and is put in place in the same transaction.
create function :schema.receipt_enter() returns trigger language plpgsql as $$
begin
  raise exception 'the function receipt_enter is not in place yet';
end $$;

create trigger receipt_enter after insert on :schema.receipt referencing new table as added
  for each statement execute function :schema.receipt_enter();

-- The receipts so far. The trigger above holds off appends until this transaction ends, so none is missed.
insert into :schema.receipt_entry (workspace_id, at, stream, idx, kind, person, app, tool)
select e.workspace_id, e.at, e.stream, e.idx, e.kind, e.person,
       case when e.kind <> 'job.progress' then e.provider when strpos(e.tool, '__') > 0 then nullif(split_part(split_part(e.tool, '__', 1), '--', 1), '') end,
       coalesce(nullif(split_part(e.tool, '__', 2), ''), e.tool)
from (
  select left(case when starts_with(r.stream, 'connect/') then substr(r.stream, 9) else nullif(split_part(split_part(f.body, '"workspace":"', 2), '"', 1), '') end, 200) as workspace_id,
         left(split_part(split_part(left(r.body, 400), '","at":"', 2), '"', 1), 40) as at,
         r.stream, r.idx, left(coalesce(r.kind, ''), 200) as kind,
         case when starts_with(r.body, '{"actor":"user:') then left(split_part(substr(r.body, 16), '"', 1), 200)
              when starts_with(f.body, '{"actor":"user:') then left(split_part(substr(f.body, 16), '"', 1), 200) end as person,
         case when r.kind in ('tool.called', 'tool.observed', 'tool.failed') then nullif(left(split_part(split_part(r.body, '"provider":"', 2), '"', 1), 200), '') end as provider,
         case when r.kind in ('tool.called', 'tool.observed', 'tool.failed', 'job.progress') then nullif(left(split_part(split_part(r.body, '"tool":"', 2), '"', 1), 200), '') end as tool
  from :schema.receipt r
  left join :schema.receipt f on f.stream = r.stream and f.idx = 0 and starts_with(r.stream, 'jobs/')
) e
where e.workspace_id is not null
on conflict do nothing;
