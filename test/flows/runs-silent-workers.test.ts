// Workers that go silent behind a connection that stays open: frozen, and killed behind a proxy that does not say so.
// All processes are as shipped; a run goes on at the live worker, and a worker that returns too late changes nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import type { Program } from '../support/watch-process.ts';
import { openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts';

const NEW_RUNS = 6;
/** Each waits for the bound itself, and for runs that begin again in a sandbox. */
const TIMEOUT_MS = 240_000;
/** Never answered: the worker that asked is stopped meanwhile. */
const HANG = { path: '/v1/responses', until: new Promise(() => {}) };

describe('a worker that has not been heard of for 15 s', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  let proxy: TcpProxy;
  let live: Program;
  beforeAll(async () => {
    stand = await openRunStand();
    tenant = await stand.newTenant();
    proxy = await startTcpProxy({ port: Number(new URL(stand.brokerUrl).port) }, { keepsServerSide: true });
  });
  afterAll(async () => {
    await stand?.close();
    await proxy?.close();
  });

  /** A run that a worker has asked its model about. */
  async function startHanging(): Promise<string> {
    const before = stand.models.requests.length;
    stand.models.respond(HANG);
    const id = await tenant.run('Wait for the model');
    await stand.models.request(before);
    return id;
  }
  const workersAtBroker = async (): Promise<number> =>
    (await stand.db.query("select from :schema.broker_stream where task_group = 'service-chat' and ended_at is null"))
      .rowCount;
  const kinds = async (id: string): Promise<string[]> =>
    (await tenant.events(id)).map(({ type }) => type as string).filter((type) => type !== 'job.progress');

  it(
    'loses its run to a live one when it is frozen, gets no new ones, and writes nothing after it thaws',
    async () => {
      const frozen = stand.worker;
      const held = await startHanging();
      live = await stand.startShipped('worker-chat');
      frozen.child.kill('SIGSTOP');
      await expect.poll(workersAtBroker, { timeout: 60_000 }).toBe(1);
      const fresh = await Promise.all(Array.from({ length: NEW_RUNS }, (_, at) => tenant.run(`New run ${at}`)));
      for (const id of fresh)
        expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
      expect(await tenant.until(held, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });

      frozen.child.kill('SIGCONT');
      await frozen.said('run is no longer with this worker');
      await expect.poll(workersAtBroker, { timeout: 60_000 }).toBe(2);
      expect(await kinds(held)).toEqual(['job.queued', 'job.started', 'job.retried', 'job.completed']);
      for (const id of fresh) expect(await kinds(id)).toEqual(['job.queued', 'job.started', 'job.completed']);
      await frozen.stop();
    },
    TIMEOUT_MS,
  );

  it(
    'loses its run to a live one when it is killed behind a proxy that keeps its connection open',
    async () => {
      const away = await stand.startShipped('worker-chat', { SERVICE_BROKER_URL: `http://127.0.0.1:${proxy.port}` });
      await live.stop();
      const held = await startHanging();
      await stand.startShipped('worker-chat');
      await away.stop('SIGKILL');
      expect(proxy.open).toBeGreaterThan(0);
      expect(await tenant.until(held, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });
      expect(await kinds(held)).toEqual(['job.queued', 'job.started', 'job.retried', 'job.completed']);
      expect(await workersAtBroker()).toBe(1);
    },
    TIMEOUT_MS,
  );
});
