-- expand
-- Projects that are shared with their workspace or kept by one person, ratings of answers, and the project of a run.

-- Who else may use or change a project. The default is what every project was before there was a choice: its workspace
-- changes it.
alter table :schema.project add column sharing text not null default 'edit' check (sharing in ('private', 'use', 'edit'));
-- Who took it over after the person who started it had left; null while that person manages it.
alter table :schema.project add column managed_by text;

-- The project whose chat started the run. No foreign key: the record outlives what it names.
alter table :schema.job add column project_id text;

-- A person's rating of an answer in a chat of theirs. It goes with the answer, the chat and the person. A message moves
-- between chat_message and chat_message_version, so its deletion is followed by the statement that deletes it.
create table :schema.chat_feedback (
  id              text primary key,
  message_id      text not null unique,
  thread_id       text not null references :schema.chat_thread (id) on delete cascade,
  organization_id text not null,
  workspace_id    text not null,
  user_id         text not null,
  -- The project that the chat was in at that moment. No foreign key: the rating outlives it.
  project_id      text,
  rating          text not null check (rating in ('up', 'down')),
  reason          text not null default '',
  model           text not null,
  served          text not null default '',
  -- The question and the answer, only if the person chose to show them to owners and admins.
  question        text,
  answer          text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_feedback_list on :schema.chat_feedback (organization_id, id desc);
create index chat_feedback_thread on :schema.chat_feedback (thread_id, message_id);
create index chat_feedback_person on :schema.chat_feedback (organization_id, user_id);
