-- expand

-- Imports of chats from other services. The uploaded file is kept in pieces until the import has ended; what was taken
-- from it, and what was not, stays as the report.
create table :schema.chat_import (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  user_id         text not null,
  -- Whether the person picked the workspace; its chats then belong to it as if they had been started there.
  workspace_picked boolean not null,
  -- Whether projects of the export are made in the workspace, where its members see them.
  with_projects   boolean not null,
  -- Of the file.
  name            text not null,
  size            bigint not null,
  received        bigint not null default 0,
  state           text not null default 'uploading' check (state in ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled')),
  -- Why it failed: the code of an error.
  reason          text,
  -- Where the first conversation came from.
  source          text,
  -- How many conversations and projects of the file are decided. Each is decided in one transaction that counts it here, so
  -- that a process that takes over, or one that was only slow, decides none a second time.
  next            int not null default 0,
  -- Of what is read, 0 to 1.
  progress        real not null default 0,
  taken           int not null default 0,
  present         int not null default 0,
  left_out        int not null default 0,
  -- A process that works on it takes it for a while and extends that. `tries` counts from the last one that was decided.
  taken_until     timestamptz not null default '-infinity',
  tries           int not null default 0,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  ended_at        timestamptz,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_import_list on :schema.chat_import (organization_id, user_id, id desc);
-- One at a time.
create unique index chat_import_active on :schema.chat_import (user_id) where ended_at is null;
create index chat_import_work on :schema.chat_import (taken_until) where state in ('waiting', 'running');

create table :schema.chat_import_piece (
  import_id       text not null references :schema.chat_import (id) on delete cascade,
  position        int not null,
  organization_id text not null,
  size            int not null,
  content         bytea not null,
  primary key (import_id, position)
);
-- Archives are compressed already, and parts of a piece can be read without the rest only if it is not.
alter table :schema.chat_import_piece alter column content set storage external;

create table :schema.chat_import_item (
  import_id text not null references :schema.chat_import (id) on delete cascade,
  number    int not null,
  kind      text not null check (kind in ('chat', 'project')),
  outcome   text not null check (outcome in ('taken', 'present', 'left-out')),
  title     text not null,
  -- Of a chat; it may have been deleted since.
  thread_id text,
  reason    text,
  messages  int not null default 0,
  -- What of it was not taken, {"file-missing": 2}.
  notes     jsonb not null default '{}',
  primary key (import_id, number)
);
create index chat_import_item_outcome on :schema.chat_import_item (import_id, outcome, number);

-- Which chats came from where, so that none is taken twice.
create table :schema.chat_imported (
  organization_id text not null,
  user_id         text not null,
  source          text not null,
  source_id       text not null,
  thread_id       text not null unique references :schema.chat_thread (id) on delete cascade,
  primary key (organization_id, user_id, source, source_id)
);

create function :schema.storage_give_import_pieces() returns trigger language plpgsql as $$
begin
  raise exception 'the function storage_give_import_pieces is not in place yet';
end $$;
create trigger storage_give after delete on :schema.chat_import_piece referencing old table as gone
  for each statement execute function :schema.storage_give_import_pieces();
create trigger change_notice after insert or delete or update of state on :schema.chat_import
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
