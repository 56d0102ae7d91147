import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { MIGRATIONS, newSchemaName, quiet } from '../../test/support/database.ts';
import { readFunctionState } from './apply-functions.ts';
import { type Database, openDatabase } from './database.ts';
import { LAST_WITHOUT_KIND } from './migration-kind.ts';
import { ensureSchema, migrate, type Migrations, readMigrations, waitForSchema } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});

async function open(schema: string): Promise<Database> {
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema,
    poolMax: 2,
    applicationName: 'test',
    log: quiet,
  });
  toClose.push(() => db.close());
  return db;
}

async function directoryOf(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'service-migrations-'));
  toClose.push(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'functions'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql);
  return directory;
}

describe('migrations', () => {
  it('are applied exactly once by five processes that start at once', async () => {
    const schema = newSchemaName();
    const migrations = await readMigrations(MIGRATIONS);
    const databases = await Promise.all([1, 2, 3, 4, 5].map(() => open(schema)));
    const applied = await Promise.all(databases.map((db) => migrate(db, migrations)));
    expect(applied.map((one) => one.applied).sort()).toEqual([0, 0, 0, 0, migrations.numbered.length]);
  });

  it('leave nothing behind when one of them fails', async () => {
    const db = await open(newSchemaName());
    const directory = await directoryOf({
      '0001_a.sql': 'create table :schema.a (x int);',
      '0002_b.sql': 'create table :schema.b (x int);\nselect broken;',
    });
    await expect(migrate(db, await readMigrations(directory))).rejects.toThrow('broken');
    expect((await db.query('select to_regnamespace($1) as found', [db.schema])).rows).toEqual([{ found: null }]);
  });

  it('refuse a file that changed after it was applied, and a database newer than the build', async () => {
    const db = await open(newSchemaName());
    const first = { '0001_a.sql': 'create table :schema.a (x int);' };
    await migrate(
      db,
      await readMigrations(await directoryOf({ ...first, '0002_b.sql': 'create table :schema.b (x int);' })),
    );
    await expect(migrate(db, await readMigrations(await directoryOf(first)))).rejects.toThrow(
      'newer than this build: it has migration 0002_b.sql',
    );
    await expect(
      migrate(db, await readMigrations(await directoryOf({ '0001_a.sql': 'create table :schema.a (y int);' }))),
    ).rejects.toThrow('0001_a.sql was changed after it was applied');
  });

  it('of a newer build are fine for an older one if they only expand, and refused if they contract beyond it', async () => {
    const base = Object.fromEntries(
      Array.from({ length: LAST_WITHOUT_KIND }, (_, at) => [
        `${String(at + 1).padStart(4, '0')}_base.sql`,
        'select 1;',
      ]),
    );
    const next = (name: string, by: number): string => `${String(LAST_WITHOUT_KIND + by).padStart(4, '0')}_${name}.sql`;
    const expanded = {
      ...base,
      [next('more', 1)]: '-- expand\ncreate table :schema.more (x int);',
      [next('again', 2)]: '-- expand\ncreate table :schema.again (x int);',
    };
    const contracted = {
      ...expanded,
      [next('less', 3)]:
        `-- contract: nothing older than ${next('', 1).slice(0, 4)} reads it\ndrop table :schema.more;`,
    };
    const [old, middle, expanding, contracting] = (await Promise.all(
      [base, Object.fromEntries(Object.entries(expanded).slice(0, -1)), expanded, contracted].map(async (files) =>
        readMigrations(await directoryOf(files)),
      ),
    )) as [Migrations, Migrations, Migrations, Migrations];
    const db = await open(newSchemaName());
    expect(await migrate(db, old)).toEqual({ applied: LAST_WITHOUT_KIND, functions: 0 });
    expect(await migrate(db, expanding)).toEqual({ applied: 2, functions: 0 });
    expect([await migrate(db, old), await ensureSchema(db, middle)]).toEqual([
      { applied: 0, functions: 0 },
      { applied: 0, functions: 0 },
    ]);
    await waitForSchema(db, old, quiet, new AbortController().signal);
    expect(await migrate(db, contracting)).toEqual({ applied: 1, functions: 0 });
    expect(await ensureSchema(db, middle)).toEqual({ applied: 0, functions: 0 });
    await expect(migrate(db, old)).rejects.toThrow(`newer than this build: it has migration ${next('less', 3)}`);
  });

  it('put functions in place after the tables, and again when their file has changed', async () => {
    const db = await open(newSchemaName());
    const build = async (answer: string): Promise<Migrations> =>
      readMigrations(
        await directoryOf({
          '0001_a.sql': 'create table :schema.a (x int);',
          'functions/one.sql': `drop function if exists :schema.one(int);\n\ncreate or replace function :schema.one() returns setof :schema.a language sql as $$\n  select ${answer};\n$$;`,
          'functions/two.sql': 'create or replace function :schema.two() returns int language sql return 2;',
        }),
      );
    const [first, second] = [await build('1'), await build('3')];
    const one = async (): Promise<unknown> => (await db.query('select x from one()')).rows[0]?.['x'];
    expect(await migrate(db, first)).toEqual({ applied: 1, functions: 2 });
    expect([await ensureSchema(db, first), await one()]).toEqual([{ applied: 0, functions: 0 }, 1]);
    expect([await ensureSchema(db, second), await one()]).toEqual([{ applied: 0, functions: 1 }, 3]);
    // A process of the build before that starts again leaves them alone.
    expect([await migrate(db, first), await one()]).toEqual([{ applied: 0, functions: 0 }, 3]);
    await waitForSchema(db, first, quiet, new AbortController().signal);
    expect(await readFunctionState(db, db.schema, first.functions)).toMatchObject({
      waiting: [],
      replaced: [{ name: 'one.sql' }],
    });
  });

  it('leave functions alone that a build with more migrations has put in place', async () => {
    const db = await open(newSchemaName());
    const build = async (more: Record<string, string>, answer: number): Promise<Migrations> =>
      readMigrations(
        await directoryOf({
          '0001_a.sql': 'create table :schema.a (x int);',
          'functions/one.sql': `create or replace function :schema.one() returns int language sql return ${answer};`,
          ...more,
        }),
      );
    const newer = await build({ '0002_b.sql': '-- expand\ncreate table :schema.b (x int);' }, 2);
    expect(await migrate(db, newer)).toEqual({ applied: 2, functions: 1 });
    const older = await build({}, 1);
    expect([await ensureSchema(db, older), await migrate(db, older)]).toEqual([
      { applied: 0, functions: 0 },
      { applied: 0, functions: 0 },
    ]);
    expect((await db.query('select one() as one')).rows).toEqual([{ one: 2 }]);
  });

  it('are waited for by the roles that do not migrate', async () => {
    const schema = newSchemaName();
    const migrations = await readMigrations(MIGRATIONS);
    const waiting = waitForSchema(await open(schema), migrations, quiet, new AbortController().signal);
    const before = await Promise.race([
      waiting.then(() => 'done'),
      migrate(await open(schema), migrations).then(() => 'migrated'),
    ]);
    expect(before).toBe('migrated');
    await waiting;
  });

  it('are numbered without a gap', async () => {
    await expect(readMigrations(await directoryOf({ '0001_a.sql': '', '0003_c.sql': '' }))).rejects.toThrow(
      '0003_c.sql is out of sequence: expected number 2',
    );
  });

  it('are split at semicolons outside function bodies', () => {
    expect(splitStatements('-- why\nselect 1;\ncreate function f() as $$\nbegin;\nend $$;\nselect 2')).toEqual([
      'select 1',
      'create function f() as $$\nbegin;\nend $$',
      'select 2',
    ]);
  });
});
