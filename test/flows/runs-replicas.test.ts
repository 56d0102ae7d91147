// Two replicas of the broker behind a balancer: one of them is killed while runs are under way, and stays away.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { expectAllEndedOnce, startRuns } from '../support/runs/run-faults.ts';
import { type RuntimeStand, openRuntimeStand } from '../support/runs/runtime-stand.ts';
import type { Program } from '../support/watch-process.ts';
import { startTcpBalancer, type TcpBalancer } from '../support/faults/tcp-balancer.ts';

const RUNS = 40;
let stand: RuntimeStand;
let balancer: TcpBalancer;
let replicas: Program[];

beforeAll(async () => {
  stand = await openRuntimeStand();
  const ports = [await freePort(), await freePort()];
  balancer = await startTcpBalancer(ports);
  const environment = { SERVICE_BROKER_URL: `http://127.0.0.1:${balancer.port}` };
  await stand.start('api', { environment });
  replicas = await Promise.all(
    ports.map((port) => stand.start('broker', { environment: { SERVICE_BROKER_PORT: String(port) } })),
  );
  await Promise.all(
    (['driver', 'worker-chat', 'worker-control'] as const).map((part) => stand.start(part, { environment })),
  );
});
afterAll(async () => {
  await stand?.close();
  await balancer?.close();
});

it('when one of two broker replicas is killed, every run still ends exactly once', async () => {
  const starting = startRuns(stand, RUNS, 2_000);
  await expect
    .poll(async () => (await stand.db.query('select from :schema.job where ended_at is not null')).rowCount, {
      timeout: 60_000,
      interval: 20,
    })
    .toBeGreaterThan(3);
  await replicas[0]?.stop('SIGKILL');
  await expectAllEndedOnce(stand.db, await starting, 60_000);
});
