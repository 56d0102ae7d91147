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
  unique (organization_id, workspace_id, provider, name),
  foreign key (organization_id, workspace_id) references :schema.workspace (organization_id, id) on delete cascade,
  check ((kind = 'integration-reference') = (reference_digest is not null))
);
create index org_connection_secret_digest on :schema.org_connection_secret (reference_digest) where reference_digest is not null;

-- What may be done through a connection. `actions` holds what somebody decided; the rest is the default: reads on,
-- writes off. A reconnect updates the connection's row in place, so its policy stays.
create table :schema.connection_policy (
  connection_id         text primary key references :schema.org_connection_secret (id) on delete cascade,
  actions               jsonb not null default '{}',
  enforce_repositories  boolean not null default false,
  selected_repositories text[] not null default '{}',
  updated_at            timestamptz not null default now(),
  updated_by            text
);

-- Connections removed here whose deletion at the provider has not succeeded yet: read repair must not bring them back.
create table :schema.connection_removed (
  organization_id  text not null references :schema.organization (id) on delete cascade,
  reference_digest bytea not null,
  removed_at       timestamptz not null default now(),
  primary key (organization_id, reference_digest)
);
