import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseVictims, type Measured, type MeasuredProcess } from './choose-victims.ts';
import { descendants, readMemory, readMemoryShare, readProcess, readProcesses } from './read-processes.ts';

const MIB = 1024 ** 2;
const ROOMY = { totalBytes: 1000 * MIB, availableBytes: 500 * MIB };
const process_ = (pid: number, memoryBytes: number, startTime = pid, threads = 1): MeasuredProcess => ({
  pid,
  parent: 1,
  startTime,
  threads,
  stopped: false,
  memoryBytes,
});
const sandbox = (more: Partial<Measured> = {}): Measured => ({
  id: 'sbx_1',
  limits: { memoryBytes: 100 * MIB, processes: 4, diskBytes: 10 * MIB },
  memoryBytes: 50 * MIB,
  processes: [process_(1, 10), process_(2, 30), process_(3, 20)],
  ...more,
});
const pids = (victims: ReturnType<typeof chooseVictims>): unknown[] =>
  victims.map(({ limit, processes }) => [limit, processes.map(({ pid }) => pid)]);

describe('what the watchdog ends', () => {
  it('is nothing while every limit holds', () => expect(chooseVictims([sandbox()], ROOMY)).toEqual([]));

  it('is the largest process of a sandbox with too much memory, and nothing of another', () => {
    expect(pids(chooseVictims([sandbox({ memoryBytes: 101 * MIB }), sandbox({ id: 'sbx_2' })], ROOMY))).toEqual([
      ['memory', [2]],
    ]);
  });

  it('are the youngest processes, as many as are too many, threads counted', () => {
    const processes = [process_(1, 1, 10), process_(2, 1, 30, 2), process_(3, 1, 20), process_(4, 1, 5, 2)];
    expect(pids(chooseVictims([sandbox({ processes })], ROOMY))).toEqual([['processes', [2]]]);
  });

  it('is everything in a sandbox whose watched disk is over its limit, or cannot be measured', () => {
    expect(pids(chooseVictims([sandbox({ watchedDisk: { bytes: 11 * MIB, toleratedBytes: 0 } })], ROOMY))).toEqual([
      ['disk', [1, 2, 3]],
    ]);
    expect(pids(chooseVictims([sandbox({ watchedDisk: { bytes: undefined, toleratedBytes: 0 } })], ROOMY))).toEqual([
      ['disk', [1, 2, 3]],
    ]);
    expect(chooseVictims([sandbox({ watchedDisk: { bytes: 10 * MIB, toleratedBytes: 0 } })], ROOMY)).toEqual([]);
  });

  it('is not what only removes files from a disk that was over its limit before', () => {
    expect(chooseVictims([sandbox({ watchedDisk: { bytes: 12 * MIB, toleratedBytes: 12 * MIB } })], ROOMY)).toEqual([]);
    expect(
      pids(chooseVictims([sandbox({ watchedDisk: { bytes: 13 * MIB, toleratedBytes: 12 * MIB } })], ROOMY)),
    ).toEqual([['disk', [1, 2, 3]]]);
  });

  it('is the largest process of the largest sandbox when the machine itself runs out of memory', () => {
    const poor = { totalBytes: 1000 * MIB, availableBytes: 20 * MIB };
    expect(
      pids(
        chooseVictims(
          [sandbox(), sandbox({ id: 'sbx_2', memoryBytes: 60 * MIB, processes: [process_(7, 5), process_(8, 60)] })],
          poor,
        ),
      ),
    ).toEqual([['memory', [8]]]);
    expect(chooseVictims([], poor)).toEqual([]);
  });
});

describe('what the kernel lists', () => {
  let proc: string;
  beforeEach(async () => {
    proc = await mkdtemp(join(tmpdir(), 'service-proc-'));
  });
  afterEach(() => rm(proc, { recursive: true, force: true }));
  const list = async (pid: number, parent: number, state = 'S', name = 'bash'): Promise<void> => {
    await mkdir(join(proc, String(pid)));
    await writeFile(
      join(proc, String(pid), 'stat'),
      `${pid} (${name}) ${state} ${parent} 1 1 0 -1 4194560 1 1 0 0 0 0 0 0 20 0 3 0 ${pid * 100} 1 1\n`,
    );
  };

  it('is read as a tree, whatever a process calls itself', async () => {
    await list(10, 1);
    await list(11, 10, 'R', 'a) S 1 (b');
    await list(12, 11);
    await list(13, 12, 'Z');
    await list(20, 1);
    expect(readProcess(11, proc)).toEqual({ pid: 11, parent: 10, startTime: 1100, threads: 3, stopped: false });
    expect(descendants(readProcesses(proc), [10]).map(({ pid }) => pid)).toEqual([10, 11, 12]);
    expect(descendants(readProcesses(proc), [])).toEqual([]);
  });

  it('tells private from shared memory, and the share of each where the kernel knows it', async () => {
    await mkdir(join(proc, '10'));
    await writeFile(
      join(proc, '10', 'status'),
      'Name:\tx\nRssAnon:\t    100 kB\nRssFile:\t 900 kB\nRssShmem:\t     40 kB\nVmSwap:\t      8 kB\n',
    );
    expect(readMemory(10, proc)).toEqual({ privateBytes: 108 * 1024, sharedBytes: 40 * 1024 });
    expect(readMemoryShare(10, proc)).toEqual({ privateBytes: 108 * 1024, sharedBytes: 40 * 1024 });
    await writeFile(
      join(proc, '10', 'smaps_rollup'),
      'Rss: 1048 kB\nPss_Anon:              90 kB\nPss_File: 3 kB\nPss_Shmem:             10 kB\nSwapPss:                8 kB\n',
    );
    expect(readMemoryShare(10, proc)).toEqual({ privateBytes: 98 * 1024, sharedBytes: 10 * 1024 });
    expect(readMemory(11, proc)).toEqual({ privateBytes: 0, sharedBytes: 0 });
  });
});
