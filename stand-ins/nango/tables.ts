// The tables of the local integration provider, in a separate schema: the service does not read them.
import { createHash } from 'node:crypto';
import { type Migrated, migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/database.ts';

const SUFFIX = '_integrations';
const LONGEST_IDENTIFIER = 63;

export function localSchemaName(serviceSchema: string): string {
  const name = `${serviceSchema}${SUFFIX}`;
  return name.length <= LONGEST_IDENTIFIER
    ? name
    : `service_local_${createHash('sha256').update(serviceSchema).digest('hex').slice(0, 24)}${SUFFIX}`;
}

const TABLES = `
create table :schema.integration (
  unique_key   text primary key,
  provider     text not null,
  display_name text not null,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);

-- Tokens, codes and states are kept as their hashes.
create table :schema.session (
  token_hash     bytea primary key,
  tags           jsonb not null,
  end_user       jsonb,
  integrations   text[] not null,
  connection_id  text,
  expires_at     timestamptz not null
);
create index session_expiry on :schema.session (expires_at);

create table :schema.connection (
  id                  bigint generated always as identity primary key,
  connection_id       text not null,
  provider_config_key text not null,
  provider            text not null,
  tags                jsonb not null,
  end_user            jsonb,
  ciphertext          bytea not null,
  iv                  bytea not null,
  auth_tag            bytea not null,
  expires_at          timestamptz,
  failed_refreshes    int not null default 0,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  unique (connection_id, provider_config_key)
);
create index connection_tags on :schema.connection using gin (tags jsonb_path_ops);

create table :schema.authorization_request (
  state_hash         bytea primary key,
  session_hash       bytea not null references :schema.session (token_hash) on delete cascade,
  integration        text not null,
  code_verifier      text not null
);

-- What the demo authorization server has granted.
create table :schema.demo_grant (
  id             bigint generated always as identity primary key,
  client_id      text not null,
  code_hash      bytea unique,
  code_challenge text,
  code_expires   timestamptz,
  access_hash    bytea unique,
  access_expires timestamptz,
  refresh_hash   bytea unique,
  revoked        boolean not null default false
);

-- What was made through the demo apps: issues, messages, tasks.
create table :schema.demo_item (
  id         bigint generated always as identity primary key,
  kind       text not null,
  place      text not null,
  body       jsonb not null,
  created_at timestamptz not null default now()
);
create index demo_item_place on :schema.demo_item (kind, place, id);
`;

const CLIENTS = `
alter table :schema.integration add column client_id text, add column deleted boolean not null default false;
update :schema.integration set client_id = 'demo-' || unique_key;
`;

export function migrateLocal(db: Database): Promise<Migrated> {
  const steps = { '0001_local_integrations': TABLES, '0002_integration_clients': CLIENTS };
  const numbered = Object.entries(steps).map(([name, sql], index) => ({
    version: index + 1,
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    oldestBuild: 1,
  }));
  return migrate(db, { numbered, functions: [] });
}
