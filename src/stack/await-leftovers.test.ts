import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { findProcess } from '../base/find-process.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import type { StackState } from './stack-file.ts';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

async function part(): Promise<{ child: ChildProcess; state(identity?: string): StackState }> {
  const child = spawn('sleep', ['600']);
  children.push(child);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const own = findProcess(pid)?.identity ?? '';
  return {
    child,
    state: (identity = own) => ({
      url: '',
      publicUrl: '',
      startedAt: '',
      pid: 1,
      databaseUrl: '',
      schema: '',
      parts: { web: { pid, startedAt: '', restarts: 0, identity } },
    }),
  };
}
const never = new AbortController().signal;

describe('what a killed stack left running', () => {
  it('is waited for', async () => {
    const { child, state } = await part();
    const said: string[] = [];
    const waiting = awaitLeftovers(state(), (line) => said.push(line), never, 60_000);
    child.kill('SIGTERM');
    await waiting;
    expect(said).toEqual(['waiting for parts of the previous run to stop …']);
  });

  it('is ended when it does not stop in time', async () => {
    const { child, state } = await part();
    await awaitLeftovers(state(), () => {}, never, 0);
    expect(findProcess(child.pid ?? 0)).toBeUndefined();
  });

  it('is left alone when the number belongs to another process now', async () => {
    const { child, state } = await part();
    await awaitLeftovers(state('an earlier process'), () => {}, never, 0);
    expect(findProcess(child.pid ?? 0)).toBeDefined();
  });

  it('is nothing when nothing is written down', async () => {
    await expect(awaitLeftovers(undefined, () => {}, never)).resolves.toBeUndefined();
  });
});
