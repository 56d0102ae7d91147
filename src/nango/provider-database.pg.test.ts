import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { quiet, withSuperuser } from '../../test/support/database.ts';
import { openProviderDatabase, type ProviderDatabase } from './provider-database.ts';

const name = `provider_${randomBytes(4).toString('hex')}`;
let provider: pg.Client;
let database: ProviderDatabase;

beforeAll(async () => {
  await withSuperuser((client) => client.query(`create database ${name}`));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  provider = new pg.Client({ connectionString: url.href });
  await provider.connect();
  await provider.query('create schema nango');
  await provider.query(
    'create table nango._nango_connections (id serial, connection_id text, provider_config_key text, environment_id int, tags jsonb, credentials json, refresh_exhausted boolean, deleted boolean, created_at timestamptz default now())',
  );
  database = openProviderDatabase(url.href, quiet);
});
afterAll(async () => {
  await database.close();
  await provider.end();
  await withSuperuser((client) => client.query(`drop database ${name}`));
});

const insert = (
  id: string,
  tags: object,
  more: { environment?: number; deleted?: boolean; exhausted?: boolean } = {},
): Promise<unknown> =>
  provider.query(
    "insert into nango._nango_connections (connection_id, provider_config_key, environment_id, tags, credentials, refresh_exhausted, deleted) values ($1, 'github', $2, $3, $4, $5, $6)",
    [
      id,
      more.environment ?? 1,
      JSON.stringify(tags),
      '{"secret":"never"}',
      more.exhausted ?? false,
      more.deleted ?? false,
    ],
  );

it('reads what is tagged with the organization and this workspace or none; of the prod environment once there are environments', async () => {
  await insert('mine', { organization_id: 'org_1', workspace_id: 'ws_1', end_user_id: 'usr_1' });
  await insert('global', { organization_id: 'org_1' }, { exhausted: true });
  await insert('elsewhere', { organization_id: 'org_1', workspace_id: 'ws_2' });
  await insert('foreign', { organization_id: 'org_2', workspace_id: 'ws_1' });
  await insert('deleted', { organization_id: 'org_1', workspace_id: 'ws_1' }, { deleted: true });
  await insert('dev', { organization_id: 'org_1', workspace_id: 'ws_1' }, { environment: 2 });

  const found = await database.findTagged('org_1', 'ws_1');
  expect(found.map(({ connectionId }) => connectionId)).toEqual(['dev', 'global', 'mine']);
  expect(found.find(({ connectionId }) => connectionId === 'mine')).toMatchObject({
    integrationId: 'github',
    tags: { organization_id: 'org_1', workspace_id: 'ws_1', end_user_id: 'usr_1' },
    refreshExhausted: false,
    createdAt: expect.any(Date),
  });
  expect(found.find(({ connectionId }) => connectionId === 'global')).toMatchObject({ refreshExhausted: true });
  expect(JSON.stringify(found)).not.toContain('never');

  await provider.query('create table nango._nango_environments (id int, name text, deleted boolean)');
  await provider.query("insert into nango._nango_environments values (1, 'prod', false), (2, 'dev', false)");
  expect((await database.findTagged('org_1', 'ws_1')).map(({ connectionId }) => connectionId)).toEqual([
    'global',
    'mine',
  ]);
});

it('fails, and does not hang, when the database is not what it should be', async () => {
  const wrong = openProviderDatabase(inject('postgresUrl'), quiet);
  await expect(wrong.findTagged('org_1', 'ws_1')).rejects.toThrow(/nango/);
  await expect(wrong.findTagged('org_1', 'ws_1')).rejects.toThrow(/nango/);
  await wrong.close();
});
