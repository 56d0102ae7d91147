-- expand

-- What people prove themselves with beside a password. A copy of the database opens nothing: a passkey's key is public,
-- the secret of one-time codes is sealed under a key that is not in the database, and recovery codes are digests.
create table :schema.identity_passkey (
  id            text primary key,
  user_id       text not null references :schema.identity_user (id) on delete cascade,
  name          text not null,
  credential_id text not null unique,
  public_key    bytea not null,
  -- As the authenticator counts; 0 for those that do not.
  counter       bigint not null,
  transports    text[] not null,
  -- Whether it is kept in several places, so that a lost device does not lose it.
  backed_up     boolean not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index identity_passkey_user on :schema.identity_passkey (user_id, id);

-- It counts once a code has confirmed it. Each time step is accepted once: `last_step` only grows.
create table :schema.identity_one_time_code (
  user_id      text primary key references :schema.identity_user (id) on delete cascade,
  ciphertext   bytea not null,
  iv           bytea not null,
  auth_tag     bytea not null,
  last_step    bigint not null default 0,
  created_at   timestamptz not null,
  confirmed_at timestamptz
);

create table :schema.identity_recovery_code (
  digest  text primary key check (digest like 'sha256:%'),
  user_id text not null references :schema.identity_user (id) on delete cascade
);
create index identity_recovery_code_user on :schema.identity_recovery_code (user_id);

-- Questions that a browser has to answer once and soon: sign a challenge with a passkey, or give a second factor.
create table :schema.identity_challenge (
  digest     text primary key check (digest like 'sha256:%'),
  kind       text not null check (kind in ('new-passkey', 'passkey-sign-in', 'passkey-proof', 'second-factor')),
  -- Nobody yet where a passkey says who it is.
  user_id    text references :schema.identity_user (id) on delete cascade,
  -- Whether the session that it leads to outlives the browser.
  remember   boolean not null,
  tries      int not null default 0,
  expires_at timestamptz not null
);
create index identity_challenge_user on :schema.identity_challenge (user_id);
create index identity_challenge_expires on :schema.identity_challenge (expires_at);

-- When it was last used, written now and then.
alter table :schema.identity_session add column seen_at timestamptz;
-- Of an approved device: the session that approved it, whose strength the device's session gets.
alter table :schema.identity_device_code add column session_id text references :schema.identity_session (id) on delete cascade;
create index identity_device_code_session on :schema.identity_device_code (session_id);

alter table :schema.org_policy add column require_second_factor boolean not null default false;
create index org_policy_second_factor on :schema.org_policy (organization_id) where require_second_factor;

-- Which of a person's organizations only a session with a second factor opens.
create view :schema.second_factor_demand as
  select m.user_id, m.organization_id from :schema.org_policy p
    join :schema.acting_member m on m.organization_id = p.organization_id where p.require_second_factor;

-- The organization of what a path names by its id alone.
create view :schema.place_of_id as
  select 'thread' as kind, id, organization_id from :schema.chat_thread
  union all select 'share', id, organization_id from :schema.chat_share
  union all select 'attachment', id, organization_id from :schema.chat_attachment
  union all select 'project', id, organization_id from :schema.project
  union all select 'prompt', id, organization_id from :schema.prompt
  union all select 'import', id, organization_id from :schema.chat_import
  union all select 'token', id, organization_id from :schema.connect_token;
