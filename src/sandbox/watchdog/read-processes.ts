// The processes of the machine, as the kernel lists them. Read in one go: a tree that is put together from pieces of
// different moments has holes.
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since the machine started: tells a process from a later one with its number. */
  readonly startTime: number;
  readonly threads: number;
  /** By a signal: it makes no more processes until it is told to go on. */
  readonly stopped: boolean;
}

export function readProcesses(proc = '/proc'): ListedProcess[] {
  return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name), proc) ?? []) : []));
}

/** Undefined for one that is gone, or waits to be reaped: it uses nothing. */
export function readProcess(pid: number, proc = '/proc'): ListedProcess | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The name stands in brackets and may hold any character, brackets included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    startTime: Number(fields[19]),
    threads: Number(fields[17]),
    stopped: fields[0] === 'T',
  };
}

/** Those that descend from the roots, the roots included. */
export function descendants(processes: readonly ListedProcess[], roots: readonly number[]): ListedProcess[] {
  const byParent = Map.groupBy(processes, ({ parent }) => parent);
  const found = processes.filter(({ pid }) => roots.includes(pid));
  // The list grows while it is walked.
  for (const { pid } of found) found.push(...(byParent.get(pid) ?? []));
  return found;
}

export interface MemoryUse {
  /** Of this process alone, in memory or swapped out. */
  readonly privateBytes: number;
  /** Shared memory that it has mapped: files of a tmpfs, and memory shared with its children. */
  readonly sharedBytes: number;
}

/** Cheap, and too high where processes share memory: each of them counts all of it. */
export function readMemory(pid: number, proc = '/proc'): MemoryUse {
  const figure = figuresOf(read(`${proc}/${pid}/status`));
  return { privateBytes: figure('RssAnon') + figure('VmSwap'), sharedBytes: figure('RssShmem') };
}

/** Exact, but the kernel walks every page for it: what is shared by n processes counts for an nth in each. */
export function readMemoryShare(pid: number, proc = '/proc'): MemoryUse {
  const text = read(`${proc}/${pid}/smaps_rollup`);
  // Kernels before 5.4 do not tell the kinds apart.
  if (!text.includes('Pss_Anon:')) return readMemory(pid, proc);
  const figure = figuresOf(text);
  return { privateBytes: figure('Pss_Anon') + figure('SwapPss'), sharedBytes: figure('Pss_Shmem') };
}

export function readMachineMemory(proc = '/proc'): { readonly totalBytes: number; readonly availableBytes: number } {
  const figure = figuresOf(read(`${proc}/meminfo`));
  return { totalBytes: figure('MemTotal'), availableBytes: figure('MemAvailable') };
}

function figuresOf(text: string): (name: string) => number {
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
