-- expand

-- How a session began, and when the person last proved who they are: what cannot be undone asks for a fresh proof.
-- Sessions of an OpenID provider are found by its names for them when it ends them.
alter table :schema.identity_session
  add column method text not null default 'password' check (method in ('password', 'passkey', 'openid')),
  add column second_factor boolean not null default false,
  add column proved_at timestamptz not null default now(),
  add column issuer text,
  add column subject text,
  add column provider_session text;
create index identity_session_provider on :schema.identity_session (issuer, subject) where issuer is not null;

-- Links that work once: a new password, a proof of an address. Only their digest is here.
create table :schema.identity_link (
  digest     text primary key check (digest like 'sha256:%'),
  kind       text not null check (kind in ('reset-password', 'prove-address')),
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  -- The address that the link was sent to, or is to prove.
  email      text not null,
  expires_at timestamptz not null
);
create index identity_link_user on :schema.identity_link (user_id, kind);
create index identity_link_expires on :schema.identity_link (expires_at);
