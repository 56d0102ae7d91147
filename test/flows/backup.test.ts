// What a backup has beside the service's own database: that of the integration provider, and the secrets bundle. Both
// databases are real and made by deploy/postgres/init-databases.sh; the provider's is read by the role that it makes.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { DEPLOY } from '../../scripts/read-deploy-files.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import { type Ran, servicectl } from '../support/cli/servicectl.ts';
import {
  type Cluster,
  CLUSTER_PROGRAMS,
  clusterSkipReason,
  createCluster,
} from '../support/faults/postgres-cluster.ts';
import { leaveOut } from '../support/needs.ts';

const PASSWORD = 'a-password-that-nobody-may-see';
const BUNDLE = 'AUTH_SECRET=the-secrets-of-the-deployment\n';

describe('a backup with more than the database of the service', leaveOut(clusterSkipReason), () => {
  let directory: string;
  let cluster: Cluster;
  const at = (...path: string[]): string => join(directory, ...path);
  const url = (role: string, database: string): string =>
    `postgresql://${role}:${PASSWORD}@127.0.0.1:${cluster.port}/${database}`;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-backup-'));
    cluster = await createCluster(at('postgres'));
    const made = spawnSync('sh', [join(DEPLOY, 'postgres', 'init-databases.sh')], {
      encoding: 'utf8',
      env: {
        PATH: `${CLUSTER_PROGRAMS}:/usr/bin:/bin`,
        PGHOST: '127.0.0.1',
        PGPORT: String(cluster.port),
        POSTGRES_USER: 'service_admin',
        SERVICE_DATABASE_PASSWORD: PASSWORD,
        NANGO_DATABASE_PASSWORD: PASSWORD,
        NANGO_READER_PASSWORD: PASSWORD,
      },
    });
    if (made.status !== 0) throw new Error(made.stderr);
    const db = await openDatabase({
      url: url('service', 'service'),
      schema: 'service',
      poolMax: 1,
      applicationName: 'test',
      log: quiet,
    });
    await migrate(db, await readMigrations(MIGRATIONS));
    await db.close();
    await query(
      url('nango', 'nango'),
      `create schema nango;
       create extension pgcrypto;
       create table nango._nango_connections (id serial primary key, key uuid default gen_random_uuid(), credentials_iv text);
       insert into nango._nango_connections (credentials_iv) select 'sealed ' || n from generate_series(1, 3) n`,
    );
    await writeFile(at('bundle.env'), BUNDLE, { mode: 0o644 });
    const taken = await run([
      'backup',
      at('whole'),
      '--provider',
      'SERVICE_INTEGRATIONS_DATABASE_URL',
      '--bundle',
      at('bundle.env'),
    ]);
    if (taken.code !== 0) throw new Error(taken.stderr);
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function query(connectionString: string, sql: string): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Beside the deployment; `environment` says what differs. */
  const run = async (args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> => {
    const ran = await servicectl(['admin', ...args], {
      environment: {
        PATH: `${CLUSTER_PROGRAMS}:/usr/bin:/bin`,
        SERVICE_UPSTREAM_DB: url('service', 'service'),
        SERVICE_DB_SCHEMA: 'service',
        SERVICE_DATA_DIR: at('data'),
        SERVICE_INTEGRATIONS_DATABASE_URL: url('nango_reader', 'nango'),
        ...environment,
      },
    });
    if ((ran.stdout + ran.stderr).includes(PASSWORD)) throw new Error('a password was said');
    return ran;
  };

  /** Names of empty databases, as an operator makes them. */
  async function emptyPlace(name: string): Promise<Record<string, string>> {
    await cluster.query(`create database ${name} owner service`);
    await cluster.query(`create database ${name}_nango owner nango`);
    return {
      SERVICE_UPSTREAM_DB: url('service', name),
      SERVICE_DATA_DIR: at(`data-${name}`),
      SERVICE_INTEGRATIONS_DATABASE_URL: url('nango', `${name}_nango`),
    };
  }

  const CONNECTIONS = 'select id, key, credentials_iv from nango._nango_connections order by id';

  it('is verified with both, which only its owner may read', async () => {
    expect((await run(['verify-backup', at('whole')])).stderr).toMatch(/^Intact: /);
    for (const file of ['service.dump', 'provider.dump', 'bundle.env'])
      expect([file, (await stat(at('whole', file))).mode & 0o777]).toEqual([file, 0o600]);
    expect(await readFile(at('whole', 'bundle.env'), 'utf8')).toBe(BUNDLE);
  });

  it("is restored with the provider's database, where its numbers go on, and says where the bundle is", async () => {
    const place = await emptyPlace('second');
    const { code, stderr } = await run(
      ['restore', at('whole'), '--provider', 'SERVICE_INTEGRATIONS_DATABASE_URL'],
      place,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining(`The secrets bundle is ${at('whole', 'bundle.env')}.`)]);
    const there = place['SERVICE_INTEGRATIONS_DATABASE_URL'] ?? '';
    expect(await query(there, CONNECTIONS)).toEqual(await query(url('nango', 'nango'), CONNECTIONS));
    expect(await query(there, 'insert into nango._nango_connections default values returning id')).toEqual([{ id: 4 }]);
    const tables = "select count(*)::int as n from pg_tables where schemaname = 'service'";
    expect(await query(place['SERVICE_UPSTREAM_DB'] ?? '', tables)).toEqual(
      await query(url('service', 'service'), tables),
    );
  });

  it("restores nothing where the provider's database cannot be restored, or the backup has none", async () => {
    const place = await emptyPlace('refused');
    const provider = ['--provider', 'SERVICE_INTEGRATIONS_DATABASE_URL'];
    const refused = async (args: readonly string[], more: Record<string, string> = {}): Promise<string> => {
      const { code, stderr } = await run(['restore', ...args], { ...place, ...more });
      expect(code).toBe(1);
      expect(
        await query(place['SERVICE_UPSTREAM_DB'] ?? '', "select from pg_namespace where nspname = 'service'"),
      ).toEqual([]);
      return stderr;
    };
    expect(
      await refused([at('whole'), ...provider], { SERVICE_INTEGRATIONS_DATABASE_URL: url('nango', 'nango') }),
    ).toContain('the database in SERVICE_INTEGRATIONS_DATABASE_URL is not empty');
    // The service's role may not make the provider's schema.
    expect(
      await refused([at('whole'), ...provider], { SERVICE_INTEGRATIONS_DATABASE_URL: url('service', 'refused_nango') }),
    ).toContain('pg_restore failed: ');
    expect(await readdir(directory)).not.toContain('data-refused');
    expect(await refused([at('whole'), '--provider', 'NOT_SET'])).toContain(
      'NOT_SET does not have the URL of a database',
    );
    expect(await run(['backup', at('alone')])).toMatchObject({ code: 0 });
    expect(await refused([at('alone'), ...provider])).toContain("the backup does not have the provider's database");
  });

  it('leaves nothing behind when one of them cannot be read', async () => {
    const before = await readdir(directory);
    for (const [args, reason] of [
      [['--provider', 'NOT_SET'], 'NOT_SET does not have the URL of a database'],
      [['--bundle', at('no-bundle.env')], 'the bundle cannot be copied (ENOENT)'],
    ] as const) {
      const { code, stderr } = await run(['backup', at('half'), ...args]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
    const away = { SERVICE_INTEGRATIONS_DATABASE_URL: url('nobody_knows', 'nango') };
    const { code, stderr } = await run(['backup', at('half'), '--provider', 'SERVICE_INTEGRATIONS_DATABASE_URL'], away);
    expect([code, stderr]).toEqual([1, expect.stringContaining('pg_dump failed')]);
    expect((await readdir(directory)).toSorted()).toEqual(before.toSorted());
  });
});
