// The short form of `npm run test:faults`: the faults that show within seconds, with a fixed seed.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { FAULTS } from '../support/faults/fault-table.ts';
import { type FaultWorld, openFaultWorld } from '../support/faults/fault-world.ts';
import { leaveOut } from '../support/needs.ts';
import { whyNoMountedDisk } from '../support/faults/mounted-disk.ts';
import { tryFault } from '../support/faults/try-fault.ts';

const random = seeded(18);
let world: FaultWorld;
beforeAll(async () => {
  world = await openFaultWorld({ disks: whyNoMountedDisk() === undefined, clock: false });
});
afterAll(() => world?.close());

describe('runs survive:', () => {
  for (const [name, fault] of Object.entries(FAULTS).filter(([, { short }]) => short))
    it(`${name}, and nothing is lost`, leaveOut(fault.leftOut), async () => {
      await tryFault(world, [name, fault], { runs: 20, overMs: 2_000, recoveryMs: 60_000, random });
    });
});
