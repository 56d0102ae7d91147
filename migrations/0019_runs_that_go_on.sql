-- expand

-- What a run continues: the run whose conversation and files it begins with. The environment that it works in, and how
-- its commits are delivered.
alter table :schema.job
  add column continues   text,
  add column environment text,
  add column deliver     text check (deliver in ('branch', 'pull-request')),
  -- How many messages the run was sent, and how many of them it has read.
  add column messages      int not null default 0,
  add column messages_read int not null default 0;
create index job_continues on :schema.job (continues) where continues is not null;

-- What people say to a run while it works. The run reads it before its next step, and does not complete before it has
-- read all of it.
create table :schema.run_message (
  job_id     text collate "C" not null references :schema.job (id) on delete cascade,
  number     int not null check (number > 0),
  id         text not null,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (job_id, number)
);
create index run_message_person on :schema.run_message (created_by);
