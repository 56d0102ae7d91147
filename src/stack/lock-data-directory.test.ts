import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProcess } from '../base/find-process.ts';
import { lockFile } from './lock-data-directory.ts';

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
    expect(first).toMatchObject({ held: true, wasLeftBehind: false });
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
    expect(await lockFile(path)).toMatchObject({ held: true, wasLeftBehind: true });
    expect(await lockFile(path)).toMatchObject({ held: false });
  });

  it('is not taken from a living process', async () => {
    await writeFile(path, JSON.stringify({ pid: process.ppid, identity: findProcess(process.ppid)?.identity }));
    expect(await lockFile(path)).toEqual({ held: false, holder: process.ppid });
  });
});
