-- Written by src/store/schema.pg.test.ts, which says how: what the migrations make of an empty database.

create table broker_awaiter (
  awaited text collate "C" not null,
  awaiter text collate "C" not null,
  constraint broker_awaiter_pkey PRIMARY KEY (awaited, awaiter)
);
CREATE INDEX broker_awaiter_awaiter ON broker_awaiter USING btree (awaiter);

create table broker_listener (
  promise text collate "C" not null,
  address text collate "C" not null,
  constraint broker_listener_pkey PRIMARY KEY (promise, address)
);

create table broker_origin (
  origin text collate "C" not null,
  revision bigint not null,
  constraint broker_origin_pkey PRIMARY KEY (origin)
);

create table broker_promise (
  id text collate "C" not null,
  state text not null,
  param text not null,
  value text not null,
  tags text not null,
  timeout_at bigint not null,
  created_at bigint not null,
  settled_at bigint,
  owner text collate "C",
  armed boolean not null,
  ends_at bigint not null generated always as (COALESCE(settled_at, timeout_at)) stored,
  constraint broker_promise_pkey PRIMARY KEY (id),
  constraint broker_promise_check CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint broker_promise_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'resolved'::text, 'rejected'::text, 'rejected_canceled'::text, 'rejected_timedout'::text])))
);
CREATE INDEX broker_promise_due ON broker_promise USING btree (timeout_at) WHERE (armed AND (settled_at IS NULL));
CREATE INDEX broker_promise_ended ON broker_promise USING btree (ends_at);
CREATE INDEX broker_promise_owner ON broker_promise USING btree (owner) WHERE (owner IS NOT NULL);

create table broker_replica (
  id text not null,
  started_at bigint not null,
  seen_at bigint not null,
  constraint broker_replica_pkey PRIMARY KEY (id)
);

create table broker_stream (
  id text not null,
  replica text not null,
  task_group text not null,
  pid text not null,
  credit integer not null,
  keeps_leases boolean not null,
  connected_at bigint not null,
  ended_at bigint,
  in_process_table boolean not null default false,
  opened bigint not null generated always as identity,
  constraint broker_stream_pkey PRIMARY KEY (id)
);
CREATE INDEX broker_stream_ended ON broker_stream USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX broker_stream_pid ON broker_stream USING btree (pid);

create table broker_task (
  id text collate "C" not null,
  state text not null,
  version integer not null,
  resumes text not null,
  releases integer not null,
  pid text,
  ttl bigint,
  wake_at bigint,
  queue text not null,
  prefer_pid text,
  lane text collate "C" not null,
  queued_at bigint,
  offered_pid text,
  since bigint not null,
  holder text generated always as (COALESCE(pid, offered_pid)) stored,
  constraint broker_task_pkey PRIMARY KEY (id),
  constraint broker_task_check CHECK (((state = 'pending'::text) OR ((queued_at IS NULL) AND (offered_pid IS NULL)))),
  constraint broker_task_check1 CHECK (((state = 'acquired'::text) = (pid IS NOT NULL))),
  constraint broker_task_check2 CHECK (((queued_at IS NULL) OR (offered_pid IS NULL))),
  constraint broker_task_lane_check CHECK ((lane <> ''::text)),
  constraint broker_task_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'acquired'::text, 'suspended'::text, 'halted'::text, 'fulfilled'::text])))
);
CREATE INDEX broker_task_holder ON broker_task USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX broker_task_queue ON broker_task USING btree (queue, lane, queued_at) WHERE (queued_at IS NOT NULL);
CREATE INDEX broker_task_waiting ON broker_task USING btree (queue, state, since) WHERE (state = ANY (ARRAY['pending'::text, 'halted'::text]));
CREATE INDEX broker_task_wake ON broker_task USING btree (wake_at) WHERE (wake_at IS NOT NULL);

create table broker_unblock (
  queue text not null,
  promise text collate "C" not null,
  queued_at bigint not null,
  constraint broker_unblock_pkey PRIMARY KEY (queue, promise)
);
CREATE INDEX broker_unblock_queued ON broker_unblock USING btree (queued_at);

create table chat_attachment (
  id text not null,
  organization_id text not null,
  user_id text not null,
  thread_id text,
  name text not null,
  type text not null,
  size integer not null,
  content bytea not null,
  created_at timestamp with time zone not null default now(),
  parts jsonb,
  text text,
  text_bytes integer not null default 0,
  constraint chat_attachment_pkey PRIMARY KEY (id),
  constraint chat_attachment_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint chat_attachment_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint chat_attachment_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE
);
CREATE INDEX chat_attachment_owner ON chat_attachment USING btree (organization_id, user_id);
CREATE INDEX chat_attachment_thread ON chat_attachment USING btree (thread_id);
CREATE INDEX chat_attachment_unsent ON chat_attachment USING btree (created_at) WHERE (thread_id IS NULL);
CREATE TRIGGER storage_attachment_gone AFTER DELETE ON chat_attachment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION storage_give_attachments();

create table chat_attachment_piece (
  attachment_id text not null,
  position integer not null,
  text text not null,
  model text not null,
  embedding real[] not null,
  constraint chat_attachment_piece_pkey PRIMARY KEY (attachment_id, "position"),
  constraint chat_attachment_piece_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES chat_attachment(id) ON DELETE CASCADE
);

create table chat_feedback (
  id text not null,
  message_id text not null,
  thread_id text not null,
  organization_id text not null,
  workspace_id text not null,
  user_id text not null,
  project_id text,
  rating text not null,
  reason text not null default ''::text,
  model text not null,
  served text not null default ''::text,
  question text,
  answer text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint chat_feedback_message_id_key UNIQUE (message_id),
  constraint chat_feedback_pkey PRIMARY KEY (id),
  constraint chat_feedback_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint chat_feedback_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE,
  constraint chat_feedback_rating_check CHECK ((rating = ANY (ARRAY['up'::text, 'down'::text])))
);
CREATE INDEX chat_feedback_list ON chat_feedback USING btree (organization_id, id DESC);
CREATE INDEX chat_feedback_person ON chat_feedback USING btree (organization_id, user_id);
CREATE INDEX chat_feedback_thread ON chat_feedback USING btree (thread_id, message_id);

create table chat_hold (
  id text not null,
  organization_id text not null,
  seat_month date not null,
  seat_micros micros not null,
  credit_micros micros not null,
  expires_at timestamp with time zone not null,
  least_micros micros default 0,
  model text not null default ''::text,
  provider text not null default ''::text,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  in_month boolean not null default false,
  user_id text not null default ''::text,
  workspace_id text not null default ''::text,
  token_id text not null default ''::text,
  surface text not null default ''::text,
  request_id text not null default ''::text,
  opened_at timestamp with time zone not null default now(),
  process_id text collate "C" not null default ''::text,
  credential text not null default 'platform'::text,
  served text not null default ''::text,
  constraint chat_hold_pkey PRIMARY KEY (id)
);
CREATE INDEX chat_hold_process ON chat_hold USING btree (process_id, expires_at);

