-- expand
-- A conversation is a tree: editing a question or trying an answer again starts another branch. `chat_message` has the
-- branch that the thread shows, by position, as it always had: the parent of a message there is the one before it, and
-- a build that knows no versions reads and writes it as before. What is not shown is here, with its parent.
create table :schema.chat_message_version (
  thread_id  text not null references :schema.chat_thread (id) on delete cascade,
  id         text primary key,
  -- The message that it follows, here or in `chat_message`; empty for the first of a thread.
  parent_id  text not null,
  role       text not null check (role in ('user', 'assistant')),
  parts      jsonb not null,
  metadata   jsonb not null default '{}',
  created_at timestamptz not null,
  -- When it was last shown: of several that follow a message, the latest is the one to go back to.
  shown_at   timestamptz not null default clock_timestamp()
);
create index chat_message_version_parent on :schema.chat_message_version (thread_id, parent_id, shown_at desc, id desc);
