// Whether a request costs more the more there is: the statements of the hot paths with 1,000 and with 1,000,000 rows in
// every table that they use. Both sizes lie beside each other on one server and take turns call by call, so that other
// load on the machine affects both alike. No commit waits for the disk, which takes the same time at every size and
// would hide the difference.
import type { Database } from '../src/store/database.ts';
import { keepSpendRecords } from '../src/enforcement/read-requests.ts';
import { FILLED_TABLES, fillTables } from './peers/fill-tables.ts';
import { createHotOperations, createPlaces, type HotOperations, type Operation } from './peers/hot-operations.ts';
import type { Aim } from './support/aims.ts';
import { median } from './support/median.ts';
import { type BenchPostgres, startPostgres } from './support/postgres.ts';

const SIZES = [1_000, 1_000_000] as const;
const PLACES = 10;
const ROUNDS = 9;
/** The same at every size: what one operation leaves behind is what the next one works with. */
const CALLS_PER_ROUND = 60;
const BATCHES_PER_ROUND = 4;
const MOST_RATIO = 1.3;
/** Nothing waits for the disk, and nothing runs beside the measurement that it did not start. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  shared_buffers: '256MB',
};

interface Filled {
  readonly db: Database;
  readonly hot: HotOperations;
}

export async function bench(report: (line: string) => void): Promise<Aim[]> {
  const postgres = await startPostgres(SETTINGS);
  const filled: Filled[] = [];
  try {
    for (const size of SIZES) {
      const startedAt = performance.now();
      filled.push(await fill(postgres, size));
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      report(`${size.toLocaleString('en-US')} rows in each of ${FILLED_TABLES.length} tables, in ${seconds} s`);
    }
    return await compare(filled, report);
  } finally {
    for (const { db, hot } of filled) {
      await hot.close();
      await db.close();
    }
    await postgres.stop();
  }
}

async function fill(postgres: BenchPostgres, size: number): Promise<Filled> {
  const schema = `rows_${size}`;
  const first = await postgres.openMigrated({ schema });
  await keepSpendRecords(first, 93);
  const places = await createPlaces(first, { count: PLACES, capped: true });
  await fillTables({ adminUrl: postgres.adminUrl, schema }, places, size);
  await first.query('checkpoint').catch(() => {});
  await first.close();
  const db = await postgres.open({ schema });
  return { db, hot: await createHotOperations(db, places) };
}

async function compare([small, large]: readonly Filled[], report: (line: string) => void): Promise<Aim[]> {
  if (!small || !large) throw new Error('two sizes are compared');
  report(
    `µs per operation with ${SIZES.map((size) => size.toLocaleString('en-US')).join(' and ')} rows, and the ratio`,
  );
  const names = small.hot.operations.map(({ name }) => name);
  const times = names.map(() => SIZES.map(() => [] as number[]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [position, { of = 1 }] of small.hot.operations.entries())
      for (let call = of === 1 ? CALLS_PER_ROUND : BATCHES_PER_ROUND; call > 0; call--)
        for (const [size, { hot }] of [small, large].entries()) {
          const micros = await measure(hot.operations[position]);
          if (round > 0) times[position]?.[size]?.push(micros);
        }
  return names.map((work, position) => {
    const [few = 0, many = 0] = (times[position] ?? []).map(median);
    report(
      `  ${work.padEnd(44)} ${few.toFixed(1).padStart(9)} ${many.toFixed(1).padStart(9)}  ${(many / few).toFixed(2)}×`,
    );
    return { work: `${work}, a million rows`, figure: many / few, unit: '× a thousand', atMost: MOST_RATIO };
  });
}

/** In µs for each of what the operation does. */
async function measure(operation: Operation | undefined): Promise<number> {
  if (!operation) throw new Error('there is no such operation');
  const startedAt = performance.now();
  await operation.run();
  return ((performance.now() - startedAt) / (operation.of ?? 1)) * 1_000;
}