create table chat_import (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  user_id text not null,
  workspace_picked boolean not null,
  with_projects boolean not null,
  name text not null,
  size bigint not null,
  received bigint not null default 0,
  state text not null default 'uploading'::text,
  reason text,
  source text,
  next integer not null default 0,
  progress real not null default 0,
  taken integer not null default 0,
  present integer not null default 0,
  left_out integer not null default 0,
  taken_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  tries integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint chat_import_pkey PRIMARY KEY (id),
  constraint chat_import_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint chat_import_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint chat_import_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX chat_import_active ON chat_import USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX chat_import_list ON chat_import USING btree (organization_id, user_id, id DESC);
CREATE INDEX chat_import_work ON chat_import USING btree (taken_until) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE OF state ON chat_import FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', 'user_id');

create table chat_import_item (
  import_id text not null,
  number integer not null,
  kind text not null,
  outcome text not null,
  title text not null,
  thread_id text,
  reason text,
  messages integer not null default 0,
  notes jsonb not null default '{}'::jsonb,
  constraint chat_import_item_pkey PRIMARY KEY (import_id, number),
  constraint chat_import_item_import_id_fkey FOREIGN KEY (import_id) REFERENCES chat_import(id) ON DELETE CASCADE,
  constraint chat_import_item_kind_check CHECK ((kind = ANY (ARRAY['chat'::text, 'project'::text]))),
  constraint chat_import_item_outcome_check CHECK ((outcome = ANY (ARRAY['taken'::text, 'present'::text, 'left-out'::text])))
);
CREATE INDEX chat_import_item_outcome ON chat_import_item USING btree (import_id, outcome, number);

create table chat_import_piece (
  import_id text not null,
  position integer not null,
  organization_id text not null,
  size integer not null,
  content bytea not null storage e,
  constraint chat_import_piece_pkey PRIMARY KEY (import_id, "position"),
  constraint chat_import_piece_import_id_fkey FOREIGN KEY (import_id) REFERENCES chat_import(id) ON DELETE CASCADE
);
CREATE TRIGGER storage_give AFTER DELETE ON chat_import_piece REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION storage_give_import_pieces();

create table chat_imported (
  organization_id text not null,
  user_id text not null,
  source text not null,
  source_id text not null,
  thread_id text not null,
  constraint chat_imported_thread_id_key UNIQUE (thread_id),
  constraint chat_imported_pkey PRIMARY KEY (organization_id, user_id, source, source_id),
  constraint chat_imported_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE
);

create table chat_message (
  thread_id text not null,
  position integer not null,
  id text not null,
  role text not null,
  parts jsonb not null,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  bytes integer not null,
  text_bytes integer not null,
  constraint chat_message_id_key UNIQUE (id),
  constraint chat_message_pkey PRIMARY KEY (thread_id, "position"),
  constraint chat_message_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE,
  constraint chat_message_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);
CREATE TRIGGER chat_message_measure BEFORE INSERT OR UPDATE OF parts ON chat_message FOR EACH ROW EXECUTE FUNCTION chat_message_measure();
CREATE TRIGGER chat_search_write AFTER INSERT OR UPDATE OF parts ON chat_message FOR EACH ROW EXECUTE FUNCTION chat_search_write();

create table chat_message_search (
  message_id text not null,
  owner text not null,
  workspace_id text not null,
  words tsvector not null storage e,
  constraint chat_message_search_pkey PRIMARY KEY (message_id),
  constraint chat_message_search_message_id_fkey FOREIGN KEY (message_id) REFERENCES chat_message(id) ON DELETE CASCADE
) with (toast_tuple_target=128);
CREATE INDEX chat_message_search_latest ON chat_message_search USING btree (owner, message_id DESC);
CREATE INDEX chat_message_search_words ON chat_message_search USING gin (words) WITH (gin_pending_list_limit='512');

create table chat_message_version (
  thread_id text not null,
  id text not null,
  parent_id text not null,
  role text not null,
  parts jsonb not null,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  shown_at timestamp with time zone not null default clock_timestamp(),
  constraint chat_message_version_pkey PRIMARY KEY (id),
  constraint chat_message_version_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE,
  constraint chat_message_version_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);
CREATE INDEX chat_message_version_parent ON chat_message_version USING btree (thread_id, parent_id, shown_at DESC, id DESC);

create unlogged table chat_rate (
  user_id text not null,
  size integer not null,
  next bigint not null,
  constraint chat_rate_pkey PRIMARY KEY (user_id)
);

create unlogged table chat_rate_slot (
  user_id text not null,
  slot integer not null,
  at timestamp with time zone not null,
  constraint chat_rate_slot_pkey PRIMARY KEY (user_id, slot)
);

create table chat_share (
  id text not null,
  thread_id text not null,
  organization_id text not null,
  workspace_id text not null,
  shared_by text not null,
  title text not null,
  messages integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint chat_share_thread_id_key UNIQUE (thread_id),
  constraint chat_share_pkey PRIMARY KEY (id),
  constraint chat_share_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON chat_share FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'thread_id', 'workspace_id', '');

create table chat_share_message (
  share_id text not null,
  position integer not null,
  id text not null,
  role text not null,
  parts jsonb not null,
  model text,
  created_at timestamp with time zone not null,
  sources jsonb,
  bytes integer not null,
  served text,
  constraint chat_share_message_pkey PRIMARY KEY (share_id, "position"),
  constraint chat_share_message_share_id_fkey FOREIGN KEY (share_id) REFERENCES chat_share(id) ON DELETE CASCADE,
  constraint chat_share_message_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);

create table chat_stream (
  thread_id text not null,
  id text not null,
  message_id text not null,
  state text not null,
  alive_at timestamp with time zone not null default now(),
  followed_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint chat_stream_id_key UNIQUE (id),
  constraint chat_stream_pkey PRIMARY KEY (thread_id),
  constraint chat_stream_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES chat_thread(id) ON DELETE CASCADE,
  constraint chat_stream_state_check CHECK ((state = ANY (ARRAY['open'::text, 'stopping'::text, 'done'::text])))
);
CREATE INDEX chat_stream_age ON chat_stream USING btree (alive_at);

create table chat_stream_chunk (
  stream_id text not null,
  seq integer not null,
  data text not null,
  constraint chat_stream_chunk_pkey PRIMARY KEY (stream_id, seq),
  constraint chat_stream_chunk_stream_id_fkey FOREIGN KEY (stream_id) REFERENCES chat_stream(id) ON DELETE CASCADE
);

create table chat_thread (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  user_id text not null,
  title text not null,
  title_from text not null default 'message'::text,
  workspace_picked boolean not null default false,
  messages integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  pinned_at timestamp with time zone,
  archived_at timestamp with time zone,
  project_id text,
  constraint chat_thread_pkey PRIMARY KEY (id),
  constraint chat_thread_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint chat_thread_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint chat_thread_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE SET NULL,
  constraint chat_thread_title_from_check CHECK ((title_from = ANY (ARRAY['message'::text, 'model'::text, 'person'::text])))
);
CREATE INDEX chat_thread_order ON chat_thread USING btree (user_id, organization_id, ((pinned_at IS NOT NULL)) DESC, updated_at DESC, id DESC);
CREATE INDEX chat_thread_project ON chat_thread USING btree (project_id, user_id) WHERE (project_id IS NOT NULL);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE OF title, messages ON chat_thread FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', 'user_id');
CREATE TRIGGER change_notice_kept AFTER UPDATE OF pinned_at, archived_at ON chat_thread FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', 'user_id');
CREATE TRIGGER change_notice_moved AFTER UPDATE OF project_id ON chat_thread FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', 'user_id');

create table chat_version (
  organization_id text not null,
  version bigint not null,
  constraint chat_version_pkey PRIMARY KEY (organization_id)
);

create table connect_token (
  id text not null,
  user_id text,
  organization_id text,
  workspace_id text,
  name text,
  scopes text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  models text[],
  line_id text,
  replaced_by text,
  constraint connect_token_pkey PRIMARY KEY (id),
  constraint connect_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint connect_token_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint connect_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint connect_token_check CHECK (((name IS NOT NULL) OR (revoked_at IS NOT NULL))),
  constraint connect_token_check1 CHECK (((name IS NULL) OR ((user_id IS NOT NULL) AND (organization_id IS NOT NULL))))
);
CREATE INDEX connect_token_forgettable ON connect_token USING btree (expires_at) WHERE (name IS NULL);
CREATE INDEX connect_token_user ON connect_token USING btree (user_id, id) WHERE (name IS NOT NULL);
CREATE INDEX connect_token_workspace ON connect_token USING btree (organization_id, workspace_id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON connect_token FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', '', 'user_id');
CREATE TRIGGER removed_name AFTER DELETE ON connect_token FOR EACH ROW WHEN ((old.name IS NOT NULL)) EXECUTE FUNCTION removed_name_keep();

create table connect_token_short (
  id text not null,
  user_id text not null,
  session_id text not null,
  expires_at timestamp with time zone not null,
  constraint connect_token_short_pkey PRIMARY KEY (id),
  constraint connect_token_short_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);
CREATE INDEX connect_token_short_expiry ON connect_token_short USING btree (expires_at);
CREATE INDEX connect_token_short_user ON connect_token_short USING btree (user_id);

create table connect_token_use (
  id text not null,
  used_at timestamp with time zone not null,
  constraint connect_token_use_pkey PRIMARY KEY (id),
  constraint connect_token_use_id_fkey FOREIGN KEY (id) REFERENCES connect_token(id) ON DELETE CASCADE
);

create table connection_digest_key (
  single boolean not null default true,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  key_version integer not null,
  constraint connection_digest_key_pkey PRIMARY KEY (single),
  constraint connection_digest_key_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint connection_digest_key_iv_check CHECK ((length(iv) = 12)),
  constraint connection_digest_key_single_check CHECK (single)
);

create table connection_policy (
  connection_id text not null,
  actions jsonb not null default '{}'::jsonb,
  enforce_repositories boolean not null default false,
  selected_repositories text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null default now(),
  updated_by text,
  push text not null default 'off'::text,
  constraint connection_policy_pkey PRIMARY KEY (connection_id),
  constraint connection_policy_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES org_connection_secret(id) ON DELETE CASCADE,
  constraint connection_policy_push_check CHECK ((push = ANY (ARRAY['off'::text, 'branches'::text])))
);

create table connection_removed (
  organization_id text not null,
  reference_digest bytea not null,
  removed_at timestamp with time zone not null default now(),
  constraint connection_removed_pkey PRIMARY KEY (organization_id, reference_digest),
  constraint connection_removed_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
);
comment on table connection_removed is 'Connections of the provider that were removed or replaced here: neither a webhook nor read repair brings them back.';

create table custom_instructions (
  organization_id text not null,
  user_id text not null,
  text text not null,
  enabled boolean not null,
  updated_at timestamp with time zone not null default now(),
  constraint custom_instructions_pkey PRIMARY KEY (organization_id, user_id),
  constraint custom_instructions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON custom_instructions FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'user_id', '', 'user_id');

create table environment (
  id text collate "C" not null,
  organization_id text not null,
  workspace_id text not null,
  name text collate "C" not null,
  setup text not null default ''::text,
  variables jsonb not null default '{}'::jsonb,
  secret_variables text[] not null default '{}'::text[],
  hosts text[] not null default '{}'::text[],
  writable_hosts text[] not null default '{}'::text[],
  repository jsonb,
  minutes integer,
  memory_mib integer,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint environment_pkey PRIMARY KEY (id),
  constraint environment_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint environment_memory_mib_check CHECK ((memory_mib > 0)),
  constraint environment_minutes_check CHECK ((minutes > 0))
);
CREATE UNIQUE INDEX environment_name ON environment USING btree (organization_id, workspace_id, name);
CREATE INDEX environment_person ON environment USING btree (created_by);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON environment FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', '');

create table environment_secret (
  environment_id text collate "C" not null,
  name text collate "C" not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  updated_at timestamp with time zone not null default now(),
  constraint environment_secret_pkey PRIMARY KEY (environment_id, name),
  constraint environment_secret_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment(id) ON DELETE CASCADE,
  constraint environment_secret_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint environment_secret_iv_check CHECK ((length(iv) = 12))
);

create table environment_setup (
  environment_id text collate "C" not null,
  digest text not null,
  organization_id text not null,
  workspace_id text not null,
  state text not null,
  build text not null,
  log text not null default ''::text,
  bytes bigint not null default 0,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  used_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone,
  constraint environment_setup_pkey PRIMARY KEY (environment_id, digest),
  constraint environment_setup_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment(id) ON DELETE CASCADE,
  constraint environment_setup_check CHECK (((state = 'building'::text) = (lease_until IS NOT NULL))),
  constraint environment_setup_state_check CHECK ((state = ANY (ARRAY['building'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX environment_setup_used ON environment_setup USING btree (used_at);
CREATE INDEX environment_setup_workspace ON environment_setup USING btree (organization_id, workspace_id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE OF state ON environment_setup FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'environment_id', 'workspace_id', '');

create table erasure (
  kind text not null,
  subject_id text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint erasure_pkey PRIMARY KEY (kind, subject_id),
  constraint erasure_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'organization'::text, 'workspace'::text])))
);
CREATE INDEX erasure_due ON erasure USING btree (due_at) WHERE (finished_at IS NULL);

create table guardrail_group (
  id text not null,
  organization_id text not null,
  latest_version integer not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  constraint guardrail_group_pkey PRIMARY KEY (id),
  constraint guardrail_group_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint guardrail_group_latest_version_check CHECK ((latest_version >= 1))
);
CREATE INDEX guardrail_group_organization ON guardrail_group USING btree (organization_id, id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON guardrail_group FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', '', '');

create table guardrail_version (
  group_id text not null,
  version integer not null,
  name text not null,
  rules jsonb not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  constraint guardrail_version_pkey PRIMARY KEY (group_id, version),
  constraint guardrail_version_group_id_fkey FOREIGN KEY (group_id) REFERENCES guardrail_group(id) ON DELETE CASCADE,
  constraint guardrail_version_version_check CHECK ((version >= 1))
);

create table identity_account (
  id text not null,
  user_id text not null,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint identity_account_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint identity_account_pkey PRIMARY KEY (id),
  constraint identity_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);
CREATE INDEX identity_account_user ON identity_account USING btree (user_id);

create table identity_challenge (
  digest text not null,
  kind text not null,
  user_id text,
  remember boolean not null,
  tries integer not null default 0,
  expires_at timestamp with time zone not null,
  constraint identity_challenge_pkey PRIMARY KEY (digest),
  constraint identity_challenge_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint identity_challenge_digest_check CHECK ((digest ~~ 'sha256:%'::text)),
  constraint identity_challenge_kind_check CHECK ((kind = ANY (ARRAY['new-passkey'::text, 'passkey-sign-in'::text, 'passkey-proof'::text, 'second-factor'::text])))
);
CREATE INDEX identity_challenge_expires ON identity_challenge USING btree (expires_at);
CREATE INDEX identity_challenge_user ON identity_challenge USING btree (user_id);

create table identity_device_code (
  id text not null,
  device_code text not null,
  user_code text not null,
  user_id text,
  client_id text,
  scope text,
  status text not null,
  polling_interval integer,
  last_polled_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  session_id text,
  constraint identity_device_code_device_code_key UNIQUE (device_code),
  constraint identity_device_code_user_code_key UNIQUE (user_code),
  constraint identity_device_code_pkey PRIMARY KEY (id),
  constraint identity_device_code_session_id_fkey FOREIGN KEY (session_id) REFERENCES identity_session(id) ON DELETE CASCADE,
  constraint identity_device_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint identity_device_code_is_digest CHECK (((device_code ~~ 'sha256:%'::text) AND (user_code ~~ 'hmac-sha256:%'::text))),
  constraint identity_device_code_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text])))
);
CREATE INDEX identity_device_code_expiry ON identity_device_code USING btree (expires_at);
CREATE INDEX identity_device_code_session ON identity_device_code USING btree (session_id);
CREATE INDEX identity_device_code_user ON identity_device_code USING btree (user_id);

