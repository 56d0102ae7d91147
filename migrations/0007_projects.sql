-- expand
-- Projects: instructions, files and a default model that the chats of a workspace share.

-- Everyone who sees the workspace sees its projects; its members change them.
create table :schema.project (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  name            text not null,
  description     text not null default '',
  instructions    text not null default '',
  -- The model that a new chat starts with; null for the person's own choice.
  model           text,
  created_by      text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create index project_workspace on :schema.project (organization_id, workspace_id, id desc);
create trigger change_notice after insert or update or delete on :schema.project
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', '');

create table :schema.project_file (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  project_id      text not null references :schema.project (id) on delete cascade,
  name            text not null,
  type            text not null,
  size            int not null,
  -- Who added it, and their name at that moment: the file stays when they leave.
  user_id         text not null,
  added_by        text not null,
  -- Until its text has been read it waits; `reason` says why it could not be read.
  state           text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  reason          text,
  -- A process that reads it takes it for a while; one that died is replaced, but not for ever.
  taken_until     timestamptz not null default '-infinity',
  tries           int not null default 0,
  created_at      timestamptz not null default now()
);
create index project_file_list on :schema.project_file (project_id, id desc);
create index project_file_waiting on :schema.project_file (taken_until) where state = 'waiting';
create trigger change_notice after insert or delete or update of state on :schema.project_file
  for each row execute function :schema.change_notice('organization_id', 'project_id', 'workspace_id', '');
-- However a file goes, its bytes come back. The body is in functions/storage.sql.
create function :schema.storage_give_project_files() returns trigger language plpgsql as $$
begin
  raise exception 'the function storage_give_project_files is not in place yet';
end $$;
create trigger storage_file_gone after delete on :schema.project_file referencing old table as gone
  for each statement execute function :schema.storage_give_project_files();

-- Apart from the row, which is read and announced without them.
create table :schema.project_file_content (
  file_id text primary key references :schema.project_file (id) on delete cascade,
  content bytea not null
);

-- A file's text in pieces. The embedding is a unit vector, and null until something pays for it.
create table :schema.project_piece (
  file_id    text not null references :schema.project_file (id) on delete cascade,
  position   int not null,
  project_id text not null,
  text       text not null,
  -- The forms of its words, and its project, so that the index alone finds what belongs to one project.
  words      tsvector not null,
  model      text,
  embedding  real[],
  primary key (file_id, position)
);
create index project_piece_words on :schema.project_piece using gin (words);
create index project_piece_project on :schema.project_piece (project_id);

-- A chat outlives its project.
alter table :schema.chat_thread add column project_id text references :schema.project (id) on delete set null;
create index chat_thread_project on :schema.chat_thread (project_id, user_id) where project_id is not null;
create trigger change_notice_moved after update of project_id on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
