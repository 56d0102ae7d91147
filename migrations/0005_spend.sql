-- expand
-- Who spent what: usage by person, workspace and token, the log of requests, and monthly caps.

-- Usage of a day, added to by the statement that settles a request. Days that are over are added to spend_month, and
-- deleted once they are old (functions/chat.sql). A token is named by the first id of its line (see connect_token.line_id);
-- '' stands for a request without a named token, and for what was recorded before people were. The cost on an
-- organization's own key is the list price at the time. No foreign keys: the record outlives what it names.
create table :schema.spend_day (
  organization_id text not null,
  day             date not null,
  user_id         text not null,
  workspace_id    text not null,
  token_id        text not null,
  model           text not null,
  provider        text not null,
  credential      text not null check (credential in ('models-account', 'own-key', 'platform')),
  surface         text not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  primary key (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface)
);

create table :schema.spend_month (
  organization_id text not null,
  month           date not null,
  user_id         text not null,
  workspace_id    text not null,
  token_id        text not null,
  model           text not null,
  provider        text not null,
  credential      text not null check (credential in ('models-account', 'own-key', 'platform')),
  surface         text not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  primary key (organization_id, month, user_id, workspace_id, token_id, model, provider, credential, surface)
);

-- The sum of each day that is over, kept for good.
create table :schema.spend_trend (
  organization_id text not null,
  day             date not null,
  requests        bigint not null,
  input_tokens    bigint not null,
  output_tokens   bigint not null,
  cost_micros     bigint not null,
  primary key (organization_id, day)
);

-- The last day that is in spend_month and spend_trend.
create table :schema.spend_rolled (
  one     boolean primary key default true check (one),
  through date not null
);
insert into :schema.spend_rolled (through) select coalesce(min(day), (now() at time zone 'UTC')::date) - 1 from :schema.usage_day;
insert into :schema.spend_day (organization_id, day, user_id, workspace_id, token_id, model, provider, credential, surface, requests, input_tokens, output_tokens, cost_micros)
  select organization_id, day, '', '', '', model, provider, credential, '', requests, input_tokens, output_tokens, cost_micros from :schema.usage_day;

-- A cap per member, workspace or token, in micro-dollars per calendar month (UTC). `spent` is that of `month` and counts
-- as zero in any other. `reserved` is always the sum of the subject's open holds, whatever month they were opened in.
create table :schema.spend_cap (
  id              text primary key,
  organization_id text not null references :schema.organization (id) on delete cascade,
  kind            text not null check (kind in ('member', 'workspace', 'token')),
  subject_id      text not null,
  limit_micros    bigint not null check (limit_micros >= 0),
  month           date not null,
  spent           bigint not null default 0 check (spent >= 0),
  reserved        bigint not null default 0 check (reserved >= 0),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (organization_id, kind, subject_id)
);
create trigger chat_version_cap after insert or delete on :schema.spend_cap for each row execute function :schema.chat_version_bump();
create trigger change_notice after insert or delete or update of limit_micros on :schema.spend_cap
  for each row execute function :schema.change_notice('organization_id', 'id', '', '');

-- The number of caps in the organization, changed under the row's lock: an admission that holds it sees every cap.
alter table :schema.org_budget add column caps int not null default 0;

-- Whom an open reservation is counted for.
alter table :schema.chat_hold add column user_id text not null default '';
alter table :schema.chat_hold add column workspace_id text not null default '';
alter table :schema.chat_hold add column token_id text not null default '';
alter table :schema.chat_hold add column surface text not null default '';
alter table :schema.chat_hold add column request_id text not null default '';
alter table :schema.chat_hold add column opened_at timestamptz not null default now();

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
  cost_micros     bigint not null,
  first_token_ms  int,
  duration_ms     int not null
) partition by range (at);
create table :schema.request_log_rest partition of :schema.request_log default;
create index request_log_at on :schema.request_log (organization_id, at, id);
create index request_log_person on :schema.request_log (organization_id, user_id, at, id);
create index request_log_id on :schema.request_log (organization_id, id);

-- What a named token may be used for besides its scopes, and the line of tokens it belongs to: a rotated token is
-- replaced by one of the same line, and both work until the old one is revoked, at a moment that may lie ahead.
alter table :schema.connect_token add column models text[];
alter table :schema.connect_token add column line_id text;
alter table :schema.connect_token add column replaced_by text;

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
create function :schema.removed_name_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the function removed_name_keep is not in place yet';
end $$;
create trigger removed_name after delete on :schema.workspace for each row execute function :schema.removed_name_keep();
create trigger removed_name after delete on :schema.connect_token for each row when (old.name is not null) execute function :schema.removed_name_keep();