create table identity_link (
  digest text not null,
  kind text not null,
  user_id text not null,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint identity_link_pkey PRIMARY KEY (digest),
  constraint identity_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint identity_link_digest_check CHECK ((digest ~~ 'sha256:%'::text)),
  constraint identity_link_kind_check CHECK ((kind = ANY (ARRAY['reset-password'::text, 'prove-address'::text])))
);
CREATE INDEX identity_link_expires ON identity_link USING btree (expires_at);
CREATE INDEX identity_link_user ON identity_link USING btree (user_id, kind);

create table identity_one_time_code (
  user_id text not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint identity_one_time_code_pkey PRIMARY KEY (user_id),
  constraint identity_one_time_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);

create table identity_passkey (
  id text not null,
  user_id text not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint identity_passkey_credential_id_key UNIQUE (credential_id),
  constraint identity_passkey_pkey PRIMARY KEY (id),
  constraint identity_passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);
CREATE INDEX identity_passkey_user ON identity_passkey USING btree (user_id, id);

create table identity_recovery_code (
  digest text not null,
  user_id text not null,
  constraint identity_recovery_code_pkey PRIMARY KEY (digest),
  constraint identity_recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint identity_recovery_code_digest_check CHECK ((digest ~~ 'sha256:%'::text))
);
CREATE INDEX identity_recovery_code_user ON identity_recovery_code USING btree (user_id);

create table identity_session (
  id text not null,
  user_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  method text not null default 'password'::text,
  second_factor boolean not null default false,
  proved_at timestamp with time zone not null default now(),
  issuer text,
  subject text,
  provider_session text,
  seen_at timestamp with time zone,
  constraint identity_session_token_key UNIQUE (token),
  constraint identity_session_pkey PRIMARY KEY (id),
  constraint identity_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint identity_session_method_check CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'openid'::text]))),
  constraint identity_session_token_is_digest CHECK ((token ~~ 'sha256:%'::text))
);
CREATE INDEX identity_session_expiry ON identity_session USING btree (expires_at);
CREATE INDEX identity_session_provider ON identity_session USING btree (issuer, subject) WHERE (issuer IS NOT NULL);
CREATE INDEX identity_session_provider_session ON identity_session USING btree (issuer, provider_session) WHERE (provider_session IS NOT NULL);
CREATE INDEX identity_session_user ON identity_session USING btree (user_id);

create table identity_user (
  id text not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  language text,
  managed_by text,
  shut_by text,
  run_mails boolean not null default false,
  constraint identity_user_email_key UNIQUE (email),
  constraint identity_user_pkey PRIMARY KEY (id),
  constraint identity_user_managed_by_fkey FOREIGN KEY (managed_by) REFERENCES organization(id) ON DELETE SET NULL,
  constraint identity_user_shut_by_fkey FOREIGN KEY (shut_by) REFERENCES organization(id) ON DELETE SET NULL,
  constraint identity_user_email_check CHECK ((email = lower(email))),
  constraint identity_user_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text])))
);
CREATE INDEX identity_user_disabled ON identity_user USING btree (id) WHERE (disabled_at IS NOT NULL);
CREATE INDEX identity_user_managed ON identity_user USING btree (managed_by) WHERE (managed_by IS NOT NULL);
CREATE INDEX identity_user_shut ON identity_user USING btree (shut_by) WHERE (shut_by IS NOT NULL);

create table identity_verification (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint identity_verification_pkey PRIMARY KEY (id)
);
CREATE INDEX identity_verification_expiry ON identity_verification USING btree (expires_at);
CREATE INDEX identity_verification_identifier ON identity_verification USING btree (identifier);

create table invitation (
  id text not null,
  organization_id text not null,
  email text not null,
  role text not null,
  invited_by text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_by text,
  accepted_at timestamp with time zone,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES identity_user(id),
  constraint invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES identity_user(id),
  constraint invitation_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint invitation_check CHECK (((accepted_by IS NULL) = (accepted_at IS NULL))),
  constraint invitation_email_check CHECK ((email = lower(email))),
  constraint invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);
