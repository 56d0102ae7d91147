import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProcess } from '../process/find-process.ts';
import { awaitLeftovers, lockFile } from './lock-data-directory.ts';
import type { StackState } from './stack-file.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-lock-'));
  path = join(directory, 'stack.lock');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the lock of a data directory', () => {
  it('is held once, names its holder and is free again when released', async () => {
    const first = await lockFile(path);
    expect(first).toMatchObject({ held: true, wasStale: false });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await lockFile(path)).toEqual({ held: false, holder: process.pid });
    if (first.held) await first.release();
    expect(await lockFile(path)).toMatchObject({ held: true });
    expect(await readdir(directory)).toEqual(['stack.lock']);
  });

  it.each([
    ['a process that is gone', { pid: 2 ** 22 + 1, identity: 'x' }],
    ['a number that another process has now', { pid: process.pid, identity: 'earlier' }],
    ['nothing readable', 'garbage'],
  ])('is taken over from %s', async (_, content) => {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    expect(await lockFile(path)).toMatchObject({ held: true, wasStale: true });
    expect(await lockFile(path)).toMatchObject({ held: false });
  });

  it('is not taken from a living process', async () => {
    await writeFile(path, JSON.stringify({ pid: process.ppid, identity: findProcess(process.ppid)?.identity }));
    expect(await lockFile(path)).toEqual({ held: false, holder: process.ppid });
  });
});

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
