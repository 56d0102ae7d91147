-- Responses of /v1/responses, and messages of a thread of /v1/messages, that their clients may refer to. A row is one
-- person's, in one workspace; nobody else reads it. Both payloads (what was asked and answered; the items of the
-- output, so that one of them is read without the rest) are AES-256-GCM under SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
-- bound to the row's address. Ids are the answer's own and say nothing.

create table :schema.stored_response (
  organization_id   text not null,
  workspace_id      text not null,
  user_id           text not null,
  id                text not null,
  kind              text not null check (kind in ('response', 'message')),
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