CREATE UNIQUE INDEX invitation_one_open ON invitation USING btree (organization_id, email) WHERE (accepted_at IS NULL);
CREATE INDEX invitation_organization ON invitation USING btree (organization_id, id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON invitation FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', '', '');

create table job (
  id text collate "C" not null,
  organization_id text,
  workspace_id text,
  created_by text,
  kind text not null,
  task text,
  objective text not null,
  model text,
  capabilities text[] not null default '{}'::text[],
  funding_workspace_id text,
  idempotency_key text,
  request_hash bytea not null,
  status text not null,
  attempt integer not null default 0,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  result jsonb,
  error text,
  head_idx bigint not null,
  head_hash bytea not null,
  waiting_reason text,
  round integer not null default 0,
  look_at timestamp with time zone,
  changed_by xid8 not null default pg_current_xact_id(),
  scopes text[] not null default '{}'::text[],
  started_with text,
  token_id text,
  grant_id text,
  project_id text,
  started_by text,
  continues text,
  environment text,
  deliver text,
  messages integer not null default 0,
  messages_read integer not null default 0,
  constraint job_pkey PRIMARY KEY (id),
  constraint job_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint job_check CHECK (((organization_id IS NULL) = (workspace_id IS NULL))),
  constraint job_check1 CHECK (((organization_id IS NULL) = (task IS NOT NULL))),
  constraint job_check2 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text, 'aborted'::text])))),
  constraint job_deliver_check CHECK ((deliver = ANY (ARRAY['branch'::text, 'pull-request'::text]))),
  constraint job_kind_check CHECK ((kind = ANY (ARRAY['chat'::text, 'control'::text, 'codex'::text]))),
  constraint job_started_with_check CHECK ((started_with = ANY (ARRAY['session'::text, 'token'::text, 'grant'::text]))),
  constraint job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'aborted'::text])))
);
CREATE INDEX job_changes ON job USING btree (workspace_id, changed_by) WHERE (workspace_id IS NOT NULL);
CREATE INDEX job_continues ON job USING btree (continues) WHERE (continues IS NOT NULL);
CREATE INDEX job_due ON job USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX job_ended ON job USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX job_idempotency ON job USING btree (COALESCE(organization_id, ''::text), idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX job_of_person ON job USING btree (created_by, id) WHERE (created_by IS NOT NULL);
CREATE INDEX job_of_service ON job USING btree (id) WHERE (organization_id IS NULL);
CREATE INDEX job_of_workspace ON job USING btree (workspace_id, id) WHERE (workspace_id IS NOT NULL);
CREATE INDEX job_of_workspace_status ON job USING btree (workspace_id, status, id) WHERE (workspace_id IS NOT NULL);
CREATE INDEX job_open ON job USING btree (status, waiting_reason) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX job_open_of_person ON job USING btree (created_by, status, organization_id, workspace_id, token_id, grant_id) WHERE ((status = ANY (ARRAY['queued'::text, 'running'::text])) AND (created_by IS NOT NULL));

create table job_storage (
  job_id text not null,
  organization_id text not null,
  bytes bigint not null,
  constraint job_storage_pkey PRIMARY KEY (job_id),
  constraint job_storage_bytes_check CHECK ((bytes >= 0))
);

create table mail (
  id text collate "C" not null,
  recipient text not null,
  kind text not null,
  language text not null,
  caused_by text,
  ciphertext bytea,
  iv bytea,
  auth_tag bytea,
  created_at timestamp with time zone not null,
  next_at timestamp with time zone,
  tries integer not null default 0,
  sent_at timestamp with time zone,
  failure text,
  constraint mail_pkey PRIMARY KEY (id),
  constraint mail_check CHECK (((next_at IS NULL) = (ciphertext IS NULL))),
  constraint mail_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text])))
);
CREATE INDEX mail_caused ON mail USING btree (caused_by, created_at) WHERE (caused_by IS NOT NULL);
CREATE INDEX mail_created ON mail USING btree (created_at);
CREATE INDEX mail_due ON mail USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX mail_recipient ON mail USING btree (recipient, created_at);

create table migration (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  oldest_build integer not null,
  constraint migration_pkey PRIMARY KEY (version)
);

create table migration_function (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default clock_timestamp(),
  constraint migration_function_pkey PRIMARY KEY (name, checksum)
);

create table model_route (
  organization_id text not null,
  slug text not null,
  models text[] not null,
  move_on text[] not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint model_route_pkey PRIMARY KEY (organization_id, slug),
  constraint model_route_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint model_route_models_check CHECK (((cardinality(models) >= 1) AND (cardinality(models) <= 5)))
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON model_route FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'slug', '', '');
CREATE TRIGGER chat_version_route AFTER INSERT OR DELETE OR UPDATE ON model_route FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table models_account (
  organization_id text not null,
  workspace_id text not null,
  id text not null,
  place integer not null,
  protocol text not null,
  auth text not null,
  base_url text not null,
  models text[] not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  key_version integer not null,
  fingerprint text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  takes_effort boolean not null default false,
  constraint models_account_pkey PRIMARY KEY (organization_id, workspace_id, id),
  constraint models_account_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint models_account_auth_check CHECK ((auth = ANY (ARRAY['bearer'::text, 'azure'::text, 'aws'::text, 'google'::text]))),
  constraint models_account_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint models_account_iv_check CHECK ((length(iv) = 12)),
  constraint models_account_protocol_check CHECK ((protocol = ANY (ARRAY['chat'::text, 'responses'::text, 'messages'::text])))
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON models_account FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'workspace_id', 'workspace_id', '');
CREATE TRIGGER chat_version_account AFTER INSERT OR DELETE OR UPDATE ON models_account FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table oauth_access_token (
  token_id text not null,
  grant_id text not null,
  expires_at timestamp with time zone not null,
  constraint oauth_access_token_pkey PRIMARY KEY (token_id),
  constraint oauth_access_token_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grant(id) ON DELETE CASCADE
);
CREATE INDEX oauth_access_token_expiry ON oauth_access_token USING btree (expires_at);
CREATE INDEX oauth_access_token_grant ON oauth_access_token USING btree (grant_id);

create table oauth_client (
  id text not null,
  name text not null,
  uri text,
  application_type text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint oauth_client_pkey PRIMARY KEY (id),
  constraint oauth_client_application_type_check CHECK ((application_type = ANY (ARRAY['native'::text, 'web'::text])))
);
CREATE INDEX oauth_client_used ON oauth_client USING btree (used_at);

create table oauth_code (
  hash bytea not null,
  grant_id text not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_code_pkey PRIMARY KEY (hash),
  constraint oauth_code_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grant(id) ON DELETE CASCADE
);
CREATE INDEX oauth_code_expiry ON oauth_code USING btree (expires_at);
CREATE INDEX oauth_code_grant ON oauth_code USING btree (grant_id);

create table oauth_grant (
  id text not null,
  user_id text not null,
  client_id text not null,
  client_name text not null,
  organization_id text not null,
  workspace_id text,
  scopes text[] not null,
  offline boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint oauth_grant_pkey PRIMARY KEY (id),
  constraint oauth_grant_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);
CREATE INDEX oauth_grant_used ON oauth_grant USING btree (used_at);
CREATE INDEX oauth_grant_user ON oauth_grant USING btree (user_id, id);

create table oauth_refresh_token (
  hash bytea not null,
  grant_id text not null,
  client_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_refresh_token_pkey PRIMARY KEY (hash),
  constraint oauth_refresh_token_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grant(id) ON DELETE CASCADE
);
CREATE INDEX oauth_refresh_token_expiry ON oauth_refresh_token USING btree (expires_at);
CREATE INDEX oauth_refresh_token_grant ON oauth_refresh_token USING btree (grant_id);

create table oauth_request (
  id text not null,
  client_id text not null,
  client_name text not null,
  client_uri text,
  redirect_uri text not null,
  state text,
  scopes text[] not null,
  offline boolean not null,
  code_challenge text not null,
  user_id text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  error text,
  error_description text,
  constraint oauth_request_pkey PRIMARY KEY (id),
  constraint oauth_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE,
  constraint oauth_request_error_is_described CHECK (((error IS NULL) = (error_description IS NULL))),
  constraint oauth_request_id_is_digest CHECK ((id ~~ 'sha256:%'::text))
);
CREATE INDEX oauth_request_expiry ON oauth_request USING btree (expires_at);
CREATE INDEX oauth_request_user ON oauth_request USING btree (user_id);

create table openid_used (
  digest text not null,
  expires_at timestamp with time zone not null,
  constraint openid_used_pkey PRIMARY KEY (digest),
  constraint openid_used_digest_check CHECK ((digest ~~ 'sha256:%'::text))
);
CREATE INDEX openid_used_expires ON openid_used USING btree (expires_at);

create table operator_act (
  id text collate "C" not null,
  at timestamp with time zone not null,
  operator text not null,
  act text not null,
  kind text not null,
  subject_id text not null,
  constraint operator_act_pkey PRIMARY KEY (id),
  constraint operator_act_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'organization'::text])))
);

create table org_budget (
  organization_id text not null,
  credit_spent micros not null default 0,
  credit_reserved micros not null default 0,
  seat_month date not null,
  seat_spent micros not null default 0,
  seat_reserved micros not null default 0,
  caps integer not null default 0,
  constraint org_budget_pkey PRIMARY KEY (organization_id),
  constraint org_budget_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id)
);

