// Every fault of the table, in an order and at moments that the seed decides. SERVICE_TEST_SEED gives another seed, which
// is printed, and SERVICE_TEST_RUNS another number of runs for each fault.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { fakeClockMissing } from '../support/fake-clock.ts';
import { FAULTS } from '../support/faults/fault-table.ts';
import { type FaultWorld, openFaultWorld } from '../support/faults/fault-world.ts';
import { leaveOut } from '../support/needs.ts';
import { whyNoMountedDisk } from '../support/faults/mounted-disk.ts';
import { type FaultFigures, printFigures, tryFault } from '../support/faults/try-fault.ts';

const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const RUNS = Number(process.env['SERVICE_TEST_RUNS'] ?? 100);
const random = seeded(SEED);
const figures: FaultFigures[] = [];
let world: FaultWorld;

beforeAll(async () => {
  world = await openFaultWorld({ disks: whyNoMountedDisk() === undefined, clock: fakeClockMissing === undefined });
});
afterAll(async () => {
  printFigures(SEED, figures);
  await world?.close();
});

const inOrder = Object.entries(FAULTS)
  .map((entry) => ({ entry, at: random() }))
  .sort((one, other) => one.at - other.at);
describe(`runs survive (seed ${SEED}):`, () => {
  for (const {
    entry: [name, fault],
  } of inOrder)
    it(`${name}, and nothing is lost`, leaveOut(fault.leftOut), async () => {
      figures.push(
        await tryFault(world, [name, fault], { runs: RUNS, overMs: 4_000 + RUNS * 40, recoveryMs: 180_000, random }),
      );
    });
});
