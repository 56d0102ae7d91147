-- People: who they are and how they prove it. The identity library reads and writes these tables through column
-- names mapped in src/identity/create-auth.ts; what a person may do lives in the tenancy tables.

create table :schema.identity_user (
  id             text primary key,
  name           text not null,
  email          text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image          text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

create table :schema.identity_session (
  id         text primary key,
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index identity_session_user on :schema.identity_session (user_id);
create index identity_session_expiry on :schema.identity_session (expires_at);

create table :schema.identity_account (
  id                       text primary key,
  user_id                  text not null references :schema.identity_user (id) on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index identity_account_user on :schema.identity_account (user_id);

create table :schema.identity_verification (
  id         text primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index identity_verification_identifier on :schema.identity_verification (identifier);
create index identity_verification_expiry on :schema.identity_verification (expires_at);

-- Device flow (RFC 8628): a row lives until it is redeemed, denied or expired.
create table :schema.identity_device_code (
  id               text primary key,
  device_code      text not null unique,
  user_code        text not null unique,
  user_id          text references :schema.identity_user (id) on delete cascade,
  client_id        text,
  scope            text,
  status           text not null check (status in ('pending', 'approved', 'denied')),
  polling_interval integer,
  last_polled_at   timestamptz,
  expires_at       timestamptz not null
);
create index identity_device_code_user on :schema.identity_device_code (user_id);
create index identity_device_code_expiry on :schema.identity_device_code (expires_at);

-- OAuth 2.1 for MCP clients. Every secret (request handle excepted, which only names a row) is kept as its SHA-256.

-- Clients that registered themselves (RFC 7591). Clients named by a metadata document have no row.
create table :schema.oauth_client (
  id               text primary key,
  name             text not null,
  uri              text,
  application_type text not null check (application_type in ('native', 'web')),
  redirect_uris    text[] not null,
  grant_types      text[] not null,
  created_at       timestamptz not null,
  used_at          timestamptz not null
);
create index oauth_client_used on :schema.oauth_client (used_at);

-- One visit to the authorize endpoint, until it is answered or expires. It belongs to the first person who looks.
create table :schema.oauth_request (
  id             text primary key,
  client_id      text not null,
  client_name    text not null,
  client_uri     text,
  redirect_uri   text not null,
  state          text,
  scopes         text[] not null,
  offline        boolean not null,
  code_challenge text not null,
  user_id        text references :schema.identity_user (id) on delete cascade,
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);
create index oauth_request_user on :schema.oauth_request (user_id);
create index oauth_request_expiry on :schema.oauth_request (expires_at);

-- What a person allowed a client to do, in which organization: the family of every token that came of it.
-- token_id is the newest connect token of the family, so that ending the grant ends it too.
create table :schema.oauth_grant (
  id              text primary key,
  user_id         text not null references :schema.identity_user (id) on delete cascade,
  client_id       text not null,
  client_name     text not null,
  organization_id text not null,
  workspace_id    text,
  scopes          text[] not null,
  offline         boolean not null,
  token_id        text,
  created_at      timestamptz not null,
  used_at         timestamptz not null,
  revoked_at      timestamptz
);
create index oauth_grant_user on :schema.oauth_grant (user_id, id);
create index oauth_grant_token on :schema.oauth_grant (token_id);
create index oauth_grant_used on :schema.oauth_grant (used_at);

create table :schema.oauth_code (
  hash           bytea primary key,
  grant_id       text not null references :schema.oauth_grant (id) on delete cascade,
  client_id      text not null,
  redirect_uri   text not null,
  code_challenge text not null,
  expires_at     timestamptz not null,
  used_at        timestamptz
);
create index oauth_code_grant on :schema.oauth_code (grant_id);
create index oauth_code_expiry on :schema.oauth_code (expires_at);

-- Rotating: a token that was used once stays until it expires, so that a second use shows.
create table :schema.oauth_refresh_token (
  hash       bytea primary key,
  grant_id   text not null references :schema.oauth_grant (id) on delete cascade,
  client_id  text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index oauth_refresh_token_grant on :schema.oauth_refresh_token (grant_id);
create index oauth_refresh_token_expiry on :schema.oauth_refresh_token (expires_at);
