-- The tables, indexes and triggers of the service, one section per room. Functions are in functions/, one file per room.
-- From the first tagged version on this file does not change: what comes later is the next number.

-- Trigger functions
-- -----------------

-- Triggers name these functions, whose bodies are in functions/ and are put in place in the same transaction. Until then
-- a row that would pass through one of them is refused.
create function :schema.receipt_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the function receipt_refuse is not in place yet';
end $$;

create function :schema.chat_version_bump() returns trigger language plpgsql as $$
begin
  raise exception 'the function chat_version_bump is not in place yet';
end $$;

create function :schema.change_notice() returns trigger language plpgsql as $$
begin
  raise exception 'the function change_notice is not in place yet';
end $$;

create function :schema.storage_give_attachments() returns trigger language plpgsql as $$
begin
  raise exception 'the function storage_give_attachments is not in place yet';
end $$;

create function :schema.storage_give_project_files() returns trigger language plpgsql as $$
begin
  raise exception 'the function storage_give_project_files is not in place yet';
end $$;

create function :schema.chat_search_write() returns trigger language plpgsql as $$
begin
  raise exception 'the function chat_search_write is not in place yet';
end $$;

create function :schema.chat_message_measure() returns trigger language plpgsql as $$
begin
  raise exception 'the function chat_message_measure is not in place yet';
end $$;

create function :schema.receipt_enter() returns trigger language plpgsql as $$
begin
  raise exception 'the function receipt_enter is not in place yet';
end $$;

create function :schema.removed_name_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the function removed_name_keep is not in place yet';
end $$;

-- Identity
-- --------

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

-- What a person or a program proves itself with is kept as a digest: a copy of the database opens nothing. A session
-- token is random enough for a plain SHA-256.
create table :schema.identity_session (
  id         text primary key,
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identity_session_token_is_digest check (token like 'sha256:%')
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

-- The identity library finds a verification by its identifier, which holds the secret: it is a digest too.
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

-- Device flow (RFC 8628): a row lives until it is redeemed, denied or expired. A user code is short enough to be guessed
-- from a plain digest, so its digest is keyed (src/identity/secret-digests.ts).
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
  expires_at       timestamptz not null,
  constraint identity_device_code_is_digest check (device_code like 'sha256:%' and user_code like 'hmac-sha256:%')
);
create index identity_device_code_user on :schema.identity_device_code (user_id);
create index identity_device_code_expiry on :schema.identity_device_code (expires_at);

-- OAuth 2.1 for MCP clients. Every secret is kept as its SHA-256, the handle of an authorize request included.

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
-- `error` is what was wrong with the visit: the person is told, and decides whether the browser goes back to the client.
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
  expires_at     timestamptz not null,
  error          text,
  error_description text,
  constraint oauth_request_id_is_digest check (id like 'sha256:%'),
  constraint oauth_request_error_is_described check ((error is null) = (error_description is null))
);
create index oauth_request_user on :schema.oauth_request (user_id);
create index oauth_request_expiry on :schema.oauth_request (expires_at);

-- What a person allowed a client to do, in which organization: the family of every token that was issued under it.
create table :schema.oauth_grant (
  id              text primary key,
  user_id         text not null references :schema.identity_user (id) on delete cascade,
  client_id       text not null,
  client_name     text not null,
  organization_id text not null,
  workspace_id    text,
  scopes          text[] not null,
  offline         boolean not null,
  created_at      timestamptz not null,
  used_at         timestamptz not null,
  revoked_at      timestamptz
);
create index oauth_grant_user on :schema.oauth_grant (user_id, id);
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

-- Which grant an access token was issued under, so that ending the grant ends the token.
create table :schema.oauth_access_token (
  token_id   text primary key,
  grant_id   text not null references :schema.oauth_grant (id) on delete cascade,
  expires_at timestamptz not null
);
create index oauth_access_token_grant on :schema.oauth_access_token (grant_id);
create index oauth_access_token_expiry on :schema.oauth_access_token (expires_at);

-- Tenancy
-- -------

-- Organizations, who is in them, and the workspaces inside them. Composite foreign keys carry the invariants: a
-- workspace membership names an organization membership of the same organization and goes when it goes.
-- Ids hold an underscore and slugs do not: where either may stand, what it is can be told from the text.

create table :schema.organization (
  id                   text primary key,
  slug                 text not null unique,
  name                 text not null,
  plan                 text not null check (plan in ('free', 'team', 'business')),
  signup_credit_micros bigint not null check (signup_credit_micros >= 0),
  created_at           timestamptz not null default now(),
  -- Null while an organization that an operator made waits for the person who was invited to own it.
  created_by           text references :schema.identity_user (id),
  constraint organization_id_or_slug check (id like '%\_%' and slug not like '%\_%')
);
create index organization_creator on :schema.organization (created_by);

-- Who has had their signup credit: the primary key makes it once per person. There is no foreign key to the
-- organization, because the grant outlives it.
create table :schema.signup_credit_grant (
  user_id         text primary key references :schema.identity_user (id) on delete cascade,
  organization_id text not null,
  granted_at      timestamptz not null default now()
);