create table org_connection_secret (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  provider text not null,
  name text not null,
  kind text not null,
  status text not null,
  reason text,
  expiry timestamp with time zone,
  last_validated_at timestamp with time zone,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  key_version integer not null,
  reference_digest bytea,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by text,
  authorized_by text,
  provider_created_at timestamp with time zone,
  constraint org_connection_secret_organization_id_workspace_id_provider_key UNIQUE (organization_id, workspace_id, provider, name),
  constraint org_connection_secret_pkey PRIMARY KEY (id),
  constraint org_connection_secret_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint org_connection_secret_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint org_connection_secret_check CHECK (((kind = 'integration-reference'::text) = (reference_digest IS NOT NULL))),
  constraint org_connection_secret_iv_check CHECK ((length(iv) = 12)),
  constraint org_connection_secret_kind_check CHECK ((kind = ANY (ARRAY['integration-reference'::text, 'local-cloud-profile'::text, 'cloud-credential-process'::text, 'code-host-token'::text]))),
  constraint org_connection_secret_status_check CHECK ((status = ANY (ARRAY['valid'::text, 'expired'::text, 'invalid'::text])))
);
CREATE INDEX org_connection_secret_digest ON org_connection_secret USING btree (reference_digest) WHERE (reference_digest IS NOT NULL);

create table org_policy (
  organization_id text not null,
  disabled_providers text[] not null default '{}'::text[],
  disabled_models text[] not null default '{}'::text[],
  require_zdr boolean not null default false,
  enforce_study_mode boolean not null default false,
  require_provider_key boolean not null default false,
  inherit_organization_keys boolean not null default false,
  tool_switches jsonb not null default '{}'::jsonb,
  modules jsonb not null default '{"rateLimiting": {}, "toolApproval": {}, "loggingConfig": {}, "budgetLimiting": {}}'::jsonb,
  provider_key_summary jsonb,
  updated_at timestamp with time zone not null default now(),
  disable_sharing boolean not null default false,
  allow_unlisted_models boolean not null default false,
  require_second_factor boolean not null default false,
  constraint org_policy_pkey PRIMARY KEY (organization_id),
  constraint org_policy_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id)
);
CREATE INDEX org_policy_second_factor ON org_policy USING btree (organization_id) WHERE require_second_factor;
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON org_policy FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'organization_id', '', '');
CREATE TRIGGER chat_version_policy AFTER INSERT OR DELETE OR UPDATE ON org_policy FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table org_provider_api_key (
  organization_id text not null,
  workspace_id text not null,
  provider text not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  key_version integer not null,
  fingerprint text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint org_provider_api_key_pkey PRIMARY KEY (organization_id, workspace_id, provider),
  constraint org_provider_api_key_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint org_provider_api_key_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint org_provider_api_key_iv_check CHECK ((length(iv) = 12))
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON org_provider_api_key FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'provider', 'workspace_id', '');
CREATE TRIGGER chat_version_key AFTER INSERT OR DELETE OR UPDATE ON org_provider_api_key FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table org_storage (
  organization_id text not null,
  bytes bigint not null,
  constraint org_storage_pkey PRIMARY KEY (organization_id),
  constraint org_storage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint org_storage_bytes_check CHECK ((bytes >= 0))
);

create table organization (
  id text not null,
  slug text not null,
  name text not null,
  plan text not null,
  signup_credit_micros bigint not null,
  created_at timestamp with time zone not null default now(),
  created_by text,
  deleted_at timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint organization_slug_key UNIQUE (slug),
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_created_by_fkey FOREIGN KEY (created_by) REFERENCES identity_user(id),
  constraint organization_id_or_slug CHECK (((id ~~ '%\_%'::text) AND (slug !~~ '%\_%'::text))),
  constraint organization_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'team'::text, 'business'::text]))),
  constraint organization_signup_credit_micros_check CHECK ((signup_credit_micros >= 0))
);
CREATE INDEX organization_creator ON organization USING btree (created_by);
CREATE INDEX organization_shut ON organization USING btree (id) WHERE ((deleted_at IS NOT NULL) OR (disabled_at IS NOT NULL));
CREATE TRIGGER change_notice AFTER UPDATE OF slug, name, plan ON organization FOR EACH ROW EXECUTE FUNCTION change_notice('id', 'id', '', '');
CREATE TRIGGER chat_version_organization AFTER UPDATE ON organization FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table organization_member (
  organization_id text not null,
  user_id text not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  given_by text,
  suspended_at timestamp with time zone,
  constraint organization_member_pkey PRIMARY KEY (organization_id, user_id),
  constraint organization_member_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint organization_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id),
  constraint organization_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);
CREATE INDEX organization_member_user ON organization_member USING btree (user_id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON organization_member FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'user_id', '', '');
CREATE TRIGGER chat_version_member AFTER INSERT OR DELETE OR UPDATE ON organization_member FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table platform_month (
  month date not null,
  spent micros not null default 0,
  reserved micros not null default 0,
  constraint platform_month_pkey PRIMARY KEY (month)
);

create unlogged table process (
  id text collate "C" not null,
  role text not null,
  host text not null,
  pid integer not null,
  version text not null,
  task_group text,
  state text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  figures jsonb not null,
  present_since timestamp with time zone not null default now(),
  constraint process_pkey PRIMARY KEY (id),
  constraint process_state CHECK ((state = ANY (ARRAY['running'::text, 'stopping'::text])))
) with (fillfactor=50);

create table project (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  name text not null,
  description text not null default ''::text,
  instructions text not null default ''::text,
  model text,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sharing text not null default 'edit'::text,
  managed_by text,
  constraint project_pkey PRIMARY KEY (id),
  constraint project_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint project_sharing_check CHECK ((sharing = ANY (ARRAY['private'::text, 'use'::text, 'edit'::text])))
);
CREATE INDEX project_workspace ON project USING btree (organization_id, workspace_id, id DESC);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON project FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', '');

create table project_file (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  project_id text not null,
  name text not null,
  type text not null,
  size integer not null,
  user_id text not null,
  added_by text not null,
  state text not null default 'waiting'::text,
  reason text,
  taken_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  tries integer not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint project_file_pkey PRIMARY KEY (id),
  constraint project_file_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE,
  constraint project_file_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX project_file_list ON project_file USING btree (project_id, id DESC);
CREATE INDEX project_file_waiting ON project_file USING btree (taken_until) WHERE (state = 'waiting'::text);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE OF state ON project_file FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'project_id', 'workspace_id', '');
CREATE TRIGGER storage_file_gone AFTER DELETE ON project_file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION storage_give_project_files();

create table project_file_content (
  file_id text not null,
  content bytea not null,
  constraint project_file_content_pkey PRIMARY KEY (file_id),
  constraint project_file_content_file_id_fkey FOREIGN KEY (file_id) REFERENCES project_file(id) ON DELETE CASCADE
);

create table project_piece (
  file_id text not null,
  position integer not null,
  project_id text not null,
  text text not null,
  words tsvector not null,
  model text,
  embedding real[],
  constraint project_piece_pkey PRIMARY KEY (file_id, "position"),
  constraint project_piece_file_id_fkey FOREIGN KEY (file_id) REFERENCES project_file(id) ON DELETE CASCADE
);
CREATE INDEX project_piece_project ON project_piece USING btree (project_id);
CREATE INDEX project_piece_words ON project_piece USING gin (words);

create table prompt (
  id text not null,
  organization_id text not null,
  user_id text,
  workspace_id text,
  name text not null,
  text text not null,
  created_by text not null,
  created_by_name text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint prompt_pkey PRIMARY KEY (id),
  constraint prompt_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint prompt_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint prompt_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint prompt_check CHECK (((user_id IS NULL) <> (workspace_id IS NULL)))
);
CREATE INDEX prompt_list ON prompt USING btree (organization_id, name COLLATE "C", id);
CREATE UNIQUE INDEX prompt_own ON prompt USING btree (organization_id, user_id, name) WHERE (workspace_id IS NULL);
CREATE UNIQUE INDEX prompt_shared ON prompt USING btree (workspace_id, name) WHERE (workspace_id IS NOT NULL);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON prompt FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', 'user_id');

create table receipt (
  stream text collate "C" not null,
  idx bigint not null,
  prev bytea not null,
  hash bytea not null,
  body text not null,
  kind text generated always as ("substring"("right"(body, 128), '"kind":"([^"]*)"}$'::text)) stored,
  constraint receipt_pkey PRIMARY KEY (stream, idx)
);
CREATE TRIGGER receipt_append_only BEFORE DELETE OR UPDATE ON receipt FOR EACH ROW EXECUTE FUNCTION receipt_refuse();
CREATE TRIGGER receipt_enter AFTER INSERT ON receipt REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipt_enter();
CREATE TRIGGER receipt_hash BEFORE INSERT ON receipt FOR EACH ROW WHEN ((new.hash IS DISTINCT FROM sha256((new.prev || convert_to(new.body, 'UTF8'::name))))) EXECUTE FUNCTION receipt_refuse();
CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON receipt FOR EACH STATEMENT EXECUTE FUNCTION receipt_refuse();

create table receipt_checkpoint (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  streams bigint not null,
  root bytea not null,
  constraint receipt_checkpoint_pkey PRIMARY KEY (id)
);

create table receipt_checkpoint_head (
  stream text collate "C" not null,
  idx bigint not null,
  hash bytea not null,
  constraint receipt_checkpoint_head_pkey PRIMARY KEY (stream)
);

create table receipt_entry (
  workspace_id text collate "C" not null,
  at text collate "C" not null,
  stream text collate "C" not null,
  idx bigint not null,
  kind text collate "C" not null,
  person text collate "C",
  app text collate "C",
  tool text collate "C",
  constraint receipt_entry_pkey PRIMARY KEY (workspace_id, at, stream, idx)
);
CREATE INDEX receipt_entry_app ON receipt_entry USING btree (workspace_id, app, at) WHERE (app IS NOT NULL);
CREATE INDEX receipt_entry_person ON receipt_entry USING btree (workspace_id, person, at) WHERE (person IS NOT NULL);

