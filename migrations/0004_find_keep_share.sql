-- expand
-- Finding, keeping and sharing chats.

-- Its body is in functions/threads.sql and is put in place in the same transaction.
create or replace function :schema.chat_search_write() returns trigger language plpgsql as $$
begin
  raise exception 'the function chat_search_write is not in place yet';
end $$;

-- What a message can be found by. A table of its own, because filling a new column of chat_message would rewrite that
-- table under a lock; rows of older messages are added in small batches by the web server. Message ids sort by time, and
-- a thread never changes its owner or workspace.
create table :schema.chat_message_search (
  message_id   text primary key references :schema.chat_message (id) on delete cascade,
  -- The organization and the person.
  owner        text not null,
  workspace_id text not null,
  -- The forms of its words, without positions, and its owner, so that the index alone finds what one person may see.
  words        tsvector not null
) with (toast_tuple_target = 128);
-- Searches read the other columns of many rows, and this one of few.
alter table :schema.chat_message_search alter column words set storage external;
create index chat_message_search_words on :schema.chat_message_search using gin (words) with (gin_pending_list_limit = 512);
create index chat_message_search_latest on :schema.chat_message_search (owner, message_id desc);
create trigger chat_search_write after insert or update of parts on :schema.chat_message
  for each row execute function :schema.chat_search_write();

alter table :schema.chat_thread add column pinned_at timestamptz;
alter table :schema.chat_thread add column archived_at timestamptz;
create trigger change_notice_kept after update of pinned_at, archived_at on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');

-- A conversation as it was when its owner shared it. Members of the workspace who have the link can read it: the id is
-- the link, so no list and no notice contains it.
create table :schema.chat_share (
  id              text primary key,
  thread_id       text not null unique references :schema.chat_thread (id) on delete cascade,
  organization_id text not null,
  workspace_id    text not null,
  -- The name of the person who shared it.
  shared_by       text not null,
  title           text not null,
  messages        int not null,
  created_at      timestamptz not null default now(),
  -- When the copy was made.
  updated_at      timestamptz not null default now()
);
create table :schema.chat_share_message (
  share_id   text not null references :schema.chat_share (id) on delete cascade,
  position   int not null,
  id         text not null,
  role       text not null check (role in ('user', 'assistant')),
  -- Without reasoning, costs and the credential that paid.
  parts      jsonb not null,
  model      text,
  created_at timestamptz not null,
  primary key (share_id, position)
);
create trigger change_notice after insert or update or delete on :schema.chat_share
  for each row execute function :schema.change_notice('organization_id', 'thread_id', 'workspace_id', '');

alter table :schema.org_policy add column disable_sharing boolean not null default false;
