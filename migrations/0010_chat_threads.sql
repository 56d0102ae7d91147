-- Conversations of the web app. A thread belongs to one person in one workspace; nobody else reads it.
create table :schema.chat_thread (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  user_id         text not null,
  title           text not null,
  -- Whether the title was made from the first message, by a model, or by the person; the last is never replaced.
  title_from      text not null default 'message' check (title_from in ('message', 'model', 'person')),
  -- Whether the person picked the workspace, or the thread is in Default because they picked none.
  workspace_picked boolean not null default false,
  messages        int not null default 0,
  created_at      timestamptz not null default now(),
  -- To the millisecond, as cursors carry it.
  updated_at      timestamptz(3) not null default now(),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_thread_list on :schema.chat_thread (user_id, organization_id, updated_at desc, id desc);

create table :schema.chat_message (
  thread_id  text not null references :schema.chat_thread (id) on delete cascade,
  position   int not null,
  id         text not null unique,
  role       text not null check (role in ('user', 'assistant')),
  parts      jsonb not null,
  -- Of an answer: model, provider, credential, usage, cost, how it ended; of both: the tool switches of the turn.
  metadata   jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (thread_id, position)
);

-- An answer while it is being written, so that a reload, or another process, can follow it. One at a time a thread.
-- Its writer shows that it lives; what has not lived for a while is closed by whoever meets it.
create table :schema.chat_stream (
  thread_id      text primary key references :schema.chat_thread (id) on delete cascade,
  id             text not null unique,
  message_id     text not null,
  state          text not null check (state in ('open', 'stopping', 'done')),
  alive_at       timestamptz not null default now(),
  -- Whether anybody follows it besides the client that asked: only then is every batch announced.
  followed_until timestamptz not null default '-infinity'
);
create index chat_stream_age on :schema.chat_stream (alive_at);

-- A batch of the stream's chunks, one JSON text a line; `seq` counts chunks and is that of the first.
create table :schema.chat_stream_chunk (
  stream_id text not null references :schema.chat_stream (id) on delete cascade,
  seq       int not null,
  data      text not null,
  primary key (stream_id, seq)
);

-- A file that a person gave a conversation. It belongs to the first thread it is sent with, and goes with it.
create table :schema.chat_attachment (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  user_id         text not null,
  thread_id       text references :schema.chat_thread (id) on delete cascade,
  name            text not null,
  type            text not null,
  size            int not null,
  content         bytea not null,
  created_at      timestamptz not null default now(),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_attachment_owner on :schema.chat_attachment (organization_id, user_id);
create index chat_attachment_thread on :schema.chat_attachment (thread_id);
create index chat_attachment_unsent on :schema.chat_attachment (created_at) where thread_id is null;

-- Pieces of a long text attachment and where they stand in meaning: unit vectors, so that a product is a cosine.
create table :schema.chat_attachment_piece (
  attachment_id text not null references :schema.chat_attachment (id) on delete cascade,
  position      int not null,
  text          text not null,
  model         text not null,
  embedding     real[] not null,
  primary key (attachment_id, position)
);
