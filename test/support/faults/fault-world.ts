// A database, two workers of a kind and everything between them, each reached in a way that a test can break: small
// disks, proxies, a host of its own, clocks that can be set. What the machine does not allow is absent, with its reason.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { APPLICATION_USER } from '../../../src/postgres/accounts.ts';
import { findPostgresBinaries } from '../../../src/postgres/binaries.ts';
import { launchPostgres } from '../../../src/postgres/launch.ts';
import { chooseRunAs, prepareDirectory } from '../../../src/postgres/run-as.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrate, readMigrations } from '../../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../database.ts';
import { type FakeClock, makeFakeClock } from '../fake-clock.ts';
import { type FarHost, makeFarHost } from './far-host.ts';
import { freePort } from '../free-port.ts';
import { type RuntimeStand, openRuntimeStand, type Part } from '../runs/runtime-stand.ts';
import type { Program } from '../watch-process.ts';
import { mountDisk, type MountedDisk } from './mounted-disk.ts';
import { startTcpProxy, type TcpProxy, throughProxy } from './tcp-proxy.ts';

export interface FaultWorld {
  readonly stand: RuntimeStand;
  /** Between every process and PostgreSQL, but for the test's own connection. */
  readonly database: TcpProxy;
  /** Between every process and the broker. */
  readonly broker: TcpProxy;
  /** Holds the tables of the service; its write-ahead log is elsewhere. */
  readonly tables: MountedDisk | undefined;
  /** The data directory of the workers. */
  readonly data: MountedDisk | undefined;
  /** Of every process but the broker. */
  readonly clock: FakeClock;
  readonly parts: { readonly broker: Program; readonly api: Program; readonly workers: readonly Program[] };
  /** A worker like the first, on a host of its own where there can be one; the call ends with it running. */
  startFarWorker(): Promise<{ readonly worker: Program; readonly host: FarHost }>;
  close(): Promise<void>;
}

export async function openFaultWorld({
  disks,
  clock: withClock,
}: {
  disks: boolean;
  clock: boolean;
}): Promise<FaultWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'service-faults-'));
  const [tables, data] = disks ? [mountDisk(64), mountDisk(16)] : [];
  const binaries = await findPostgresBinaries(import.meta.url);
  const postgres = await launchPostgres({
    binaries,
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'faults',
    adminPassword: 'faults-admin',
    logFile: join(directory, 'postgres.log'),
  });
  if (tables) {
    await prepareDirectory(chooseRunAs(), tables.path, binaries);
    await keepTablesOn(tables, postgres.adminUrl);
  }
  const db = await openDatabase({
    url: postgres.url,
    schema: 'faults',
    poolMax: 4,
    applicationName: 'test',
    log: quiet,
  });
  await migrate(db, await readMigrations(MIGRATIONS));
  const database = await startTcpProxy({ port: postgres.port });
  const stand = await openRuntimeStand({ own: { url: throughProxy(postgres.url, database), db } });
  const broker = await startTcpProxy({ port: Number(new URL(stand.brokerUrl).port) });
  const clock = makeFakeClock(directory);
  const environment = {
    SERVICE_BROKER_URL: throughProxy(stand.brokerUrl, broker),
    ...(withClock ? clock.environment : {}),
  };
  const worker = { ...environment, ...(data ? { SERVICE_DATA_DIR: data.path } : {}) };
  const start = (part: Part, more: Record<string, string> = environment): Promise<Program> =>
    stand.start(part, { environment: more });

  const api = await start('api');
  const [brokerProcess, , ...workers] = await Promise.all([
    stand.start('broker'),
    start('driver'),
    start('worker-chat', worker),
    start('worker-chat', worker),
    start('worker-control', worker),
  ]);
  const hosts: { remove(): void }[] = [];
  const proxies: TcpProxy[] = [];

  return {
    stand,
    database,
    broker,
    tables,
    data,
    clock,
    parts: { broker: brokerProcess, api, workers },
    async startFarWorker() {
      const host = makeFarHost(hosts.length + 1);
      hosts.push(host);
      const reach = async (port: number): Promise<TcpProxy> => {
        const proxy = await startTcpProxy({ port }, { host: host.here });
        proxies.push(proxy);
        return proxy;
      };
      const [toDatabase, toBroker, toSandbox] = [
        await reach(postgres.port),
        await reach(Number(new URL(stand.brokerUrl).port)),
        await reach(Number(new URL(stand.sandboxUrl).port)),
      ];
      const there = {
        ...worker,
        SERVICE_UPSTREAM_DB: throughProxy(postgres.url, toDatabase),
        SERVICE_BROKER_URL: throughProxy(stand.brokerUrl, toBroker),
        SERVICE_SANDBOX_URL: throughProxy(stand.sandboxUrl, toSandbox),
      };
      return { host, worker: await stand.start('worker-chat', { environment: there, within: host.within }) };
    },
    async close() {
      await stand.close();
      await Promise.all([database, broker, ...proxies].map((proxy) => proxy.close()));
      await postgres.stop();
      for (const host of hosts) host.remove();
      for (const disk of [tables, data]) disk?.unmount();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function keepTablesOn({ path }: MountedDisk, adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`create tablespace small location '${path}'`);
    await client.query(`grant create on tablespace small to ${APPLICATION_USER}`);
    await client.query(`alter role ${APPLICATION_USER} set default_tablespace = small`);
  } finally {
    await client.end();
  }
}