create table receipt_head (
  stream text collate "C" not null,
  idx bigint not null,
  hash bytea not null,
  constraint receipt_head_pkey PRIMARY KEY (stream)
) with (fillfactor=50);

create table recipe (
  id text collate "C" not null,
  organization_id text not null,
  workspace_id text not null,
  name text collate "C" not null,
  description text not null default ''::text,
  objective text not null,
  run_kind text not null,
  model text,
  capabilities text[] not null default '{}'::text[],
  funding_workspace_id text,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  environment text,
  deliver text,
  constraint recipe_pkey PRIMARY KEY (id),
  constraint recipe_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint recipe_deliver_check CHECK ((deliver = ANY (ARRAY['branch'::text, 'pull-request'::text]))),
  constraint recipe_run_kind_check CHECK ((run_kind = ANY (ARRAY['chat'::text, 'codex'::text])))
);
CREATE UNIQUE INDEX recipe_name ON recipe USING btree (organization_id, workspace_id, lower(name));
CREATE INDEX recipe_person ON recipe USING btree (created_by);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON recipe FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'workspace_id', '');

create table removed_name (
  id text not null,
  name text not null,
  removed_at timestamp with time zone not null default now(),
  organization_id text,
  user_id text,
  constraint removed_name_pkey PRIMARY KEY (id)
);

create table request_log_rest (
  id text not null,
  at timestamp with time zone not null,
  organization_id text not null,
  user_id text not null,
  workspace_id text not null,
  token_id text not null,
  surface text not null,
  model text not null,
  provider text not null,
  credential text not null,
  status integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint,
  first_token_ms integer,
  duration_ms integer not null,
  served text not null default ''::text
);
CREATE INDEX request_log_rest_organization_id_at_id_idx ON request_log_rest USING btree (organization_id, at, id);
CREATE INDEX request_log_rest_organization_id_id_idx ON request_log_rest USING btree (organization_id, id);
CREATE INDEX request_log_rest_organization_id_user_id_at_id_idx ON request_log_rest USING btree (organization_id, user_id, at, id);

create table run_mail (
  job_id text collate "C" not null,
  user_id text not null,
  created_at timestamp with time zone not null,
  constraint run_mail_pkey PRIMARY KEY (job_id),
  constraint run_mail_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE,
  constraint run_mail_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);
CREATE INDEX run_mail_person ON run_mail USING btree (user_id);

create table run_message (
  job_id text collate "C" not null,
  number integer not null,
  id text not null,
  text text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  key text,
  constraint run_message_pkey PRIMARY KEY (job_id, number),
  constraint run_message_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(id) ON DELETE CASCADE,
  constraint run_message_number_check CHECK ((number > 0))
);
CREATE INDEX run_message_person ON run_message USING btree (created_by);

create table run_trigger (
  id text collate "C" not null,
  source text not null,
  filter jsonb not null default '[]'::jsonb,
  constraint run_trigger_pkey PRIMARY KEY (id),
  constraint run_trigger_id_fkey FOREIGN KEY (id) REFERENCES standing_run(id) ON DELETE CASCADE,
  constraint run_trigger_source_check CHECK ((source = ANY (ARRAY['generic'::text, 'github'::text, 'gitlab'::text, 'linear'::text, 'slack'::text, 'stripe'::text, 'standard-webhooks'::text])))
);

create table schedule (
  id text collate "C" not null,
  cron text,
  timezone text,
  every_seconds integer,
  at timestamp with time zone,
  anchored_at timestamp with time zone not null,
  overlap text not null,
  catch_up text not null,
  next_at timestamp with time zone,
  look_at timestamp with time zone,
  firing_at timestamp with time zone,
  constraint schedule_pkey PRIMARY KEY (id),
  constraint schedule_id_fkey FOREIGN KEY (id) REFERENCES standing_run(id) ON DELETE CASCADE,
  constraint schedule_catch_up_check CHECK ((catch_up = ANY (ARRAY['one'::text, 'none'::text]))),
  constraint schedule_check CHECK ((num_nonnulls(cron, every_seconds, at) = 1)),
  constraint schedule_check1 CHECK (((cron IS NULL) = (timezone IS NULL))),
  constraint schedule_check2 CHECK (((next_at IS NULL) = (look_at IS NULL))),
  constraint schedule_check3 CHECK (((firing_at IS NULL) OR (next_at IS NOT NULL))),
  constraint schedule_every_seconds_check CHECK ((every_seconds > 0)),
  constraint schedule_overlap_check CHECK ((overlap = ANY (ARRAY['skip'::text, 'queue'::text, 'abort'::text])))
);
CREATE INDEX schedule_look ON schedule USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX schedule_next ON schedule USING btree (next_at) WHERE (next_at IS NOT NULL);

create table schedule_firing (
  schedule_id text collate "C" not null,
  planned_at timestamp with time zone not null,
  at timestamp with time zone not null,
  outcome text not null,
  job_id text,
  code text,
  constraint schedule_firing_pkey PRIMARY KEY (schedule_id, planned_at),
  constraint schedule_firing_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES standing_run(id) ON DELETE CASCADE,
  constraint schedule_firing_outcome_check CHECK ((outcome = ANY (ARRAY['started'::text, 'skipped'::text, 'refused'::text])))
);

create table scim_group (
  workspace_id text not null,
  organization_id text not null,
  external_id text,
  changed_at timestamp with time zone not null,
  constraint scim_group_pkey PRIMARY KEY (workspace_id),
  constraint scim_group_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_group_external ON scim_group USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

create table scim_token (
  id text collate "C" not null,
  organization_id text not null,
  digest text not null,
  created_by text,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint scim_token_digest_key UNIQUE (digest),
  constraint scim_token_pkey PRIMARY KEY (id),
  constraint scim_token_created_by_fkey FOREIGN KEY (created_by) REFERENCES identity_user(id) ON DELETE SET NULL,
  constraint scim_token_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint scim_token_digest_check CHECK ((digest ~~ 'sha256:%'::text))
);
CREATE INDEX scim_token_maker ON scim_token USING btree (created_by);
CREATE INDEX scim_token_organization ON scim_token USING btree (organization_id, id);

create table scim_user (
  organization_id text not null,
  user_id text not null,
  user_name text not null,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  formatted_name text,
  email text,
  changed_at timestamp with time zone not null,
  constraint scim_user_pkey PRIMARY KEY (organization_id, user_id),
  constraint scim_user_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_user_external ON scim_user USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX scim_user_name ON scim_user USING btree (organization_id, lower(user_name));

create table signup_credit_grant (
  user_id text not null,
  organization_id text not null,
  granted_at timestamp with time zone not null default now(),
  constraint signup_credit_grant_pkey PRIMARY KEY (user_id),
  constraint signup_credit_grant_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity_user(id) ON DELETE CASCADE
);

create table spend_cap (
  id text not null,
  organization_id text not null,
  kind text not null,
  subject_id text not null,
  limit_micros micros not null,
  month date not null,
  spent micros not null default 0,
  reserved micros not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  warned_month date,
  warned_percent smallint,
  constraint spend_cap_organization_id_kind_subject_id_key UNIQUE (organization_id, kind, subject_id),
  constraint spend_cap_pkey PRIMARY KEY (id),
  constraint spend_cap_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint spend_cap_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'workspace'::text, 'token'::text])))
);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE OF limit_micros ON spend_cap FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', '', '');
CREATE TRIGGER chat_version_cap AFTER INSERT OR DELETE ON spend_cap FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create table spend_day (
  organization_id text not null,
  day date not null,
  user_id text not null,
  workspace_id text not null,
  token_id text not null,
  model text not null,
  provider text not null,
  credential credential not null,
  surface text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint not null,
  unpriced bigint not null default 0,
  served text not null default ''::text,
  constraint spend_day_pkey PRIMARY KEY (organization_id, day, user_id, workspace_id, token_id, model, served, provider, credential, surface)
);

create table spend_month (
  organization_id text not null,
  month date not null,
  user_id text not null,
  workspace_id text not null,
  token_id text not null,
  model text not null,
  provider text not null,
  credential credential not null,
  surface text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint not null,
  unpriced bigint not null default 0,
  served text not null default ''::text,
  constraint spend_month_pkey PRIMARY KEY (organization_id, month, user_id, workspace_id, token_id, model, served, provider, credential, surface)
);

create table spend_rolled (
  one boolean not null default true,
  through date not null,
  constraint spend_rolled_pkey PRIMARY KEY (one),
  constraint spend_rolled_one_check CHECK (one)
);

create table spend_trend (
  organization_id text not null,
  day date not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint not null,
  unpriced bigint not null default 0,
  constraint spend_trend_pkey PRIMARY KEY (organization_id, day)
);

