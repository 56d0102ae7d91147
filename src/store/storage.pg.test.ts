import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { MIGRATIONS, newSchemaName, openTestDatabase, quiet, withSuperuser } from '../../test/support/database.ts';
import { needs } from '../../test/support/needs.ts';
import { startPgbouncer } from '../../test/support/pgbouncer.ts';
import { readConfig } from '../base/config.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { openStorage } from './open-storage.ts';

const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});

function open(url: string, schema: string, poolMax = 2): Promise<Database> {
  return openDatabase({ url, schema, poolMax, applicationName: 'test', log: quiet }).then((db) => {
    toClose.push(() => db.close());
    return db;
  });
}

/** A role whose default search path leads to a schema with tables of the same names. */
async function hostileRole(decoy: string): Promise<string> {
  const role = `hostile_${randomBytes(4).toString('hex')}`;
  await withSuperuser(async (client) => {
    await client.query(`create role ${role} login superuser password 'test'`);
    await client.query(`create schema ${decoy}`);
    await client.query(`create table ${decoy}.receipt (stream text, idx bigint, prev bytea, hash bytea, body text)`);
    await client.query(`create function ${decoy}.upper(text) returns text language sql return 'hijacked'`);
    await client.query(`alter role ${role} set search_path = ${decoy}, pg_catalog`);
  });
  const url = new URL(inject('postgresUrl'));
  url.username = role;
  return url.href;
}

describe('storage rule 1 and 2: a SQL database only, from SERVICE_UPSTREAM_DB only', () => {
  it('fails with an error that says storage requires the variable, whatever other names are set', () => {
    const config = readConfig({
      DATABASE_URL: inject('postgresUrl'),
      PGHOST: 'localhost',
      POSTGRES_URL: inject('postgresUrl'),
    });
    expect(() => openStorage(config, 'test', quiet)).toThrow('storage requires SERVICE_UPSTREAM_DB');
  });

  it('opens the database that the variable names', async () => {
    const db = await openStorage(
      readConfig({ SERVICE_UPSTREAM_DB: inject('postgresUrl'), SERVICE_DB_SCHEMA: newSchemaName() }),
      'test',
      quiet,
    );
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await db.close();
  });
});

describe('storage rule 4: every statement runs under an explicit search path', () => {
  it.each(['public', newSchemaName()])(
    'a hostile role default does not redirect a query (schema %s)',
    async (schema) => {
      const decoy = newSchemaName();
      const db = await open(await hostileRole(decoy), schema);
      await migrate(db, await readMigrations(MIGRATIONS));
      expect(db.mode).toBe('startup');
      const paths = await Promise.all(
        Array.from({ length: 6 }, () =>
          db.query("select current_setting('search_path') as path, pg_sleep(0.01)::text, upper('a') as letter"),
        ),
      );
      for (const { rows } of paths) expect(rows[0]).toMatchObject({ path: schema, letter: 'A' });
      await db.transaction(async (tx) => {
        expect((await tx.query("select current_setting('search_path') as path")).rows).toEqual([{ path: schema }]);
      });
      expect((await db.query("select 'receipt'::regclass = ':schema.receipt'::regclass as same")).rows).toEqual([
        { same: true },
      ]);
      if (schema === 'public')
        await withSuperuser((client) => client.query('drop schema public cascade; create schema public'));
    },
  );

  describe('behind a transaction pooler (pgbouncer)', needs('pgbouncer'), () => {
    it.each([
      ['that refuses start-up options', []],
      ['that silently ignores them', ['ignore_startup_parameters = options']],
    ])('%s, each transaction sets the path itself', async (_name, settings) => {
      const decoy = newSchemaName();
      const schema = newSchemaName();
      const pooler = await startPgbouncer(await hostileRole(decoy), settings);
      toClose.push(() => pooler.stop());
      const db = await open(pooler.url, schema);
      expect(db.mode).toBe('each-transaction');
      await migrate(db, await readMigrations(MIGRATIONS));

      // Another client of the same pooler leaves its own path behind on the shared server connections.
      const polluter = new pg.Client({ connectionString: pooler.url });
      await polluter.connect();
      for (let i = 0; i < 4; i++) await polluter.query(`set search_path = ${decoy}`);

      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          db.query("select current_setting('search_path') as path, upper('a') as letter"),
        ),
      );
      for (const { rows } of answers) expect(rows[0]).toEqual({ path: schema, letter: 'A' });
      await db.query(
        "insert into :schema.receipt (stream, idx, prev, hash, body) values ('s', 0, ''::bytea, sha256(convert_to('x', 'UTF8')), 'x')",
      );
      expect((await polluter.query(`select count(*)::int as n from ${decoy}.receipt`)).rows).toEqual([{ n: 0 }]);
      expect((await db.query('select body from :schema.receipt')).rows).toEqual([{ body: 'x' }]);
      await polluter.end();
    });
  });
});

describe('storage rule 5: the pool', () => {
  it('has two connections by default', async () => {
    const counted = async (environment: Record<string, string>): Promise<number> => {
      const schema = newSchemaName();
      const db = await openStorage(
        readConfig({ SERVICE_UPSTREAM_DB: inject('postgresUrl'), SERVICE_DB_SCHEMA: schema, ...environment }),
        `pool-${schema}`,
        quiet,
      );
      await Promise.all(Array.from({ length: 12 }, () => db.query('select pg_sleep(0.02)')));
      const { rows } = await withSuperuser((client) =>
        client.query<{ n: number }>('select count(*)::int as n from pg_stat_activity where application_name = $1', [
          `pool-${schema}`,
        ]),
      );
      await db.close();
      return rows[0]?.n ?? 0;
    };
    expect(await counted({})).toBe(2);
    expect(await counted({ SERVICE_DB_POOL_MAX: '5' })).toBe(5);
  });

  it('returns the connection of a failed transaction, rolled back', async () => {
    const db = await openTestDatabase({ poolMax: 1 });
    toClose.push(() => db.close());
    for (let i = 0; i < 3; i++)
      await expect(db.transaction((tx) => tx.query('select 1/0'))).rejects.toThrow('division by zero');
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('recovers from connections that the server ended', async () => {
    // Under a name of its own: other test files use the same server.
    const applicationName = newSchemaName();
    const db = await openTestDatabase({ applicationName });
    toClose.push(() => db.close());
    await withSuperuser((client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        applicationName,
      ]),
    );
    const attempt = (): Promise<unknown> => db.query('select 1 as one').catch(attempt);
    expect(await attempt()).toMatchObject({ rows: [{ one: 1 }] });
  });
});
