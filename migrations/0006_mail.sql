-- expand

-- Mail that waits, and for some days that it was sent. What a mail says is sealed, because a link in it is a secret, and
-- goes when it is sent or given up. A worker that takes one moves next_at past the time in which it must have an answer,
-- so that no other one takes it; if the worker is lost, the mail is due again then.
create table :schema.mail (
  id         text collate "C" primary key,
  recipient  text not null,
  kind       text not null,
  language   text not null check (language in ('en', 'de')),
  -- By whom it was caused, if that is limited.
  caused_by  text,
  ciphertext bytea,
  iv         bytea,
  auth_tag   bytea,
  created_at timestamptz not null,
  -- Null once it is sent or given up.
  next_at    timestamptz,
  tries      integer not null default 0,
  sent_at    timestamptz,
  -- Why the last try failed, in words.
  failure    text,
  check ((next_at is null) = (ciphertext is null))
);
create index mail_due on :schema.mail (next_at) where next_at is not null;
create index mail_recipient on :schema.mail (recipient, created_at);
create index mail_caused on :schema.mail (caused_by, created_at) where caused_by is not null;
create index mail_created on :schema.mail (created_at);

-- The language of the app at the last sign-in: mail is written in it.
alter table :schema.identity_user add column language text check (language in ('en', 'de'));

-- In which month a cap was last warned of, and from which percentage on.
alter table :schema.spend_cap
  add column warned_month date,
  add column warned_percent smallint;
