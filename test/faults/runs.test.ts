// Everything dies at random while 500 runs are under way: worker, driver, api, one of two broker replicas, PostgreSQL,
// now and then all of them. Afterwards every run has ended once, on a chain that verifies. SERVICE_TEST_RUNS and
// SERVICE_TEST_SEED give another number of runs and another order of deaths; the seed is printed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres, type PostgresOptions, type RunningPostgres } from '../../src/postgres/launch.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { MIGRATIONS, quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { expectAllEndedOnce, startRuns } from '../support/runs/run-faults.ts';
import { type RuntimeStand, openRuntimeStand, type Part } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';
import { startTcpBalancer, type TcpBalancer } from '../support/faults/tcp-balancer.ts';

const RUNS = Number(process.env['SERVICE_TEST_RUNS'] ?? 500);
const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHAOS_MS = Math.max(20_000, (RUNS / 500) * 60_000);
/** Two of the broker, each at its own port; the rest reach them through the balancer. */
const PLACES = ['broker-1', 'broker-2', 'api', 'driver', 'worker-chat', 'worker-control'] as const;
type Place = (typeof PLACES)[number];

const random = seeded(SEED);
let directory: string;
let postgres: RunningPostgres;
let settings: PostgresOptions;
let db: Database;
let stand: RuntimeStand;
let balancer: TcpBalancer;
let ports: readonly number[];
const alive = new Map<Place, Program>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-run-faults-'));
  settings = {
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'faults',
    adminPassword: 'faults-admin',
    logFile: join(directory, 'postgres.log'),
  };
  postgres = await launchPostgres(settings);
  db = await openDatabase({ url: postgres.url, schema: 'faults', poolMax: 4, applicationName: 'test', log: quiet });
  await migrate(db, await readMigrations(MIGRATIONS));
  stand = await openRuntimeStand({ own: { url: postgres.url, db } });
  ports = [await freePort(), await freePort()];
  balancer = await startTcpBalancer(ports);
  for (const place of PLACES) await restart(place);
});
afterAll(async () => {
  await stand?.close();
  await balancer?.close();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function restart(place: Place): Promise<void> {
  await alive.get(place)?.stop('SIGKILL');
  const [part, environment] =
    place === 'broker-1' || place === 'broker-2'
      ? (['broker', { SERVICE_BROKER_PORT: String(ports[place === 'broker-1' ? 0 : 1]) }] as const)
      : ([place satisfies Part, { SERVICE_BROKER_URL: `http://127.0.0.1:${balancer.port}` }] as const);
  alive.set(place, await stand.start(part, { environment }));
}

async function restartPostgres(): Promise<void> {
  postgres.kill();
  await postgres.exited;
  postgres = await launchPostgres(settings);
}

async function restartEverything(): Promise<void> {
  await Promise.all([restartPostgres(), ...PLACES.map((place) => alive.get(place)?.stop('SIGKILL'))]);
  await Promise.all(PLACES.map(restart));
}

it(`every one of ${RUNS} runs ends in exactly one final status with exactly one final receipt, and all chains verify (seed ${SEED})`, async () => {
  const starting = startRuns(stand, RUNS, CHAOS_MS / 2);
  const until = performance.now() + CHAOS_MS;
  for (let round = 0; performance.now() < until; round++) {
    // The moment of each restart is the seed's choice.
    await sleep(500 + random() * 1_500);
    if (round % 9 === 8) await restartEverything();
    else if (round % 5 === 4) await restartPostgres();
    else await restart(PLACES[Math.floor(random() * PLACES.length)] ?? 'broker-1');
  }
  await expectAllEndedOnce(db, await starting);
});
