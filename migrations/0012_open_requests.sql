-- expand
-- Every admitted request has an open row until it ends: one on platform credit with the amount that it holds, one on an
-- own key or Models account with none. It names its process, so that those of a lost one are closed within a minute.

alter table :schema.chat_hold add column process_id text collate "C" not null default '';
alter table :schema.chat_hold add column credential text not null default 'platform';

-- The holds of one process, those that expire first at the front; '' for builds that name no process. The processes
-- themselves are found by skipping from one to the next.
create index chat_hold_process on :schema.chat_hold (process_id, expires_at);
drop index :schema.chat_hold_expiry;

-- Since when the process has been seen without a gap. Only one that has been there for a while can tell who is lost: after
-- a restart of the server nobody has been seen lately, or, since the table is unlogged, nobody is in it.
alter table :schema.process add column present_since timestamptz not null default now();
