// What a run leaves when it is ended from outside, in a real sandbox: its files are kept where nobody goes on with it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withRunSandbox } from '../../src/engines/run-sandbox.ts';
import { type RunAttempt, RunEnded, RunReleased } from '../../src/runs/delivery/engine.ts';
import type { Run } from '../../src/runs/record/run.ts';
import { quiet } from '../support/database.ts';
import { leaveOut } from '../support/needs.ts';
import { type ControllerProcess, sandboxSkipReason, startController } from '../support/sandbox/sandbox.ts';

describe('the sandbox of a run', leaveOut(sandboxSkipReason), () => {
  let controller: ControllerProcess;
  let directory: string;
  let taken: AbortController;
  beforeAll(async () => {
    controller = await startController();
  });
  afterAll(() => controller?.remove());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-run-sandbox-'));
    taken = new AbortController();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const attempt = (id: string): RunAttempt => ({
    run: { id, attempt: 1, head: { index: 1, hash: Buffer.alloc(32) } } as Run,
    begunBefore: false,
    signal: taken.signal,
    artifacts: async () => directory,
    progress: async () => undefined,
  });

  /** A command that leaves a file and then waits for ever; `begun` once the file is there. */
  const leaveAndWait = (id: string, begun: () => void, timeLimitMs?: number): Promise<unknown> =>
    withRunSandbox(
      { client: controller.client, log: quiet },
      attempt(id),
      timeLimitMs === undefined ? {} : { timeLimitMs },
      async (sandbox) => {
        const argv = ['bash', '-c', 'mkdir artifacts; echo half > artifacts/half.txt; echo begun; sleep 17320.5'];
        for await (const event of sandbox.exec({ argv })) if (event.t === 'out') begun();
      },
    );
  /** Whatever became of its files. */
  const sandboxes = async (): Promise<number | undefined> => {
    const health = await controller.client.health();
    return health.ok ? health.sandboxes : undefined;
  };
  const left = (): Promise<string | undefined> => readFile(join(directory, 'half.txt'), 'utf8').catch(() => undefined);

  it('keeps the files of a run that took too long', async () => {
    await expect(leaveAndWait('job_long', () => {}, 2_000)).rejects.toMatchObject({ code: 'run_time_limit' });
    expect([await left(), await sandboxes()]).toEqual(['half\n', 0]);
  });

  it('keeps the files of a run that was ended from outside', async () => {
    const ended = new RunEnded('the run is aborted');
    await expect(leaveAndWait('job_ended', () => taken.abort(ended))).rejects.toBe(ended);
    expect([await left(), await sandboxes()]).toEqual(['half\n', 0]);
  });

  it('keeps nothing of an attempt that another worker makes again', async () => {
    const released = new RunReleased('worker_stopping');
    await expect(leaveAndWait('job_released', () => taken.abort(released))).rejects.toBe(released);
    expect([await left(), await sandboxes()]).toEqual([undefined, 0]);
  });
});
