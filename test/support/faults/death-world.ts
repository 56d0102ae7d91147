// A runtime whose processes die at random: worker, driver, two api processes, one of two broker replicas, PostgreSQL, now
// and then all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgresBinaries } from '../../../src/postgres/binaries.ts';
import { launchPostgres, type PostgresOptions } from '../../../src/postgres/launch.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { migrate, readMigrations } from '../../../src/store/migrate.ts';
import { MIGRATIONS, quiet } from '../database.ts';
import { freePort } from '../free-port.ts';
import { openRuntimeStand, type RuntimeStand } from '../runs/runtime-stand.ts';
import type { Program } from '../watch-process.ts';
import { startTcpBalancer } from './tcp-balancer.ts';

/** The broker's replicas have ports of their own; the rest reach them through the balancer. */
const PLACES = ['broker-1', 'broker-2', 'api', 'api-2', 'driver', 'worker-chat', 'worker-control'] as const;
type Place = (typeof PLACES)[number];

export interface DeathWorld {
  readonly db: Database;
  readonly stand: RuntimeStand;
  /** What can die, each by its name. */
  readonly deaths: Readonly<Record<string, () => Promise<void>>>;
  /** What any of the processes logged about this. */
  logOf(id: string): string[];
  /** Kills one or more at random moments for so long. */
  killFor(ms: number, random: () => number): Promise<void>;
  close(): Promise<void>;
}

/** What else dies, by how it is killed and started again. */
type Others = Readonly<Record<string, () => Promise<void>>>;

export async function openDeathWorld(more: Record<string, string> = {}, others: Others = {}): Promise<DeathWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'service-run-faults-'));
  const settings: PostgresOptions = {
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'faults',
    adminPassword: 'faults-admin',
    logFile: join(directory, 'postgres.log'),
  };
  let postgres = await launchPostgres(settings);
  const db = await openDatabase({
    url: postgres.url,
    schema: 'faults',
    poolMax: 4,
    applicationName: 'test',
    log: quiet,
  });
  await migrate(db, await readMigrations(MIGRATIONS));
  const stand = await openRuntimeStand({ own: { url: postgres.url, db } });
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const balancer = await startTcpBalancer(ports.slice(0, 2));
  const alive = new Map<Place, Program>();
  const started: Program[] = [];
  const through = { ...more, SERVICE_BROKER_URL: `http://127.0.0.1:${balancer.port}` };

  async function restart(place: Place): Promise<void> {
    await alive.get(place)?.stop('SIGKILL');
    const environment =
      place === 'broker-1' || place === 'broker-2'
        ? { SERVICE_BROKER_PORT: String(ports[place === 'broker-1' ? 0 : 1]) }
        : place === 'api-2'
          ? { ...through, SERVICE_RUNTIME_PORT: String(ports[2]) }
          : through;
    const part = place === 'api-2' ? 'api' : place === 'broker-1' || place === 'broker-2' ? 'broker' : place;
    const program = await stand.start(part, { environment });
    alive.set(place, program);
    started.push(program);
  }

  async function restartPostgres(): Promise<void> {
    postgres.kill();
    await postgres.exited;
    postgres = await launchPostgres(settings);
  }

  async function restartEverything(): Promise<void> {
    await Promise.all([
      restartPostgres(),
      ...PLACES.map((place) => alive.get(place)?.stop('SIGKILL')),
      ...Object.values(others).map((kill) => kill()),
    ]);
    await Promise.all(PLACES.map(restart));
  }

  const single: Record<string, () => Promise<void>> = {
    ...Object.fromEntries(PLACES.map((place) => [place, () => restart(place)])),
    ...others,
  };

  async function killOne(random: () => number): Promise<void> {
    const kills = Object.values(single);
    await kills[Math.floor(random() * kills.length)]?.();
  }

  for (const place of PLACES) await restart(place);
  return {
    db,
    stand,
    deaths: { ...single, PostgreSQL: restartPostgres, everything: restartEverything },
    logOf: (id) => started.flatMap(({ lines }) => lines.filter((line) => line.includes(id))),
    async killFor(ms, random) {
      const until = performance.now() + ms;
      for (let round = 0; performance.now() < until; round++) {
        // The moment of each restart is the seed's choice.
        await sleep(500 + random() * 1_500);
        if (round % 9 === 8) await restartEverything();
        else if (round % 5 === 4) await restartPostgres();
        else await killOne(random);
      }
    },
    async close() {
      await stand.close();
      await balancer.close();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
