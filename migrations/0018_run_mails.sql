-- expand

-- Whether a person gets a mail when a run that they started ends: by choice.
alter table :schema.identity_user add column run_mails boolean not null default false;

-- Runs that have ended and whose person is still to be told. A row is there for a minute.
create table :schema.run_mail (
  job_id     text collate "C" primary key references :schema.job (id) on delete cascade,
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  created_at timestamptz not null
);
create index run_mail_person on :schema.run_mail (user_id);
