// A database with the integration provider's own tables, as far as the service and servicectl look into them.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withSuperuser } from '../database.ts';

export interface ProviderTables {
  readonly url: string;
  readonly client: pg.Client;
  close(): Promise<void>;
}

export const PROVIDER_TABLES = `
  create schema nango;
  set search_path to nango;
  create table _nango_environments (id serial primary key, name text not null, account_id int not null, deleted boolean not null default false);
  create table _nango_external_webhooks (id serial primary key, environment_id int not null unique, primary_url varchar(255), secondary_url varchar(255), on_sync_completion_always boolean default false,
    on_auth_creation boolean default false, on_auth_refresh_error boolean default false, on_sync_error boolean default false);
  create table customer_keys (id serial primary key, account_id int not null, key_type varchar(50) not null, display_name varchar(255) not null, scopes text[], secret text not null, iv text not null, tag text not null, hashed text not null, deleted_at timestamptz);
  create unique index on customer_keys (hashed, key_type);
  create table customer_keys_relations (customer_key_id int not null references customer_keys(id), entity_type varchar(50) not null, entity_id int not null, unique (customer_key_id, entity_type, entity_id));
  insert into _nango_environments (name, account_id) values ('dev', 1), ('prod', 1);
  insert into _nango_external_webhooks (environment_id, primary_url, secondary_url, on_sync_completion_always) values (2, 'https://elsewhere.test', 'https://second.test', true);`;

export async function openProviderTables(): Promise<ProviderTables> {
  const name = `provider_${randomBytes(4).toString('hex')}`;
  await withSuperuser((client) => client.query(`create database ${name}`));
  const address = new URL(inject('postgresUrl'));
  address.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  await client.query(PROVIDER_TABLES);
  return {
    url: address.href,
    client,
    async close() {
      await client.end();
      await withSuperuser((superuser) => superuser.query(`drop database ${name} with (force)`));
    },
  };
}
