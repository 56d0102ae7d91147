import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { poll } from '../../test/support/poll.ts';
import { ADMIN_USER, APPLICATION_USER, urlOf } from './accounts.ts';
import { findPostgresBinaries } from './binaries.ts';
import { launchPostgres, type PostgresOptions, type RunningPostgres } from './launch.ts';
import { chooseRunAs, prepareDirectory, shareFile, spawnAs } from './run-as.ts';

let root: string;
let options: PostgresOptions;
const started: RunningPostgres[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-roles-'));
  options = {
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(root, 'postgres'),
    port: await freePort(),
    password: 'of-the-service',
    adminPassword: 'of-the-admin',
    logFile: join(root, 'postgres.log'),
  };
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  await rm(root, { recursive: true, force: true });
});

const launch = async (): Promise<RunningPostgres> => {
  const server = await launchPostgres(options);
  started.push(server);
  return server;
};

async function ask(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

const refusal = (url: string, sql: string): Promise<string | undefined> =>
  ask(url, sql).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
const ROLES =
  'select rolname as role, rolsuper as super, rolcreaterole as roles, rolcreatedb as databases, rolreplication as replication, rolbypassrls as bypass from pg_roles where rolcanlogin order by rolname';
const TWO_ROLES = [
  { role: APPLICATION_USER, super: false, roles: false, databases: false, replication: false, bypass: false },
  { role: ADMIN_USER, super: true, roles: true, databases: true, replication: true, bypass: true },
];
const insufficient_privilege = '42501';

describe('the roles of the embedded PostgreSQL', () => {
  it('are the service, which owns its database and has no other power, and the superuser', async () => {
    const { url, adminUrl } = await launch();
    expect(await ask(adminUrl, ROLES)).toEqual(TWO_ROLES);
    expect(
      await ask(
        url,
        'select current_user as role, pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()',
      ),
    ).toEqual([{ role: 'service', owner: 'service' }]);
    expect(
      await ask(adminUrl, `select roleid::regrole from pg_auth_members where member = '${APPLICATION_USER}'::regrole`),
    ).toEqual([]);
    expect(
      await ask(url, 'create schema mine', 'create table mine.t as select 7 as n', 'select n from mine.t'),
    ).toEqual([{ n: 7 }]);
    expect(await ask(url, 'set session_replication_role = replica', 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('keep the machine from the service: its files, its programs, its settings, other roles and databases', async () => {
    const { url } = await launch();
    await ask(url, 'create table t (line text)');
    const forbidden = [
      "copy t from program 'id'",
      "copy t to program 'cat'",
      "copy t from '/etc/passwd'",
      "copy t to '/tmp/never-written'",
      "select pg_read_file('/etc/passwd')",
      "select pg_read_binary_file('PG_VERSION')",
      "select pg_ls_dir('.')",
      "select lo_import('/etc/passwd')",
      "alter system set archive_command = 'id'",
      'select pg_reload_conf()',
      'create role intruder',
      'create database intruder',
      'create extension file_fdw',
      'alter role service superuser',
      `set role ${ADMIN_USER}`,
      `grant pg_execute_server_program to service`,
      'show data_directory',
      'select * from pg_hba_file_rules',
      'select rolpassword from pg_authid',
      "create function f() returns int language c as '/lib/x.so', 'f'",
    ];
    for (const sql of forbidden) expect([sql, await refusal(url, sql)]).toEqual([sql, insufficient_privilege]);
  });

  it('let nobody in without a password, over no other way than the loopback', async () => {
    const { adminUrl, port } = await launch();
    expect(await ask(adminUrl, 'select distinct auth_method from pg_hba_file_rules')).toEqual([
      { auth_method: 'scram-sha-256' },
    ]);
    expect(
      await ask(
        adminUrl,
        "select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories') order by 1",
      ),
    ).toEqual([
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
    expect(
      await ask(
        adminUrl,
        "select count(*)::int as n from pg_authid where rolcanlogin and rolpassword not like 'SCRAM-SHA-256$%'",
      ),
    ).toEqual([{ n: 0 }]);
    for (const [user, password] of [
      ['service', 'of-the-admin'],
      [ADMIN_USER, 'of-the-service'],
      ['postgres', 'x'],
      ['service', 'x'],
    ] as const)
      expect([user, await refusal(urlOf(port, { user, password }), 'select 1')]).toEqual([user, '28P01']);
  });

  it('are put right again at a start: a power that was given, a password that was changed', async () => {
    const first = await launch();
    await ask(first.adminUrl, "alter role service superuser createdb password 'changed'");
    const second = await launchPostgres(options);
    expect(second.adopted).toBe(true);
    expect(await ask(second.adminUrl, ROLES)).toEqual(TWO_ROLES);
    expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('have no password in the log', async () => {
    await launch();
    await started.splice(0)[0]?.stop();
    const log = await open(options.logFile);
    const text = (await log.readFile()).toString();
    await log.close();
    for (const secret of [options.password, options.adminPassword]) expect(text).not.toContain(secret);
  });
});

describe('a cluster of before, whose one role is the superuser', () => {
  const before = (): string => urlOf(options.port, { user: 'service', password: options.password });

  /** As it was made: the role that initdb makes is the one that the service works as. */
  async function makeBefore(): Promise<{ stop(): Promise<void> }> {
    const way = chooseRunAs();
    const { directory, binaries, port, password } = options;
    const secret = join(await mkdtemp(join(tmpdir(), 'service-roles-')), 'password');
    await writeFile(secret, password, { mode: 0o600 });
    await shareFile(way, secret);
    await mkdir(directory, { mode: 0o700 });
    await prepareDirectory(way, directory, binaries);
    const log = await open(options.logFile, 'a', 0o600);
    const initdb = spawnAs(
      way,
      [
        binaries.initdb,
        '-D',
        directory,
        '-U',
        'service',
        `--pwfile=${secret}`,
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ],
      { binaries, logFd: log.fd },
    );
    expect(await once(initdb, 'exit')).toEqual([0, null]);
    await rm(join(secret, '..'), { recursive: true });
    const server = spawnAs(
      way,
      [
        binaries.postgres,
        '-D',
        directory,
        '-c',
        `port=${port}`,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
      ],
      { binaries, logFd: log.fd },
    );
    await log.close();
    await poll(async () => (await refusal(before(), 'select 1')) === undefined);
    return {
      async stop() {
        server.kill('SIGINT');
        await once(server, 'exit');
      },
    };
  }

  const OBJECTS = [
    'create schema "of Before"',
    'set search_path = "of Before"',
    'create table job (id serial primary key, n bigint generated always as identity, body text)',
    "insert into job (body) values ('kept')",
    'create table parts (day date) partition by range (day)',
    "create table part partition of parts for values from ('2026-01-01') to ('2027-01-01')",
    'create view seen as select * from job',
    'create materialized view counted as select count(*) from job',
    'create sequence alone',
    "create type mood as enum ('calm')",
    'create type pair as (a int, b int)',
    'create domain positive as int check (value > 0)',
    'create function twice(int) returns int language sql as $$ select $1 * 2 $$',
    'create procedure nothing() language sql as $$ $$',
    'create table public.loose (n int)',
    'create function bump() returns trigger language plpgsql as $$ begin return new; end $$',
    'create trigger bumped before update on job for each row execute function bump()',
  ];
  /** What the role that initdb made still owns beyond the catalogues. */
  const LEFT =
    "select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where relowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema' union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = pronamespace where proowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema' union all select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = typnamespace where typowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema' union all select nspname from pg_namespace where nspowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema' union all select datname from pg_database where datdba = 10 and not datistemplate";

  async function expectCarriedOver({ url, adminUrl }: RunningPostgres): Promise<void> {
    expect(await ask(adminUrl, ROLES)).toEqual(TWO_ROLES);
    expect(await ask(adminUrl, LEFT)).toEqual([]);
    expect(
      await ask(
        url,
        'set search_path = "of Before"',
        'update job set body = body',
        'alter table job add more int',
        'drop view seen',
        'drop materialized view counted',
        'alter type mood rename to temper',
        'drop domain positive',
        'drop procedure nothing()',
        'alter function twice(int) rename to doubled',
        'drop table public.loose',
        'drop table parts',
        'drop sequence alone',
        'drop type pair',
        "insert into job (body) values ('more')",
        'select id, body from job order by id',
      ),
    ).toEqual([
      { id: 1, body: 'kept' },
      { id: 2, body: 'more' },
    ]);
    expect(await refusal(url, 'copy "of Before".job (body) from program \'id\'')).toBe(insufficient_privilege);
  }

  it('is carried over at the next start, with everything in it, under the address that it had', async () => {
    const old = await makeBefore();
    await ask(before(), ...OBJECTS);
    await ask(before(), 'create database service_restored');
    await ask(
      before().replace(/postgres$/, 'service_restored'),
      'create schema service',
      'create table service.t as select 7 as n',
    );
    await old.stop();
    const server = await launch();
    expect(server.url).toBe(before());
    await expectCarriedOver(server);
    const restored = server.url.replace(/postgres$/, 'service_restored');
    expect(await ask(restored, 'alter table service.t rename to u', 'select n from service.u')).toEqual([{ n: 7 }]);
    expect(await ask(server.adminUrl.replace(/postgres$/, 'service_restored'), LEFT)).toEqual([]);
    await server.stop();
    expect(await ask((await launch()).url, 'select count(*)::int as n from "of Before".job')).toEqual([{ n: 2 }]);
  });

  it('is carried over while it runs', async () => {
    const old = await makeBefore();
    await ask(before(), ...OBJECTS);
    const server = await launch();
    expect(server.adopted).toBe(true);
    await expectCarriedOver(server);
    started.splice(0);
    await old.stop();
  });

  it('is carried over by the next start when one was cut short', async () => {
    const old = await makeBefore();
    await ask(before(), ...OBJECTS, 'create database service_restored');
    // Cut short before the renaming, then after it.
    await ask(before(), "create role service_renamer superuser login password 'of a start before'");
    await old.stop();
    const first = await launch();
    await ask(
      first.adminUrl,
      "create role service_renamer superuser login password 'x'",
      `alter database postgres owner to ${ADMIN_USER}`,
      `alter database service_restored owner to ${ADMIN_USER}`,
      `alter schema "of Before" owner to ${ADMIN_USER}`,
      `alter table "of Before".job owner to ${ADMIN_USER}`,
    );
    await first.stop();
    started.splice(0);
    const second = await launch();
    await expectCarriedOver(second);
    expect(await ask(second.adminUrl, "select rolname from pg_roles where rolname = 'service_renamer'")).toEqual([]);
  });

  it('is not touched with another password than its own', async () => {
    await (await makeBefore()).stop();
    options = { ...options, password: 'another' };
    await expect(launch()).rejects.toThrow('a different password');
  });
});
