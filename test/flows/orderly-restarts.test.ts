// A run in flight while the parts of the service are restarted in order, as systemctl restart does it: it keeps its
// attempt, however often.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../support/watch-process.ts';
import type { Script } from '../support/models/model-scripts.ts';
import { leaveOut } from '../support/needs.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { type ControllerProcess, sandboxSkipReason, startController } from '../support/sandbox/sandbox.ts';

describe('a run in flight keeps its attempt', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  let controller: ControllerProcess;
  let processes: Record<'worker' | 'driver' | 'broker', Program>;
  beforeAll(async () => {
    stand = await openRunStand();
    tenant = await stand.newTenant();
    controller = stand.sandbox;
    processes = { worker: stand.worker, driver: stand.driver, broker: stand.broker };
  });
  afterAll(async () => {
    await stand?.close();
    await controller?.remove();
  });

  const START = {
    worker: () => stand.startShipped('worker-chat'),
    driver: () => stand.startShipped('driver'),
    broker: () => stand.start('broker'),
  };
  const stop = async (name: keyof typeof START): Promise<void> =>
    expect([name, await processes[name].stop('SIGTERM')]).toEqual([name, 0]);
  const start = async (name: keyof typeof START): Promise<void> => void (processes[name] = await START[name]());
  const stopController = async (): Promise<void> =>
    expect(await controller.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  const startControllerAgain = async (): Promise<void> => {
    controller = await startController({
      environment: { SERVICE_SANDBOX_URL: stand.sandbox.url },
      directory: stand.sandbox.directory,
    });
  };

  const restartWorker = async (): Promise<void> => (await stop('worker'), start('worker'));

  /** What is restarted, and whether the run has to begin again for it. */
  type Restart = readonly [string, boolean, () => Promise<unknown>];

  async function survive(waits: Script, restarts: readonly Restart[]): Promise<void> {
    stand.models.reset();
    stand.models.respondByDefault({ path: '/v1/responses', ...waits });
    const id = await tenant.run('Survive');
    // A run is in flight once its model was asked and, where it says so, its command runs.
    const begun = async (): Promise<number> =>
      'toolCalls' in waits
        ? (await tenant.events(id)).filter(({ data }) => data.progress?.type === 'tool.started').length
        : stand.models.requests.length;
    let times = 1;
    await expect.poll(begun, { timeout: 60_000 }).toBe(times);
    for (const [name, again, restart] of restarts) {
      await restart();
      if (again) times++;
      await expect.poll(async () => [name, await begun()], { timeout: 60_000 }).toEqual([name, times]);
      expect([name, (await tenant.ask('GET', `/jobs/${id}`)).body.job]).toMatchObject([
        name,
        { status: 'running', attempt: 1 },
      ]);
    }
    stand.models.reset();
    stand.script({ text: 'Done at last.' });
    await restartWorker();
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { text: 'Done at last.' },
    });
    // One that was in a command is told of it; one that has nothing yet is told that it begins again.
    expect(stand.models.requests.at(-1)?.body).toContain(
      'toolCalls' in waits ? 'It is not known how this ended' : 'started before and interrupted',
    );
    const kinds = (await tenant.ask('GET', `/jobs/${id}/receipts`)).body.receipts.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds.filter((kind: string) => kind !== 'job.progress')).toEqual([
      'job.queued',
      'job.started',
      'job.completed',
    ]);
  }

  it('inside a command, when driver, broker, controller, worker and all of them at once are restarted', async () => {
    await survive(bash('sleep 27182.7'), [
      ['driver', false, async () => (await stop('driver'), start('driver'))],
      ['broker', false, async () => (await stop('broker'), start('broker'))],
      [
        'everything at the same instant',
        true,
        async () => {
          await Promise.all([stop('worker'), stop('driver'), stop('broker'), stopController()]);
          await Promise.all([start('worker'), start('driver'), start('broker'), startControllerAgain()]);
        },
      ],
      ['controller', true, async () => (await stopController(), startControllerAgain())],
    ]);
  }, 240_000);

  it('waiting for its model, when the worker is restarted three times', async () => {
    await survive({ text: 'a very slow answer that nobody waits for', dripMs: 60_000 }, [
      ['worker', true, restartWorker],
      ['worker again', true, restartWorker],
    ]);
  }, 240_000);

  it('when the controller is restarted while it waits for its model and it then needs its sandbox', async () => {
    stand.models.reset();
    const answer = Promise.withResolvers<void>();
    stand.script({ ...bash('true'), until: answer.promise });
    const id = await tenant.run('Survive');
    await stand.models.request(0);
    stand.script({ text: 'Done at last.' });
    await stopController();
    await startControllerAgain();
    answer.resolve();
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { text: 'Done at last.' },
    });
    expect(
      (await tenant.events(id))
        .map(({ data }) => data.progress)
        .filter((progress) => ['released', 'resumed'].includes(progress?.type)),
    ).toEqual([{ type: 'released', reason: 'sandbox_stopping' }, { type: 'resumed' }]);
  }, 120_000);
});
