// What a run leaves in a real sandbox: artifacts when it is ended from outside and nobody goes on with it, and its
// workspace after each step for those who do.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunSandbox, type SandboxSetup, withRunSandbox } from '../../src/engines/run-sandbox.ts';
import { type RunAttempt, RunEnded, RunReleased } from '../../src/runs/delivery/engine.ts';
import type { Run } from '../../src/runs/record/run.ts';
import { quiet } from '../support/database.ts';
import { leaveOut } from '../support/needs.ts';
import { pollUntil } from '../support/poll.ts';
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

  const facts: unknown[] = [];
  const attempt = (id: string, index = 1): RunAttempt => ({
    run: { id, attempt: 1, head: { index, hash: Buffer.alloc(32) } } as Run,
    begunBefore: index > 1,
    signal: taken.signal,
    artifacts: async () => {
      await mkdir(join(directory, id), { recursive: true });
      return join(directory, id);
    },
    progress: async (fact) => void facts.push(fact),
  });
  const run = async (sandbox: RunSandbox, script: string): Promise<string> => {
    let output = '';
    for await (const event of sandbox.exec({ argv: ['bash', '-c', script] })) if (event.t === 'out') output += event.d;
    return output;
  };

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
  const left = (id: string): Promise<string | undefined> =>
    readFile(join(directory, id, 'half.txt'), 'utf8').catch(() => undefined);

  it('keeps the files of a run that took too long', async () => {
    await expect(leaveAndWait('job_long', () => {}, 2_000)).rejects.toMatchObject({ code: 'run_time_limit' });
    expect([await left('job_long'), await sandboxes()]).toEqual(['half\n', 0]);
  });

  it('keeps the files of a run that was ended from outside', async () => {
    const ended = new RunEnded('the run is aborted');
    await expect(leaveAndWait('job_ended', () => taken.abort(ended))).rejects.toBe(ended);
    expect([await left('job_ended'), await sandboxes()]).toEqual(['half\n', 0]);
  });

  it('keeps nothing of an attempt that another worker makes again', async () => {
    const released = new RunReleased('worker_stopping');
    await expect(leaveAndWait('job_released', () => taken.abort(released))).rejects.toBe(released);
    expect([await left('job_released'), await sandboxes()]).toEqual([undefined, 0]);
  });

  describe('that is kept after its steps', () => {
    beforeEach(() => {
      facts.length = 0;
    });
    const use = <T>(
      id: string,
      setup: SandboxSetup,
      work: (sandbox: RunSandbox) => Promise<T>,
      index?: number,
    ): Promise<T> =>
      withRunSandbox({ client: controller.client, log: quiet }, attempt(id, index), setup, work).then(
        ({ value }) => value,
      );
    const kept = (id: string): string => join(directory, id, 'run-log', 'snapshot');

    it('has its files in the next attempt, and goes on keeping them', async () => {
      await use('job_1', {}, async (sandbox) => {
        expect(sandbox.restored).toBeUndefined();
        await run(sandbox, 'echo one >a; echo two >~/.b; mkdir d; chmod 500 d');
        await sandbox.save('call_1');
        await run(sandbox, 'rm a; echo three >c');
        await sandbox.save('call_2');
        await run(sandbox, 'echo unfinished >u');
      });
      const files = [{ path: 'c', content: 'of the setup' }];
      await use(
        'job_1',
        { restore: { run: 'job_1' }, files },
        async (sandbox) => {
          expect([sandbox.restored, await run(sandbox, 'ls; cat ~/.b c')]).toEqual([
            'call_2',
            'c\nd\ntwo\nof the setup',
          ]);
          await run(sandbox, 'echo four >e');
          await sandbox.save('call_3');
        },
        5,
      );
      expect((await readdir(kept('job_1'))).length).toBe(4);
      await use('job_1', { restore: { run: 'job_1' } }, async (sandbox) => {
        expect([sandbox.restored, await run(sandbox, 'ls; cat e')]).toEqual(['call_3', 'c\nd\ne\nfour\n']);
      });
      expect(facts).toEqual([]);
    });

    it('lends its files to a run that continues it, and keeps its own', async () => {
      await use('job_1', {}, async (sandbox) => {
        await run(sandbox, 'echo one >a');
        await sandbox.save('call_1');
      });
      const before = await readdir(kept('job_1'));
      await use('job_2', { restore: { run: 'job_1' } }, async (sandbox) => {
        expect(sandbox.restored).toBe('call_1');
        await run(sandbox, 'echo two >>a');
        await sandbox.save('call_9');
      });
      expect(await readdir(kept('job_1'))).toEqual(before);
      await use('job_2', { restore: { run: 'job_2' } }, async (sandbox) => {
        expect(await run(sandbox, 'cat a')).toBe('one\ntwo\n');
      });
    });

    it('begins empty where nothing is kept, or what is kept cannot be restored', async () => {
      await use('job_1', { restore: { run: 'job_1' } }, async (sandbox) => {
        expect(sandbox.restored).toBeUndefined();
        await run(sandbox, 'head -c 2000000 /dev/urandom >a');
        await sandbox.save('call_1');
      });
      const archive = (await readdir(kept('job_1'))).find((name) => name.startsWith('snap_')) ?? '';
      const bytes = await readFile(join(kept('job_1'), archive));
      bytes.fill('x', 512 * 3, 512 * 8);
      await writeFile(join(kept('job_1'), archive), bytes);
      await use('job_1', { restore: { run: 'job_1' } }, async (sandbox) => {
        expect([sandbox.restored, await run(sandbox, 'ls -A /workspace /home/agent')]).toEqual([
          undefined,
          '/home/agent:\n\n/workspace:\n',
        ]);
        await sandbox.save('call_2');
      });
      expect(await sandboxes()).toBe(0);
      await use('job_1', { restore: { run: 'job_1' } }, async ({ restored }) => expect(restored).toBe('call_2'));
    });

    it('is not kept with a secret in it, and works on', async () => {
      const secrets = [Buffer.from('the-secret-of-the-environment')];
      await use('job_1', { secrets }, async (sandbox) => {
        await run(sandbox, 'printf "%s%s" the-secret- of-the-environment >a');
        await sandbox.save('call_1');
        expect(await run(sandbox, 'rm a; ls')).toBe('');
        await sandbox.save('call_2');
      });
      expect(facts).toEqual([{ type: 'snapshot.skipped', reason: 'holds_secret' }]);
      expect(await readdir(join(directory, 'job_1', 'run-log'))).toEqual([]);
    });

    it('is as it was after the last step that was kept, wherever its controller is killed', async () => {
      const own = await startController();
      try {
        const saving = withRunSandbox({ client: own.client, log: quiet }, attempt('job_1'), {}, async (sandbox) => {
          await run(sandbox, 'echo one >a');
          await sandbox.save('call_1');
          await run(sandbox, 'echo two >a; head -c 300000000 /dev/urandom >big');
          const saved = sandbox.save('call_2');
          await pollUntil(
            async () => (await readdir(kept('job_1'))).length,
            (count) => count > 2,
          );
          own.child.kill('SIGKILL');
          await saved;
        });
        await expect(saving).rejects.toMatchObject({ reason: 'sandbox_lost' });
      } finally {
        await own.remove();
      }
      await use('job_1', { restore: { run: 'job_1' } }, async (sandbox) => {
        expect([sandbox.restored, await run(sandbox, 'ls; cat a')]).toEqual(['call_1', 'a\none\n']);
      });
      expect(facts).toEqual([]);
    });
  });
});
