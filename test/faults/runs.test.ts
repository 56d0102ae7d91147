// Everything dies at random while 500 runs are under way. Afterwards every run has ended once, on a chain that verifies.
// SERVICE_TEST_RUNS and SERVICE_TEST_SEED give another number of runs and another order of deaths; the seed is printed.
import { afterAll, beforeAll, it } from 'vitest';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { type DeathWorld, openDeathWorld } from '../support/faults/death-world.ts';
import { expectAllEndedOnce, startRuns } from '../support/runs/run-faults.ts';

const RUNS = Number(process.env['SERVICE_TEST_RUNS'] ?? 500);
const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHAOS_MS = Math.max(20_000, (RUNS / 500) * 60_000);

let world: DeathWorld;
beforeAll(async () => {
  world = await openDeathWorld();
});
afterAll(() => world?.close());

it(`every one of ${RUNS} runs ends in exactly one final status with exactly one final receipt, and all chains verify (seed ${SEED})`, async () => {
  const starting = startRuns(world.stand, RUNS, CHAOS_MS / 2);
  await world.killFor(CHAOS_MS, seeded(SEED));
  await expectAllEndedOnce(world.db, await starting);
});