-- The primary key keeps it at one membership per person under parallel calls.
create table :schema.organization_member (
  organization_id text not null references :schema.organization (id),
  user_id         text not null references :schema.identity_user (id),
  role            text not null check (role in ('owner', 'admin', 'member')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_member_user on :schema.organization_member (user_id);

create table :schema.workspace (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  slug            text not null,
  name            text not null,
  kind            text not null check (kind in ('global', 'default', 'named')),
  created_at      timestamptz not null default now(),
  unique (organization_id, slug),
  unique (organization_id, id),
  constraint workspace_id_or_slug check (id like '%\_%' and slug not like '%\_%'),
  constraint workspace_reserved_slug check (case when kind = 'named' then slug not in ('global', 'default') else slug = kind end)
);
create unique index workspace_one_global on :schema.workspace (organization_id) where kind = 'global';
create unique index workspace_one_default on :schema.workspace (organization_id) where kind = 'default';

-- Rows exist for named workspaces only: everybody in the organization is in Global and Default.
create table :schema.workspace_member (
  workspace_id    text not null,
  user_id         text not null,
  organization_id text not null,
  role            text not null check (role in ('owner', 'admin', 'member')),
  created_at      timestamptz not null default now(),
  primary key (workspace_id, user_id),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index workspace_member_user on :schema.workspace_member (organization_id, user_id);

-- Who is in which workspace: a row for each member of an organization and each workspace of it. Everything that shows or
-- changes what a workspace has asks here and nowhere else: `is_member` says whether the person is in it, `role` as what.
-- Those who manage the organization may see that a workspace exists without being in it (src/tenancy/authority.ts).
create view :schema.member_workspace as
  select m.user_id, w.organization_id, m.role as organization_role, w.id as workspace_id, w.slug, w.name, w.kind, w.created_at,
         case when w.kind <> 'named' then m.role else wm.role end as role,
         w.kind <> 'named' or wm.user_id is not null as is_member
    from :schema.workspace w
    join :schema.organization_member m on m.organization_id = w.organization_id
    left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id;

create table :schema.invitation (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  email           text not null check (email = lower(email)),
  role            text not null check (role in ('owner', 'admin', 'member')),
  -- Null when an operator invited.
  invited_by      text references :schema.identity_user (id),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  accepted_by     text references :schema.identity_user (id),
  accepted_at     timestamptz,
  check ((accepted_by is null) = (accepted_at is null))
);
create unique index invitation_one_open on :schema.invitation (organization_id, email) where accepted_at is null;
create index invitation_organization on :schema.invitation (organization_id, id);

-- Named connect tokens (never the token itself), and revocations of unnamed ones, which have no name and are
-- forgotten once the token they name has expired.
create table :schema.connect_token (
  id              text primary key,
  user_id         text references :schema.identity_user (id) on delete cascade,
  organization_id text references :schema.organization (id),
  workspace_id    text,
  name            text,
  scopes          text[] not null default '{}',
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  revoked_at      timestamptz,
  -- The models that it may be used for; null for all.
  models          text[],
  -- The first id of the line that it belongs to: a rotated token is replaced by one of the same line, and both work until
  -- the old one is revoked, at a moment that may lie ahead.
  line_id         text,
  replaced_by     text,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  check (name is not null or revoked_at is not null),
  check (name is null or (user_id is not null and organization_id is not null))
);
create index connect_token_user on :schema.connect_token (user_id, id) where name is not null;
create index connect_token_workspace on :schema.connect_token (organization_id, workspace_id);
create index connect_token_forgettable on :schema.connect_token (expires_at) where name is null;

-- The unnamed tokens, valid for minutes, that a session made: noted until they expire, so that they can be ended before.
create table :schema.connect_token_short (
  id         text primary key,
  user_id    text not null references :schema.identity_user (id) on delete cascade,
  session_id text not null,
  expires_at timestamptz not null
);
create index connect_token_short_user on :schema.connect_token_short (user_id);
create index connect_token_short_expiry on :schema.connect_token_short (expires_at);

-- When a named token was last seen; written now and then, apart from the token so that no notice is sent.
create table :schema.connect_token_use (
  id      text primary key references :schema.connect_token (id) on delete cascade,
  used_at timestamptz not null
);

-- Names of workspaces and named tokens that were removed, for records that outlive them.
create table :schema.removed_name (
  id         text primary key,
  name       text not null,
  removed_at timestamptz not null default now()
);
create trigger removed_name after delete on :schema.workspace for each row execute function :schema.removed_name_keep();
create trigger removed_name after delete on :schema.connect_token for each row when (old.name is not null) execute function :schema.removed_name_keep();

-- Processes
-- ---------

-- Every running process of every role writes a line about itself every few seconds. The roles without
-- a port show their health here. A line is worth nothing after a crash of the server, hence unlogged; there are a
-- few dozen of them and every beat rewrites one, hence no second index and room in the page for the new version.

create unlogged table :schema.process (
  id         text collate "C" primary key,
  role       text        not null,
  host       text        not null,
  pid        int         not null,
  version    text        not null,
  task_group text,
  state      text        not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  figures    jsonb       not null,
  -- Since when it has been seen without a gap. Only one that has been there for a while can tell who is lost: after a restart
  -- of the server nobody has been seen lately, or, since the table is unlogged, nobody is in it.
  present_since timestamptz not null default now(),
  constraint process_state check (state in ('running', 'stopping'))
) with (fillfactor = 50);

-- Receipts
-- --------

-- An append-only, hash-chained log per stream. The primary key is the compare-and-set: two appenders that saw the same
-- head want the same idx, and one of them loses.
create table :schema.receipt (
  stream text   collate "C" not null,
  idx    bigint not null,
  prev   bytea  not null,
  hash   bytea  not null,
  body   text   not null,
  -- From the end of the text, where the canonical form has it. The text is not parsed as JSON, because PostgreSQL refuses
  -- to look into one with an escaped NUL, which a receipt may hold.
  kind   text generated always as (substring(right(body, 128) from '"kind":"([^"]*)"}$')) stored,
  primary key (stream, idx)
);
create trigger receipt_hash before insert on :schema.receipt for each row
  when (new.hash is distinct from sha256(new.prev || convert_to(new.body, 'UTF8')))
  execute function :schema.receipt_refuse();

create trigger receipt_append_only before update or delete on :schema.receipt for each row
  execute function :schema.receipt_refuse();
create trigger receipt_no_truncate before truncate on :schema.receipt for each statement
  execute function :schema.receipt_refuse();

-- Checkpoints: one RFC 6962 root over the heads of all streams. The heads behind the last root are kept, so that
-- a stream that was cut or dropped since then shows.
create table :schema.receipt_checkpoint (
  id      bigint generated always as identity primary key,
  at      timestamptz not null,
  streams bigint not null,
  root    bytea  not null
);

create table :schema.receipt_checkpoint_head (
  stream text   collate "C" primary key,
  idx    bigint not null,
  hash   bytea  not null
);

-- The head of every stream that is not a run's, noted by the statement that appends; a run's row has its own. A tail that
-- is cut, or a stream that is dropped, shows at once and not only at the next checkpoint.
create table :schema.receipt_head (
  stream text   collate "C" primary key,
  idx    bigint not null,
  hash   bytea  not null
) with (fillfactor = 50);

-- What receipts can be searched by, across streams: one row per receipt, written by a trigger in the same statement and
-- never read by verification. Nothing here is evidence; the receipts are.
create table :schema.receipt_entry (
  workspace_id text   collate "C" not null,
  -- ISO 8601 as in the receipt, which sorts as text.
  at           text   collate "C" not null,
  stream       text   collate "C" not null,
  idx          bigint not null,
  kind         text   collate "C" not null,
  -- Who did it: the actor, or for what a worker recorded the person who started the run.
  person       text   collate "C",
  app          text   collate "C",
  tool         text   collate "C",
  primary key (workspace_id, at, stream, idx)
);
-- Every index costs each append: kinds and tools are found by reading the workspace in order of time.
create index receipt_entry_person on :schema.receipt_entry (workspace_id, person, at) where person is not null;
create index receipt_entry_app on :schema.receipt_entry (workspace_id, app, at) where app is not null;

create trigger receipt_enter after insert on :schema.receipt referencing new table as added
  for each statement execute function :schema.receipt_enter();

-- Chat settings
-- -------------

-- What decides a chat request: the organization's policy, own provider keys, Models accounts, and one number that
-- changes with any of them.

create table :schema.org_policy (
  organization_id           text primary key references :schema.organization (id),
  disabled_providers        text[] not null default '{}',
  disabled_models           text[] not null default '{}',
  require_zdr               boolean not null default false,
  enforce_study_mode        boolean not null default false,
  require_provider_key      boolean not null default false,
  inherit_organization_keys boolean not null default false,
  tool_switches             jsonb not null default '{}',
  modules                   jsonb not null default '{"rateLimiting":{},"budgetLimiting":{},"loggingConfig":{},"toolApproval":{}}',
  -- Null until a key is first saved or removed; until then it is not trusted.
  provider_key_summary      jsonb,
  updated_at                timestamptz not null default now(),
  disable_sharing           boolean not null default false,
  -- Own keys serve models of their provider that the catalogue does not list.
  allow_unlisted_models     boolean not null default false
);

-- Never the key itself: AES-256-GCM under BYOK_ENCRYPTION_KEY_B64, bound to the row. The organization-wide scope
-- is the organization's Global workspace.
create table :schema.org_provider_api_key (
  organization_id text not null,
  workspace_id    text not null,
  provider        text not null,
  ciphertext      bytea not null,
  iv              bytea not null check (length(iv) = 12),
  auth_tag        bytea not null check (length(auth_tag) = 16),
  key_version     int not null,
  fingerprint     text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, workspace_id, provider),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);

-- Accounts with a server of models, of a workspace or of the organization (its Global workspace), tried in the order of
-- `place`; `models` are patterns in which * matches anything.
create table :schema.models_account (
  organization_id text not null,
  workspace_id    text not null,
  id              text not null,
  place           int not null,
  protocol        text not null check (protocol in ('chat', 'responses', 'messages')),
  auth            text not null check (auth in ('bearer', 'azure', 'aws', 'google')),
  base_url        text not null,
  models          text[] not null,
  ciphertext      bytea not null,
  iv              bytea not null check (length(iv) = 12),
  auth_tag        bytea not null check (length(auth_tag) = 16),
  key_version     int not null,
  fingerprint     text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- Whether the account takes `reasoning_effort`: not every OpenAI-compatible server does.
  takes_effort    boolean not null default false,
  primary key (organization_id, workspace_id, id),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);

-- Several models under one name, in the order in which they are tried; `move_on` has the failures after which the next one is.
create table :schema.model_route (
  organization_id text not null references :schema.organization (id) on delete cascade,
  slug            text not null,
  models          text[] not null check (cardinality(models) between 1 and 5),
  move_on         text[] not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, slug)
);

-- A process keeps what decides a request in memory, under the version it read. The admission statement compares
-- the version, so that a change is in force for the very next request without a second round trip.
create table :schema.chat_version (
  organization_id text primary key,
  version         bigint not null
);
create trigger chat_version_member after insert or update or delete on :schema.organization_member for each row execute function :schema.chat_version_bump();
create trigger chat_version_workspace_member after insert or update or delete on :schema.workspace_member for each row execute function :schema.chat_version_bump();
create trigger chat_version_workspace after update or delete on :schema.workspace for each row execute function :schema.chat_version_bump();
create trigger chat_version_organization after update on :schema.organization for each row execute function :schema.chat_version_bump();
create trigger chat_version_policy after insert or update or delete on :schema.org_policy for each row execute function :schema.chat_version_bump();
create trigger chat_version_key after insert or update or delete on :schema.org_provider_api_key for each row execute function :schema.chat_version_bump();
create trigger chat_version_route after insert or update or delete on :schema.model_route for each row execute function :schema.chat_version_bump();
create trigger chat_version_account after insert or update or delete on :schema.models_account for each row execute function :schema.chat_version_bump();

-- Chat limits and money
-- ---------------------

-- Limits and money of chat; src/enforcement/README.md says in which order rows are locked.

-- A ring of the last `size` accepted requests of a user: the next one is accepted when the one it would overwrite
-- is older than the window. Exact, and the same work whatever the limit is. Losing it in a crash forgives a minute.
create unlogged table :schema.chat_rate (
  user_id text primary key,
  size    int not null,
  next    bigint not null
);

create unlogged table :schema.chat_rate_slot (
  user_id text not null,
  slot    int not null,
  at      timestamptz not null,
  primary key (user_id, slot)
);

-- Conditions on a table are read and compiled again by every statement that writes to it, those of a domain are kept.
create domain :schema.micros as bigint check (value >= 0);
create domain :schema.credential as text check (value in ('models-account', 'own-key', 'platform'));

-- All amounts are micro-dollars. The seat figures are those of seat_month and count as zero in any other month.
create table :schema.org_budget (
  organization_id text primary key references :schema.organization (id),
  credit_spent    :schema.micros not null default 0,
  credit_reserved :schema.micros not null default 0,
  seat_month      date not null,
  seat_spent      :schema.micros not null default 0,
  seat_reserved   :schema.micros not null default 0,
  -- The number of caps in the organization, changed under the row's lock: an admission that holds it sees every cap.
  caps            int not null default 0
);

-- Every admitted request has an open row until it ends: one on platform credit with the amount that it holds, one on an
-- own key or Models account with none. Settling deletes it, which makes settling idempotent. It names its process: that of a
-- lost one, or one that expires, is settled at the least that its call has cost: its input, and what is known of its answer.
-- No foreign key: every hold is opened under the lock of its organization's budget row, which refers to the organization
-- itself.
create table :schema.chat_hold (
  id              text primary key,
  organization_id text not null,
  seat_month      date not null,
  seat_micros     :schema.micros not null,
  credit_micros   :schema.micros not null,
  expires_at      timestamptz not null,
  -- Null if the price is unknown, which it never is on platform credit.
  least_micros    :schema.micros default 0,
  model           text not null default '',
  provider        text not null default '',
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  -- Whether the month's row counts it as reserved.
  in_month        boolean not null default false,
  user_id         text not null default '',
  workspace_id    text not null default '',
  token_id        text not null default '',
  surface         text not null default '',
  request_id      text not null default '',
  opened_at       timestamptz not null default now(),
  process_id      text collate "C" not null default '',
  credential      text not null default 'platform',
  -- The model that is called, if the request named an automatic one or a route.
  served          text not null default ''
);
-- The holds of one process, those that expire first at the front. The processes are found by skipping from one to the next.
create index chat_hold_process on :schema.chat_hold (process_id, expires_at);

create table :schema.usage_day (
  organization_id text not null references :schema.organization (id),
  day             date not null,
  model           text not null,
  provider        text not null,
  credential      :schema.credential not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  -- The model that answered, if the request named an automatic one or a route; otherwise ''. Likewise below.
  served          text not null default '',
  primary key (organization_id, day, model, served, provider, credential)
);

-- All platform credit of the deployment in a calendar month (UTC). A month has a row once a ceiling is set.
create table :schema.platform_month (
  month    date primary key,
  spent    :schema.micros not null default 0,
  reserved :schema.micros not null default 0
);

-- Usage of a day, added to by the statement that settles a request. Days that are over are added to spend_month, and
-- deleted once they are old (functions/spend.sql). A token is named by the first id of its line (see connect_token.line_id);
-- '' stands for a request without a named token. The cost on an organization's own key is the list price at the time;
-- `unpriced` counts the requests whose price is unknown, which the cost leaves out. No foreign keys: the record outlives what
-- it names.
create table :schema.spend_day (
  organization_id text not null,
  day             date not null,
  user_id         text not null,
  workspace_id    text not null,
  token_id        text not null,
  model           text not null,
  provider        text not null,
  credential      :schema.credential not null,
  surface         text not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  unpriced        bigint not null default 0,
  served          text not null default '',
  primary key (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface)
);

create table :schema.spend_month (
  organization_id text not null,
  month           date not null,
  user_id         text not null,
  workspace_id    text not null,
  token_id        text not null,
  model           text not null,
  provider        text not null,
  credential      :schema.credential not null,
  surface         text not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  unpriced        bigint not null default 0,
  served          text not null default '',
  primary key (organization_id, month, user_id, workspace_id, token_id, model, served, provider, credential, surface)
);

-- The sum of each day that is over, kept for good.
create table :schema.spend_trend (
  organization_id text not null,
  day             date not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  unpriced        bigint not null default 0,
  primary key (organization_id, day)
);

-- The last day that is in spend_month and spend_trend.
create table :schema.spend_rolled (
  one     boolean primary key default true check (one),
  through date not null
);
insert into :schema.spend_rolled (through) values ((now() at time zone 'UTC')::date - 1);

-- A cap per member, workspace or token, in micro-dollars per calendar month (UTC). `spent` is that of `month` and counts
-- as zero in any other. `reserved` is always the sum of the subject's open holds, whatever month they were opened in.
create table :schema.spend_cap (
  id              text primary key,
  organization_id text not null references :schema.organization (id) on delete cascade,
  kind            text not null check (kind in ('member', 'workspace', 'token')),
  subject_id      text not null,
  limit_micros    :schema.micros not null,
  month           date not null,
  spent           :schema.micros not null default 0,
  reserved        :schema.micros not null default 0,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (organization_id, kind, subject_id)
);
create trigger chat_version_cap after insert or delete on :schema.spend_cap for each row execute function :schema.chat_version_bump();

-- Every request to a model, without a word of its content: a partition per day, dropped after 30 days. What arrives
-- before its partition exists waits in the default one. A request id is not unique: a chat message, the search of its
-- attachments and the title of its thread are requests under one id.
create table :schema.request_log (
  id              text not null,
  at              timestamptz not null,
  organization_id text not null,
  user_id         text not null,
  workspace_id    text not null,
  token_id        text not null,
  surface         text not null,
  model           text not null,
  provider        text not null,
  credential      text not null,
  status          int not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  -- Null if the price is unknown.
  cost_micros     bigint,
  first_token_ms  int,
  duration_ms     int not null,
  served          text not null default ''
) partition by range (at);
create table :schema.request_log_rest partition of :schema.request_log default;
create index request_log_at on :schema.request_log (organization_id, at, id);
create index request_log_person on :schema.request_log (organization_id, user_id, at, id);
create index request_log_id on :schema.request_log (organization_id, id);

-- What chat_admit is asked, one for each request. `token_id` is the first id of the line of tokens that the request is
-- counted for, `bearer_id` the token that it was sent with.
create type :schema.chat_request as (
  hold_id         text,
  process_id      text,
  organization_id text,
  user_id         text,
  workspace_id    text,
  token_id        text,
  surface         text,
  request_id      text,
  model           text,
  served          text,
  provider        text,
  credential      text,
  input_tokens    bigint,
  -- What the call costs at least, if its usage is never reported.
  least_micros    bigint,
  bearer_id       text,
  -- Of the organization's settings, as in chat_version.
  version         bigint,
  -- Accepted requests of the user in a window; 0 for no limit.
  rate_limit      int,
  -- The amount to hold; 0 if an own key pays.
  micros          bigint,
  seat_budget     bigint,
  credit          bigint,
  -- Of the whole deployment per month; null for none.
  ceiling         bigint,
  -- Whether an own key pays and there are caps.
  checks_caps     boolean
);

-- What chat_settle is told of each request, up to `duration_ms`, and what it finds in the hold: whether it is of platform
-- credit, and what it held.
create type :schema.chat_settlement as (
  hold_id         text,
  organization_id text,
  user_id         text,
  workspace_id    text,
  token_id        text,
  surface         text,
  request_id      text,
  model           text,
  served          text,
  provider        text,
  credential      text,
  input_tokens    bigint,
  output_tokens   bigint,
  cost_micros     bigint,
  -- Whether anything was used; if not, the request is only logged.
  uses            boolean,
  -- Null if the request is not logged.
  status          int,
  first_token_ms  int,
  duration_ms     int,
  platform        boolean,
  month           date,
  seat_held       bigint,
  credit_held     bigint,
  month_held      bigint
);

-- Guardrails
-- ----------

-- Guardrail groups: authored, versioned, tested against sample text. A version is never changed once written.

create table :schema.guardrail_group (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  latest_version  int not null check (latest_version >= 1),
  created_by      text not null,
  created_at      timestamptz not null default now()
);
create index guardrail_group_organization on :schema.guardrail_group (organization_id, id);

create table :schema.guardrail_version (
  group_id   text not null references :schema.guardrail_group (id) on delete cascade,
  version    int not null check (version >= 1),
  name       text not null,
  rules      jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (group_id, version)
);

-- Connections
-- -----------

-- Connections: an encrypted reference to a connection at the integration provider, or an explicit import. The
-- payload is AES-256-GCM under SERVICE_CONNECTION_ENCRYPTION_KEY_B64, bound to the row's address.

create table :schema.org_connection_secret (
  id                text primary key,
  organization_id   text not null,
  workspace_id      text not null,
  provider          text not null,
  name              text not null,
  kind              text not null check (kind in ('integration-reference', 'local-cloud-profile', 'cloud-credential-process', 'code-host-token')),
  status            text not null check (status in ('valid', 'expired', 'invalid')),
  reason            text,
  expiry            timestamptz,
  last_validated_at timestamptz,
  ciphertext        bytea not null,
  iv                bytea not null check (length(iv) = 12),
  auth_tag          bytea not null check (length(auth_tag) = 16),
  key_version       int not null,
  -- Keyed digest of the provider's own two ids: finds the row of a webhook without storing them in the clear.
  reference_digest  bytea,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  created_by        text,
  -- Who authorized it last, and when the provider made the one that is referred to: a webhook has neither a time nor an
  -- id of its own, so these decide whether it may replace what is stored.
  authorized_by       text,
  provider_created_at timestamptz,
  unique (organization_id, workspace_id, provider, name),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  check ((kind = 'integration-reference') = (reference_digest is not null))
);
create index org_connection_secret_digest on :schema.org_connection_secret (reference_digest) where reference_digest is not null;

-- What may be done through a connection. `actions` holds what was decided; the rest is the default: reads on,
-- writes off. A reconnect updates the connection's row in place, so its policy stays.
create table :schema.connection_policy (
  connection_id         text primary key references :schema.org_connection_secret (id) on delete cascade,
  actions               jsonb not null default '{}',
  enforce_repositories  boolean not null default false,
  selected_repositories text[] not null default '{}',
  updated_at            timestamptz not null default now(),
  updated_by            text
);

-- Rows are kept for good: an old webhook may be delivered again at any time.
create table :schema.connection_removed (
  organization_id  text not null references :schema.organization (id) on delete cascade,
  reference_digest bytea not null,
  removed_at       timestamptz not null default now(),
  primary key (organization_id, reference_digest)
);
comment on table :schema.connection_removed is
  'Connections of the provider that were removed or replaced here: neither a webhook nor read repair brings them back.';

-- Projects
-- --------

-- Instructions, files and a default model that the chats of a workspace share.

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

-- Chat threads
-- ------------

-- Conversations of the web app. A thread belongs to one person in one workspace; nobody else reads it.
create table :schema.chat_thread (
  id              text primary key,
  organization_id text not null,
  workspace_id    text not null,
  user_id         text not null,
  title           text not null,
  -- Whether the title was made from the first message, by a model, or by the person; the last is never replaced.
  title_from      text not null default 'message' check (title_from in ('message', 'model', 'person')),
  -- Whether the person picked the workspace, or the thread is in Default because they picked none.
  workspace_picked boolean not null default false,
  messages        int not null default 0,
  created_at      timestamptz not null default now(),
  -- To the millisecond, as cursors carry it.
  updated_at      timestamptz(3) not null default now(),
  pinned_at       timestamptz,
  archived_at     timestamptz,
  -- A chat outlives its project.
  project_id      text references :schema.project (id) on delete set null,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
-- In the order in which they are listed.
create index chat_thread_order on :schema.chat_thread (user_id, organization_id, (pinned_at is not null) desc, updated_at desc, id desc);
create index chat_thread_project on :schema.chat_thread (project_id, user_id) where project_id is not null;

create table :schema.chat_message (
  thread_id  text not null references :schema.chat_thread (id) on delete cascade,
  position   int not null,
  id         text not null unique,
  role       text not null check (role in ('user', 'assistant')),
  parts      jsonb not null,
  -- Of an answer: model, provider, credential, usage, cost, how it ended; of both: the tool switches of the turn.
  metadata   jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- How large the parts are, and their text alone, which is what a model is sent: a page is cut by size without reading what
  -- is not sent, because PostgreSQL knows the size of compressed JSON only after decompressing it.
  bytes      int not null,
  text_bytes int not null,
  primary key (thread_id, position)
);
create trigger chat_message_measure before insert or update of parts on :schema.chat_message
  for each row execute function :schema.chat_message_measure();

-- A conversation is a tree: editing a question or trying an answer again starts another branch. `chat_message` has the
-- branch that the thread shows, by position: the parent of a message there is the one before it. What is not shown is here,
-- with its parent.
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

-- What a message can be found by. Message ids sort by time, and a thread never changes its owner or workspace.
create table :schema.chat_message_search (
  message_id   text primary key references :schema.chat_message (id) on delete cascade,
  -- The organization and the person.
  owner        text not null,
  workspace_id text not null,
  -- The forms of its words, without positions, and its owner, so that the index alone finds what one person may see.
  words        tsvector not null
) with (toast_tuple_target = 128);
-- Searches read the other columns of many rows, and this one of few.
alter table :schema.chat_message_search alter column words set storage external;
create index chat_message_search_words on :schema.chat_message_search using gin (words) with (gin_pending_list_limit = 512);
create index chat_message_search_latest on :schema.chat_message_search (owner, message_id desc);
create trigger chat_search_write after insert or update of parts on :schema.chat_message
  for each row execute function :schema.chat_search_write();

-- A conversation as it was when its owner shared it. Members of the workspace who have the link can read it: the id is
-- the link, so no list and no notice contains it.
create table :schema.chat_share (
  id              text primary key,
  thread_id       text not null unique references :schema.chat_thread (id) on delete cascade,
  organization_id text not null,
  workspace_id    text not null,
  -- The name of the person who shared it.
  shared_by       text not null,
  title           text not null,
  messages        int not null,
  created_at      timestamptz not null default now(),
  -- When the copy was made.
  updated_at      timestamptz not null default now()
);
create table :schema.chat_share_message (
  share_id   text not null references :schema.chat_share (id) on delete cascade,
  position   int not null,
  id         text not null,
  role       text not null check (role in ('user', 'assistant')),
  -- Without reasoning, costs and the credential that paid.
  parts      jsonb not null,
  model      text,
  created_at timestamptz not null,
  -- The numbers and names of the sources, [{"number": 1, "name": "handbook.md"}], without their text and without the file.
  sources    jsonb,
  bytes      int not null,
  primary key (share_id, position)
);

-- An answer while it is being written, so that a reload, or another process, can follow it. One at a time a thread.
-- Its writer shows that it lives; one that has not for a while is closed by the first process that meets it.
create table :schema.chat_stream (
  thread_id      text primary key references :schema.chat_thread (id) on delete cascade,
  id             text not null unique,
  message_id     text not null,
  state          text not null check (state in ('open', 'stopping', 'done')),
  alive_at       timestamptz not null default now(),
  -- Whether anybody follows it besides the client that asked: only then is every batch announced.
  followed_until timestamptz not null default '-infinity'
);
create index chat_stream_age on :schema.chat_stream (alive_at);

-- A batch of the stream's chunks, one JSON text a line; `seq` counts chunks and is that of the first.
create table :schema.chat_stream_chunk (
  stream_id text not null references :schema.chat_stream (id) on delete cascade,
  seq       int not null,
  data      text not null,
  primary key (stream_id, seq)
);

-- A file that a person gave a conversation. It belongs to the first thread it is sent with, and goes with it.
create table :schema.chat_attachment (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  user_id         text not null,
  thread_id       text references :schema.chat_thread (id) on delete cascade,
  name            text not null,
  type            text not null,
  size            int not null,
  content         bytea not null,
  created_at      timestamptz not null default now(),
  -- What a document that no model takes as it is consists of, {"kind": "page" | "sheet" | "slide", "count": n}, and its text,
  -- taken out once when it is uploaded. The text counts as stored, with the file.
  parts           jsonb,
  text            text,
  text_bytes      int not null default 0,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
create index chat_attachment_owner on :schema.chat_attachment (organization_id, user_id);
create index chat_attachment_thread on :schema.chat_attachment (thread_id);
create index chat_attachment_unsent on :schema.chat_attachment (created_at) where thread_id is null;

-- Pieces of a long text attachment and where they stand in meaning: unit vectors, so that a product is a cosine.
create table :schema.chat_attachment_piece (
  attachment_id text not null references :schema.chat_attachment (id) on delete cascade,
  position      int not null,
  text          text not null,
  model         text not null,
  embedding     real[] not null,
  primary key (attachment_id, position)
);

-- Prompts
-- -------

-- Saved prompts, and what a person wants every answer to follow.

create table :schema.prompt (
  id              text primary key,
  organization_id text not null references :schema.organization (id),
  -- Whose it is; null if it is shared.
  user_id         text,
  -- The workspace whose members use it; null if it is a person's own.
  workspace_id    text,
  -- What is typed after the slash.
  name            text not null,
  text            text not null,
  created_by      text not null,
  -- As it was then, because a shared prompt outlives the membership of the person who made it.
  created_by_name text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  check ((user_id is null) <> (workspace_id is null)),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade,
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade
);
create unique index prompt_own on :schema.prompt (organization_id, user_id, name) where workspace_id is null;
create unique index prompt_shared on :schema.prompt (workspace_id, name) where workspace_id is not null;
create index prompt_list on :schema.prompt (organization_id, name collate "C", id);

create table :schema.custom_instructions (
  organization_id text not null,
  user_id         text not null,
  text            text not null,
  enabled         boolean not null,
  updated_at      timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);

-- Stored responses
-- ----------------

-- Responses of /v1/responses, and messages of a thread of /v1/messages, that their clients may refer to. A row is one
-- person's, in one workspace; nobody else reads it. Both payloads (what was asked and answered; the items of the
-- output, so that one of them is read without the rest) are AES-256-GCM under SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
-- bound to the row's address. Ids are the answer's own and say nothing.

create table :schema.stored_response (
  organization_id   text not null,
  workspace_id      text not null,
  user_id           text not null,
  id                text not null,
  -- One that its owner deleted keeps its ids and nothing else, until it is as old as those that are kept: a provider
  -- may still have it, and must not be asked for it.
  kind              text not null check (kind in ('response', 'message', 'deleted')),
  -- The response that this one continues, which holds the conversation before it.
  previous_id       text,
  -- Of its output: what an item_reference may name.
  item_ids          text[] not null,
  -- Of both payloads, and of the items alone.
  bytes             int not null,
  output_bytes      int not null,
  ciphertext        bytea not null,
  iv                bytea not null check (length(iv) = 12),
  auth_tag          bytea not null check (length(auth_tag) = 16),
  output_ciphertext bytea not null,
  output_iv         bytea not null check (length(output_iv) = 12),
  output_auth_tag   bytea not null check (length(output_auth_tag) = 16),
  key_version       int not null,
  created_at        timestamptz not null default now(),
  primary key (organization_id, id, workspace_id, user_id),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references :schema.organization_member (organization_id, user_id) on delete cascade
);
-- Encrypted bytes do not compress.
alter table :schema.stored_response alter column ciphertext set storage external, alter column output_ciphertext set storage external;
create index stored_response_workspace on :schema.stored_response (organization_id, workspace_id);
create index stored_response_owner on :schema.stored_response (organization_id, user_id, created_at);
create index stored_response_continued on :schema.stored_response (organization_id, previous_id) where previous_id is not null;
create index stored_response_age on :schema.stored_response (created_at);
create index stored_response_items on :schema.stored_response using gin (item_ids) with (fastupdate = off);

-- Runs
-- ----

-- Background runs. The receipts of stream jobs/<id> are the record; this row is what they add up to, written in the
-- statement that appends. `head_idx` and `head_hash` are the fencing token: every append names the head it saw,
-- and a late worker names one that is gone. The row is also the outbox: `look_at` says when it must be checked
-- that the broker has the job.
create table :schema.job (
  id                   text collate "C" primary key,
  -- A job of the service itself has no organization, no workspace and no person; it has a task instead.
  organization_id      text references :schema.organization (id),
  -- No foreign key: the record of a run outlives its workspace.
  workspace_id         text,
  created_by           text,
  kind                 text not null check (kind in ('chat', 'control', 'codex')),
  task                 text,
  objective            text not null,
  model                text,
  capabilities         text[] not null default '{}',
  funding_workspace_id text,
  idempotency_key      text,
  request_hash         bytea not null,
  status               text not null check (status in ('queued', 'running', 'completed', 'failed', 'aborted')),
  attempt              int not null default 0,
  created_at           timestamptz not null,
  started_at           timestamptz,
  ended_at             timestamptz,
  result               jsonb,
  error                text,
  head_idx             bigint not null,
  head_hash            bytea not null,
  waiting_reason       text,
  -- How often the broker had to be given the job again because its call ended before the job did.
  round                int not null default 0,
  look_at              timestamptz,
  -- The transaction of the last change: what a live channel resumes behind. A serial number would skip what
  -- commits late.
  changed_by           xid8 not null default pg_current_xact_id(),
  -- With what it was started: the scopes of the token (a session's has all that a run can use), and the token or the
  -- OAuth grant that is checked again while the run lasts.
  scopes               text[] not null default '{}',
  started_with         text check (started_with in ('session', 'token', 'grant')),
  token_id             text,
  grant_id             text,
  check ((organization_id is null) = (workspace_id is null)),
  check ((organization_id is null) = (task is not null)),
  check ((ended_at is not null) = (status in ('completed', 'failed', 'aborted')))
);
create unique index job_idempotency on :schema.job (coalesce(organization_id, ''), idempotency_key) where idempotency_key is not null;
create index job_of_workspace on :schema.job (workspace_id, id) where workspace_id is not null;
create index job_of_workspace_status on :schema.job (workspace_id, status, id) where workspace_id is not null;
create index job_changes on :schema.job (workspace_id, changed_by) where workspace_id is not null;
create index job_of_service on :schema.job (id) where organization_id is null;

-- Only unfinished jobs are in these two, so their cost does not grow with what is done.
create index job_due on :schema.job (look_at) where look_at is not null;
create index job_open on :schema.job (status, waiting_reason) where status in ('queued', 'running');
create index job_ended on :schema.job (ended_at) where ended_at is not null;
-- Whose unfinished runs there are, and under which authority: only unfinished runs are in it.
create index job_open_of_person on :schema.job (created_by, status, organization_id, workspace_id, token_id, grant_id)
  where status in ('queued', 'running') and created_by is not null;

-- Storage
-- -------

-- Bytes of attachments and artifacts that an organization keeps.
create table :schema.org_storage (
  organization_id text primary key references :schema.organization (id) on delete cascade,
  bytes           bigint not null check (bytes >= 0)
);

-- However an attachment goes, its bytes come back.
create trigger storage_attachment_gone after delete on :schema.chat_attachment referencing old table as gone
  for each statement execute function :schema.storage_give_attachments();

-- The same for the file of a project.
create trigger storage_file_gone after delete on :schema.project_file referencing old table as gone
  for each statement execute function :schema.storage_give_project_files();

-- What the artifacts of a job take.
create table :schema.job_storage (
  job_id          text primary key,
  organization_id text not null,
  bytes           bigint not null check (bytes >= 0)
);

-- Broker
-- ------

-- The broker's durable promises and tasks. Times are milliseconds since the epoch, as the protocol has them. Ids
-- compare by byte, so that a root and all below it (`root`, `root:…`) are one range of the primary key.
--
-- A step reads what it needs in one statement and writes what it changes in another; the revision of an origin,
-- which every write raises, tells whether another replica has written in between.
create table :schema.broker_origin (
  origin text collate "C" primary key,
  revision bigint not null
);

create table :schema.broker_promise (
  id text collate "C" primary key,
  state text not null check (state in ('pending', 'resolved', 'rejected', 'rejected_canceled', 'rejected_timedout')),
  param text not null,
  value text not null,
  tags text not null,
  timeout_at bigint not null,
  created_at bigint not null,
  settled_at bigint,
  -- The task whose replay asks for this promise first.
  owner text collate "C",
  -- Whether the deadline fires by itself.
  armed boolean not null,
  ends_at bigint not null generated always as (coalesce(settled_at, timeout_at)) stored,
  check ((state = 'pending') = (settled_at is null))
);
create index broker_promise_owner on :schema.broker_promise (owner) where owner is not null;
create index broker_promise_due on :schema.broker_promise (timeout_at) where armed and settled_at is null;
create index broker_promise_ended on :schema.broker_promise (ends_at);

-- One task for each promise that names a target. While pending it is in exactly one of three places: in its queue
-- (queued_at), offered to a stream (offered_pid), or waiting for a time (wake_at). A timer's task is in none.
create table :schema.broker_task (
  id text collate "C" primary key,
  state text not null check (state in ('pending', 'acquired', 'suspended', 'halted', 'fulfilled')),
  version int not null,
  resumes text not null,
  releases int not null,
  pid text,
  ttl bigint,
  -- Lease while acquired, end of an offer or of a pause while pending.
  wake_at bigint,
  queue text not null,
  prefer_pid text,
  -- Tenants take turns within a queue; never empty, so that the empty text stands before all of them.
  lane text collate "C" not null check (lane <> ''),
  queued_at bigint,
  offered_pid text,
  since bigint not null,
  -- Who the task counts against.
  holder text generated always as (coalesce(pid, offered_pid)) stored,
  check (state = 'pending' or (queued_at is null and offered_pid is null)),
  check ((state = 'acquired') = (pid is not null)),
  check (queued_at is null or offered_pid is null)
);
create index broker_task_queue on :schema.broker_task (queue, lane, queued_at) where queued_at is not null;
create index broker_task_holder on :schema.broker_task (holder) where holder is not null;
create index broker_task_wake on :schema.broker_task (wake_at) where wake_at is not null;
create index broker_task_waiting on :schema.broker_task (queue, state, since) where state in ('pending', 'halted');

create table :schema.broker_awaiter (
  awaited text collate "C" not null,
  awaiter text collate "C" not null,
  primary key (awaited, awaiter)
);
create index broker_awaiter_awaiter on :schema.broker_awaiter (awaiter);

create table :schema.broker_listener (
  promise text collate "C" not null,
  address text collate "C" not null,
  primary key (promise, address)
);

-- Messages to listeners whose stream is held by another replica, or not open yet.
create table :schema.broker_unblock (
  queue text not null,
  promise text collate "C" not null,
  queued_at bigint not null,
  primary key (queue, promise)
);
create index broker_unblock_queued on :schema.broker_unblock (queued_at);

create table :schema.broker_replica (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null
);

-- Open poll streams, and those that ended a moment ago.
create table :schema.broker_stream (
  id text primary key,
  replica text not null,
  task_group text not null,
  pid text not null,
  credit int not null,
  -- Whether being connected keeps the leases of its process; otherwise heartbeats do.
  keeps_leases boolean not null,
  connected_at bigint not null,
  ended_at bigint,
  -- Whether its process writes to the process table, under the name that it has at the broker: one that does is alive
  -- as long as it is heard of there, whatever its connection seems to be.
  in_process_table boolean not null default false,
  -- The order in which streams were opened, whatever the clock does.
  opened bigint generated always as identity
);
create index broker_stream_pid on :schema.broker_stream (pid);
create index broker_stream_ended on :schema.broker_stream (ended_at) where ended_at is not null;

-- Change notices
-- --------------

-- The columns with the organization, the id, the workspace, and the person that alone may know of it.
create trigger change_notice after update of slug, name, plan on :schema.organization
  for each row execute function :schema.change_notice('id', 'id', '', '');
create trigger change_notice after insert or update or delete on :schema.organization_member
  for each row execute function :schema.change_notice('organization_id', 'user_id', '', '');
create trigger change_notice after insert or update or delete on :schema.workspace
  for each row execute function :schema.change_notice('organization_id', 'id', 'id', '');
create trigger change_notice after insert or update or delete on :schema.workspace_member
  for each row execute function :schema.change_notice('organization_id', 'user_id', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.invitation
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');
create trigger change_notice after insert or update or delete on :schema.connect_token
  for each row execute function :schema.change_notice('organization_id', 'id', '', 'user_id');
create trigger change_notice after insert or update or delete on :schema.org_policy
  for each row execute function :schema.change_notice('organization_id', 'organization_id', '', '');
create trigger change_notice after insert or update or delete on :schema.org_provider_api_key
  for each row execute function :schema.change_notice('organization_id', 'provider', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.models_account
  for each row execute function :schema.change_notice('organization_id', 'workspace_id', 'workspace_id', '');
create trigger change_notice after insert or update or delete on :schema.model_route
  for each row execute function :schema.change_notice('organization_id', 'slug', '', '');
create trigger change_notice after insert or update or delete on :schema.guardrail_group
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');
create trigger change_notice after insert or delete or update of title, messages on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
create trigger change_notice_kept after update of pinned_at, archived_at on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
create trigger change_notice after insert or update or delete on :schema.chat_share
  for each row execute function :schema.change_notice('organization_id', 'thread_id', 'workspace_id', '');
create trigger change_notice after insert or delete or update of limit_micros on :schema.spend_cap
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');
create trigger change_notice after insert or update or delete on :schema.project
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', '');
create trigger change_notice after insert or delete or update of state on :schema.project_file
  for each row execute function :schema.change_notice('organization_id', 'project_id', 'workspace_id', '');
create trigger change_notice_moved after update of project_id on :schema.chat_thread
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
create trigger change_notice after insert or update or delete on :schema.prompt
  for each row execute function :schema.change_notice('organization_id', 'id', 'workspace_id', 'user_id');
create trigger change_notice after insert or update or delete on :schema.custom_instructions
  for each row execute function :schema.change_notice('organization_id', 'user_id', '', 'user_id');
