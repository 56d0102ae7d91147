-- Conversations of the web app. A thread belongs to one person in one workspace; nobody else reads it.
create table :schema.chat_thread (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  user_id         text not null,
  title           text not null,
  -- Whether the title was made from the first message, by a model, or by the person; the last is never replaced.
  title_from      text not null default 'message' check (title_from in ('message', 'model', 'person')),
  messages        int not null default 0,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
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
create table :schema.chat_stream (
  thread_id  text primary key references :schema.chat_thread (id) on delete cascade,
  id         text not null unique,
  message_id text not null,
  state      text not null check (state in ('open', 'stopping', 'done')),
  alive_at   timestamptz not null default now()
);
create table :schema.chat_stream_chunk (
  stream_id text not null references :schema.chat_stream (id) on delete cascade,
  seq       int not null,
  data      text not null,
  primary key (stream_id, seq)
);

create table :schema.chat_attachment (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  user_id         text not null,
  name            text not null,
  type            text not null,
  size            int not null,
  content         bytea not null,
  created_at      timestamptz not null default now(),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_attachment_owner on :schema.chat_attachment (organization_id, user_id);

-- Pieces of a long text attachment and where they stand in meaning; plain arrays, searched by us.
create table :schema.chat_attachment_piece (
  attachment_id text not null references :schema.chat_attachment (id) on delete cascade,
  position      int not null,
  text          text not null,
  model         text not null,
  embedding     real[] not null,
  primary key (attachment_id, position)
);