create table standing_run (
  id text collate "C" not null,
  kind text not null,
  organization_id text not null,
  workspace_id text not null,
  created_by text not null,
  name text not null,
  objective text not null,
  run_kind text not null,
  model text,
  capabilities text[] not null default '{}'::text[],
  funding_workspace_id text,
  scopes text[] not null,
  started_with text not null,
  token_id text,
  grant_id text,
  enabled boolean not null default true,
  paused_reason text,
  paused_at timestamp with time zone,
  refusals integer not null default 0,
  last_job text,
  created_at timestamp with time zone not null,
  environment text,
  deliver text,
  constraint standing_run_pkey PRIMARY KEY (id),
  constraint standing_run_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint standing_run_check CHECK (((paused_reason IS NULL) = (paused_at IS NULL))),
  constraint standing_run_deliver_check CHECK ((deliver = ANY (ARRAY['branch'::text, 'pull-request'::text]))),
  constraint standing_run_kind_check CHECK ((kind = ANY (ARRAY['schedule'::text, 'trigger'::text]))),
  constraint standing_run_paused_reason_check CHECK ((paused_reason = ANY (ARRAY['authority_lost'::text, 'refused'::text]))),
  constraint standing_run_run_kind_check CHECK ((run_kind = ANY (ARRAY['chat'::text, 'codex'::text]))),
  constraint standing_run_started_with_check CHECK ((started_with = ANY (ARRAY['session'::text, 'token'::text, 'grant'::text])))
);
CREATE INDEX standing_run_person ON standing_run USING btree (created_by);
CREATE INDEX standing_run_workspace ON standing_run USING btree (organization_id, workspace_id, kind, id DESC);

create table stored_response (
  organization_id text not null,
  workspace_id text not null,
  user_id text not null,
  id text not null,
  kind text not null,
  previous_id text,
  item_ids text[] not null,
  bytes integer not null,
  output_bytes integer not null,
  ciphertext bytea not null storage e,
  iv bytea not null,
  auth_tag bytea not null,
  output_ciphertext bytea not null storage e,
  output_iv bytea not null,
  output_auth_tag bytea not null,
  key_version integer not null,
  created_at timestamp with time zone not null default now(),
  constraint stored_response_pkey PRIMARY KEY (organization_id, id, workspace_id, user_id),
  constraint stored_response_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint stored_response_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint stored_response_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint stored_response_iv_check CHECK ((length(iv) = 12)),
  constraint stored_response_kind_check CHECK ((kind = ANY (ARRAY['response'::text, 'message'::text, 'deleted'::text]))),
  constraint stored_response_output_auth_tag_check CHECK ((length(output_auth_tag) = 16)),
  constraint stored_response_output_iv_check CHECK ((length(output_iv) = 12))
);
CREATE INDEX stored_response_age ON stored_response USING btree (created_at);
CREATE INDEX stored_response_continued ON stored_response USING btree (organization_id, previous_id) WHERE (previous_id IS NOT NULL);
CREATE INDEX stored_response_items ON stored_response USING gin (item_ids) WITH (fastupdate=off);
CREATE INDEX stored_response_owner ON stored_response USING btree (organization_id, user_id, created_at);
CREATE INDEX stored_response_workspace ON stored_response USING btree (organization_id, workspace_id);

create table subscription (
  id text collate "C" not null,
  organization_id text not null,
  workspace_id text,
  created_by text not null,
  url text not null,
  events text[] not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  created_at timestamp with time zone not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint subscription_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint subscription_auth_tag_check CHECK ((length(auth_tag) = 16)),
  constraint subscription_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint subscription_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_person'::text, 'failing'::text, 'gone'::text]))),
  constraint subscription_iv_check CHECK ((length(iv) = 12))
);
CREATE INDEX subscription_organization ON subscription USING btree (organization_id, id DESC);

create table subscription_delivery (
  id text collate "C" not null,
  subscription_id text not null,
  event text not null,
  body text not null,
  created_at timestamp with time zone not null,
  next_at timestamp with time zone,
  tries integer not null default 0,
  tried_at timestamp with time zone,
  delivered_at timestamp with time zone,
  status integer,
  failure text,
  constraint subscription_delivery_pkey PRIMARY KEY (id),
  constraint subscription_delivery_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE CASCADE
);
CREATE INDEX subscription_delivery_created ON subscription_delivery USING btree (created_at);
CREATE INDEX subscription_delivery_due ON subscription_delivery USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX subscription_delivery_list ON subscription_delivery USING btree (subscription_id, id DESC);

create table trigger_delivery (
  id text collate "C" not null,
  trigger_id text not null,
  delivery_key text collate "C",
  sender_id text,
  event text,
  outcome text not null,
  code text,
  job text,
  replay_of text,
  received_at timestamp with time zone not null,
  look_at timestamp with time zone,
  bytes integer not null,
  ciphertext bytea,
  iv bytea,
  auth_tag bytea,
  constraint trigger_delivery_pkey PRIMARY KEY (id),
  constraint trigger_delivery_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES standing_run(id) ON DELETE CASCADE,
  constraint trigger_delivery_check CHECK (((outcome = 'received'::text) = (look_at IS NOT NULL))),
  constraint trigger_delivery_outcome_check CHECK ((outcome = ANY (ARRAY['received'::text, 'started'::text, 'refused'::text, 'filter'::text, 'paused'::text])))
);
CREATE INDEX trigger_delivery_due ON trigger_delivery USING btree (look_at) WHERE (outcome = 'received'::text);
CREATE UNIQUE INDEX trigger_delivery_key ON trigger_delivery USING btree (trigger_id, delivery_key);
CREATE INDEX trigger_delivery_list ON trigger_delivery USING btree (trigger_id, id DESC);
CREATE INDEX trigger_delivery_old ON trigger_delivery USING btree (received_at);
CREATE INDEX trigger_delivery_payload ON trigger_delivery USING btree (trigger_id, id DESC) WHERE (ciphertext IS NOT NULL);

create table trigger_secret (
  id text collate "C" not null,
  trigger_id text not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint trigger_secret_pkey PRIMARY KEY (id),
  constraint trigger_secret_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES standing_run(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX trigger_secret_current ON trigger_secret USING btree (trigger_id) WHERE (ends_at IS NULL);
CREATE INDEX trigger_secret_trigger ON trigger_secret USING btree (trigger_id);

create table usage_day (
  organization_id text not null,
  day date not null,
  model text not null,
  provider text not null,
  credential credential not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micros bigint not null,
  served text not null default ''::text,
  constraint usage_day_pkey PRIMARY KEY (organization_id, day, model, served, provider, credential),
  constraint usage_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id)
);

create table workspace (
  id text not null,
  organization_id text not null,
  slug text not null,
  name text not null,
  kind text not null,
  created_at timestamp with time zone not null default now(),
  constraint workspace_organization_id_id_key UNIQUE (organization_id, id),
  constraint workspace_organization_id_slug_key UNIQUE (organization_id, slug),
  constraint workspace_pkey PRIMARY KEY (id),
  constraint workspace_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint workspace_id_or_slug CHECK (((id ~~ '%\_%'::text) AND (slug !~~ '%\_%'::text))),
  constraint workspace_kind_check CHECK ((kind = ANY (ARRAY['global'::text, 'default'::text, 'named'::text]))),
  constraint workspace_reserved_slug CHECK (
CASE
    WHEN (kind = 'named'::text) THEN (slug <> ALL (ARRAY['global'::text, 'default'::text]))
    ELSE (slug = kind)
END)
);
CREATE UNIQUE INDEX workspace_one_default ON workspace USING btree (organization_id) WHERE (kind = 'default'::text);
CREATE UNIQUE INDEX workspace_one_global ON workspace USING btree (organization_id) WHERE (kind = 'global'::text);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON workspace FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'id', 'id', '');
CREATE TRIGGER chat_version_workspace AFTER DELETE OR UPDATE ON workspace FOR EACH ROW EXECUTE FUNCTION chat_version_bump();
CREATE TRIGGER removed_name AFTER DELETE ON workspace FOR EACH ROW EXECUTE FUNCTION removed_name_keep();

create table workspace_member (
  workspace_id text not null,
  user_id text not null,
  organization_id text not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  given_by text,
  constraint workspace_member_pkey PRIMARY KEY (workspace_id, user_id),
  constraint workspace_member_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint workspace_member_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspace(organization_id, id) ON DELETE CASCADE,
  constraint workspace_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);
CREATE INDEX workspace_member_user ON workspace_member USING btree (organization_id, user_id);
CREATE TRIGGER change_notice AFTER INSERT OR DELETE OR UPDATE ON workspace_member FOR EACH ROW EXECUTE FUNCTION change_notice('organization_id', 'user_id', 'workspace_id', '');
CREATE TRIGGER chat_version_workspace_member AFTER INSERT OR DELETE OR UPDATE ON workspace_member FOR EACH ROW EXECUTE FUNCTION chat_version_bump();

create view acting_member as
 SELECT organization_id,
    user_id,
    role,
    created_at
   FROM organization_member m
  WHERE suspended_at IS NULL AND NOT (EXISTS ( SELECT
           FROM identity_user u
          WHERE u.id = m.user_id AND u.disabled_at IS NOT NULL)) AND NOT (EXISTS ( SELECT
           FROM organization o
          WHERE o.id = m.organization_id AND (o.deleted_at IS NOT NULL OR o.disabled_at IS NOT NULL)));

create view member_workspace as
 SELECT m.user_id,
    w.organization_id,
    m.role AS organization_role,
    w.id AS workspace_id,
    w.slug,
    w.name,
    w.kind,
    w.created_at,
        CASE
            WHEN w.kind <> 'named'::text THEN m.role
            ELSE wm.role
        END AS role,
    w.kind <> 'named'::text OR wm.user_id IS NOT NULL AS is_member
   FROM workspace w
     JOIN acting_member m ON m.organization_id = w.organization_id
     LEFT JOIN workspace_member wm ON wm.workspace_id = w.id AND wm.user_id = m.user_id;

