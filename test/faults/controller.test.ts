// The sandbox controller is killed under runs that are in the middle of a command, again and again. All processes are as
// shipped. SERVICE_TEST_SEED gives another order of events; the seed is printed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support/broker/broker-fuzz.ts';
import { expectAllEndedOnce } from '../support/runs/run-faults.ts';
import { leaveOut } from '../support/needs.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { type ControllerProcess, sandboxSkipReason, startController } from '../support/sandbox/sandbox.ts';

const SEED = Number(process.env['SERVICE_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const ROUNDS = 3;
const RUNS = 3;

describe(`a sandbox controller that is killed ${ROUNDS} times (seed ${SEED})`, leaveOut(sandboxSkipReason), () => {
  const random = seeded(SEED);
  let stand: RunStand;
  let tenant: Tenant;
  let controller: ControllerProcess;
  beforeAll(async () => {
    stand = await openRunStand();
    tenant = await stand.newTenant();
    controller = stand.sandbox;
  });
  afterAll(async () => {
    await stand?.close();
    await controller?.remove();
  });

  it('loses no run: each begins again in a new sandbox, and a waiting run says why it waits', async () => {
    const ids: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      for (let at = 0; at < RUNS; at++) stand.script(bash('sleep 600'));
      const hit = await Promise.all(Array.from({ length: RUNS }, () => tenant.run('Work for long')));
      const commands = async (): Promise<number> =>
        (await Promise.all(hit.map((id) => tenant.events(id))))
          .flat()
          .filter(({ data }) => data.progress?.type === 'tool.started').length;
      await expect.poll(commands, { timeout: 120_000 }).toBe(RUNS);
      // The moment of the kill is the seed's choice.
      await sleep(random() * 1_000);
      await controller.stop('SIGKILL');
      const late = await startUntilOneWaits(tenant);
      controller = await startController({ directory: controller.directory });
      for (const id of [...hit, ...late])
        expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      ids.push(...hit, ...late);
    }
    await expectAllEndedOnce(stand.db, ids);
    process.stdout.write(`Controller killed with seed ${SEED}: ${ids.length} runs, each ended once\n`);
  });
});

/**
 * A worker asks the controller for its health once a second, so a run that is started within that second may still
 * begin, and one that needs no command ends. The last of those returned says that it waits.
 */
async function startUntilOneWaits(tenant: Tenant): Promise<string[]> {
  for (const ids: string[] = []; ;) {
    const id = await tenant.run('Come while it is away');
    ids.push(id);
    const isKnown = async (): Promise<boolean> => {
      const { status, waiting } = (await tenant.ask('GET', `/jobs/${id}`)).body.job;
      return status === 'completed' || waiting?.reason === 'sandbox_unreachable';
    };
    await expect.poll(isKnown, { timeout: 60_000 }).toBe(true);
    if ((await tenant.ask('GET', `/jobs/${id}`)).body.job.status !== 'completed') return ids;
  }
}
