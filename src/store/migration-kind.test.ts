import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFunctionFileFaults, findMigrationFaults, LAST_WITHOUT_KIND, oldestBuildFor } from './migration-kind.ts';

const DIRECTORY = join(import.meta.dirname, '..', '..', 'migrations');
const NEXT = LAST_WITHOUT_KIND + 1;
const expand = (sql: string): string[] => findMigrationFaults(NEXT, `-- expand\n${sql}`);

it.each(readdirSync(DIRECTORY).filter((name) => name !== 'functions'))('%s keeps to the rule', (name) => {
  expect(findMigrationFaults(Number(name.slice(0, 4)), readFileSync(join(DIRECTORY, name), 'utf8'))).toEqual([]);
});

it.each(readdirSync(join(DIRECTORY, 'functions')))('functions/%s has functions only', (name) => {
  expect(findFunctionFileFaults(readFileSync(join(DIRECTORY, 'functions', name), 'utf8'))).toEqual([]);
});

it('a function file may drop functions whose parameters change, and nothing else', () => {
  const replaced = 'create or replace function :schema.f(x int) returns int language sql return x;';
  expect(findFunctionFileFaults(`drop function if exists :schema.f(text);\n\n${replaced}`)).toEqual([]);
  expect(findFunctionFileFaults(`create table :schema.a (b int);\n${replaced}`)).toEqual([
    expect.stringContaining('may only define functions: create table'),
  ]);
  expect(findFunctionFileFaults(replaced.replace('or replace ', ''))).toHaveLength(1);
});

describe('an expansion', () => {
  it.each([
    'create table :schema.a (id text primary key, b int not null);\nalter table :schema.a add constraint x check (b > 0);\ncreate unique index on :schema.a (b);',
    "alter table :schema.job add column note text, add column size int not null default 0, add column at timestamptz not null default coalesce(now(), 'epoch');\nupdate :schema.job set note = objective, size = length(objective) where note is null;",
    'alter table :schema.job alter column model drop not null, drop constraint job_kind_check;',
    'create index on :schema.job (model);\ndrop index :schema.job_old;',
    'create or replace function :schema.f(x int) returns int language plpgsql as $$\nbegin\n  delete from :schema.job;\n  return 1;\nend $$;',
    "comment on table :schema.job is 'drop column, rename';",
  ])('adds: %s', (sql) => {
    expect(expand(sql)).toEqual([]);
  });

  it.each([
    ['drop table :schema.job;', 'drops something'],
    ['drop function :schema.job_begin(json, int);', 'drops something'],
    ['alter table :schema.job drop column model;', 'drops a column'],
    ['alter table :schema.job\n  add column a int,\n  drop model;', 'drops a column'],
    ['alter table :schema.job rename column model to name;', 'renames something'],
    ['alter table :schema.job rename to run;', 'renames something'],
    ['alter table :schema.job alter column model type varchar(10);', 'changes the type of a column'],
    ['alter table :schema.job alter model set data type int;', 'changes the type of a column'],
    ['alter table :schema.job alter column model set not null;', 'makes a column mandatory'],
    ['alter table :schema.job alter column attempt drop default;', 'takes a default away'],
    ['alter table :schema.job add column a text not null;', 'adds a mandatory column without a default'],
    [
      'alter table :schema.job add column a int default 0, add column b text not null;',
      'adds a mandatory column without a default',
    ],
    ['alter table :schema.job add constraint short check (length(model) < 10);', 'refuses values that were allowed'],
    ['create unique index one on :schema.job (model);', 'refuses values that were allowed'],
    ["update :schema.job set model = 'x';", 'rewrites a column that is not new'],
    ['delete from :schema.job where attempt > 3;', 'removes rows'],
    ['truncate :schema.job;', 'removes rows'],
    ['revoke select on :schema.job from someone;', 'takes a right away'],
  ])('is not: %s', (sql, what) => {
    expect(expand(sql)).toEqual([expect.stringContaining(what)]);
  });
});

it('says which builds a contraction no longer supports', () => {
  const sql = `-- contract: nothing older than ${String(NEXT).padStart(4, '0')} reads it\nalter table :schema.job drop column model;`;
  expect([findMigrationFaults(NEXT + 2, sql), oldestBuildFor(NEXT + 2, sql)]).toEqual([[], NEXT]);
  expect(findMigrationFaults(NEXT, sql)).toEqual([expect.stringContaining('not older than itself')]);
  expect(findMigrationFaults(NEXT, 'create table :schema.a (b int);')).toEqual([
    expect.stringContaining("'-- expand'"),
  ]);
  expect([oldestBuildFor(NEXT, '-- expand\n'), oldestBuildFor(7, 'select 1;')]).toEqual([0, 7]);
});