create view place_of_id as
 SELECT 'thread'::text AS kind,
    chat_thread.id,
    chat_thread.organization_id
   FROM chat_thread
UNION ALL
 SELECT 'share'::text AS kind,
    chat_share.id,
    chat_share.organization_id
   FROM chat_share
UNION ALL
 SELECT 'attachment'::text AS kind,
    chat_attachment.id,
    chat_attachment.organization_id
   FROM chat_attachment
UNION ALL
 SELECT 'project'::text AS kind,
    project.id,
    project.organization_id
   FROM project
UNION ALL
 SELECT 'prompt'::text AS kind,
    prompt.id,
    prompt.organization_id
   FROM prompt
UNION ALL
 SELECT 'import'::text AS kind,
    chat_import.id,
    chat_import.organization_id
   FROM chat_import
UNION ALL
 SELECT 'token'::text AS kind,
    connect_token.id,
    connect_token.organization_id
   FROM connect_token;

create view second_factor_demand as
 SELECT m.user_id,
    m.organization_id
   FROM org_policy p
     JOIN acting_member m ON m.organization_id = p.organization_id
  WHERE p.require_second_factor;

create type chat_request as (
  hold_id text,
  process_id text,
  organization_id text,
  user_id text,
  workspace_id text,
  token_id text,
  surface text,
  request_id text,
  model text,
  served text,
  provider text,
  credential text,
  input_tokens bigint,
  least_micros bigint,
  bearer_id text,
  version bigint,
  rate_limit integer,
  micros bigint,
  seat_budget bigint,
  credit bigint,
  ceiling bigint,
  checks_caps boolean
);

create type chat_settlement as (
  hold_id text,
  organization_id text,
  user_id text,
  workspace_id text,
  token_id text,
  surface text,
  request_id text,
  model text,
  served text,
  provider text,
  credential text,
  input_tokens bigint,
  output_tokens bigint,
  cost_micros bigint,
  uses boolean,
  status integer,
  first_token_ms integer,
  duration_ms integer,
  platform boolean,
  month date,
  seat_held bigint,
  credit_held bigint,
  month_held bigint
);

create domain credential as text CHECK ((VALUE = ANY (ARRAY['models-account'::text, 'own-key'::text, 'platform'::text])));

create domain micros as bigint CHECK ((VALUE >= 0));

create function announce_event(p_organization text, p_workspace text, p_event text, p_data jsonb) returns void language sql;

create function broker_due(p_grace_ms bigint) returns TABLE(promises boolean, tasks boolean, streams boolean) language plpgsql stable set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function broker_give(p_queue text, p_after text, p_pids text[], p_credits integer[], p_ttls bigint[], p_now bigint, p_offer_ms bigint) returns TABLE(task_id text, task_version integer, task_lane text, stream_pid text, given json) language sql;

create function broker_give(p_queue text, p_after text, p_pids text[], p_credits integer[], p_ttls bigint[], p_share integer, p_now bigint, p_offer_ms bigint) returns TABLE(task_id text, task_version integer, task_lane text, stream_pid text, given json) language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function broker_load(p_ids text[], p_settling text[], p_owners text[], p_origins text[], p_now bigint) returns json language plpgsql stable set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function broker_save(p_revisions json, p_created json, p_settled json, p_tasks json, p_clear text[], p_forget text[], p_await json, p_unhear text[], p_hear json, p_unblock json, p_queues json, p_now bigint, p_offer_ms bigint, p_durable boolean) returns TABLE(queue text, id text, version integer, lane text, pid text, given json) language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function change_notice() returns trigger language plpgsql;

create function chat_abandon(p_hold text, p_process text, p_lifetime interval) returns void language plpgsql;

create function chat_admit(p_asked chat_request[], p_window interval, p_lifetime interval) returns TABLE(outcome text, retry_after_ms integer, cap jsonb) language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan;

create function chat_message_bytes(p_parts jsonb) returns integer language sql immutable;

create function chat_message_cut(p_parts jsonb, p_most integer) returns jsonb language sql immutable;

create function chat_message_measure() returns trigger language plpgsql;

create function chat_message_text(p_parts jsonb) returns text language sql immutable;

create function chat_message_text_bytes(p_parts jsonb) returns integer language sql immutable;

create function chat_note(p_hold text[], p_micros bigint[], p_output bigint[]) returns void language sql;

create function chat_rate_resize(p_user text, p_size integer) returns void language plpgsql set enable_seqscan=off;

create function chat_reap(p_most integer, p_process text, p_lost_after interval) returns bigint language plpgsql set enable_seqscan=off;

create function chat_search_all(p_owner text, p_workspace text, p_query tsquery, p_before text, p_most integer) returns SETOF text language plpgsql stable set enable_bitmapscan=on set enable_seqscan=off set enable_indexscan=off set enable_indexonlyscan=off;

create function chat_search_counts(p_word text) returns boolean language sql immutable;

create function chat_search_find(p_organization text, p_user text, p_workspace text, p_query tsquery, p_before text, p_most integer) returns SETOF text language plpgsql stable set enable_seqscan=off set enable_bitmapscan=off;

create function chat_search_owner(p_organization text, p_user text) returns text language sql immutable;

create function chat_search_plain(p_text text) returns text language sql immutable;

create function chat_search_query(p_text text) returns tsquery language plpgsql stable;

create function chat_search_words(p_text text) returns tsvector language sql immutable;

create function chat_search_write() returns trigger language plpgsql;

create function chat_settle(p_told chat_settlement[]) returns text[] language plpgsql set enable_seqscan=off set enable_bitmapscan=off set plan_cache_mode=force_generic_plan;

create function chat_version_bump() returns trigger language plpgsql;

create function job_begin(p_begins json, p_look_seconds integer) returns SETOF job language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function job_insert(p_jobs json) returns TABLE(job_id text, outcome text) language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function job_move(p_moves json, p_look_seconds integer) returns SETOF bytea language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_generic_plan;

create function job_storage_give(p_job text) returns void language plpgsql;

create function job_storage_set(p_job text, p_organization text, p_bytes bigint, p_limit bigint) returns boolean language plpgsql;

create function job_storage_take(p_job text, p_organization text, p_bytes bigint, p_limit bigint) returns boolean language plpgsql;

create function platform_month_open(p_month date) returns void language plpgsql;

create function project_piece_words(p_project text, p_text text) returns tsvector language sql immutable;

create function project_question(p_text text) returns SETOF tsquery language sql stable;

create function project_search(p_project text, p_text text, p_most integer) returns TABLE(file_id text, piece integer, score double precision) language sql stable;

create function receipt_append_to_runs(p_stream text[], p_idx bigint[], p_prev bytea[], p_hash bytea[], p_body text[]) returns TABLE(stream text, hash bytea) language plpgsql;

create function receipt_at(p_stream text, p_idx bigint) returns TABLE(hash bytea) language sql stable;

create function receipt_enter() returns trigger language plpgsql set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;

create function receipt_genesis(stream text) returns bytea language sql immutable;

create function receipt_last(p_stream text) returns TABLE(idx bigint, hash bytea) language sql stable;

create function receipt_noted(p_stream text) returns TABLE(idx bigint, hash bytea) language sql stable;

create function receipt_noted_heads() returns TABLE(stream text, idx bigint, hash bytea) language sql stable;

create function receipt_only(p_stream text) returns TABLE(hash bytea, kind text) language sql stable;

create function receipt_refuse() returns trigger language plpgsql;

create function receipt_stored(p_stream text, p_idx bigint) returns TABLE(prev bytea, hash bytea, body text) language sql stable;

create function removed_name_keep() returns trigger language plpgsql;

create function request_log_keep(p_days integer, p_ahead integer) returns integer language plpgsql;

create function run_lost_authority(p_organization text, p_workspace text, p_user text, p_token text, p_grant text) returns text language sql stable;

create function spend_cap_check(p_organization text, p_user text, p_workspace text, p_token text) returns jsonb language sql stable set enable_seqscan=off;

create function spend_cap_put(p_id text, p_organization text, p_kind text, p_subject text, p_limit bigint) returns text language plpgsql;

create function spend_cap_refusal(p_kind text, p_subject text, p_limit bigint) returns jsonb language sql stable;

create function spend_cap_remove(p_organization text, p_id text) returns boolean language plpgsql;

create function spend_cap_take(p_organization text, p_user text, p_workspace text, p_token text, p_micros bigint, p_counts boolean) returns jsonb language plpgsql set enable_seqscan=off;

create function spend_caps_of(p_organization text, p_user text, p_workspace text, p_token text) returns SETOF spend_cap language sql stable set enable_seqscan=off;

create function spend_roll(p_days integer) returns integer language plpgsql;

create function storage_give(p_organization text, p_bytes bigint) returns void language sql;

create function storage_give_attachments() returns trigger language plpgsql;

create function storage_give_import_pieces() returns trigger language plpgsql;

create function storage_give_project_files() returns trigger language plpgsql;

create function storage_take(p_organization text, p_bytes bigint, p_limit bigint) returns boolean language plpgsql;
