// The processes of the machine, as the kernel lists them. Read in one go: a tree assembled from different moments has
// holes.
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since boot: distinguishes a process from a later one with the same pid. */
  readonly startTime: number;
  readonly threads: number;
  /** Stopped by a signal: it creates no processes until it is continued. */
  readonly stopped: boolean;
}

export function readProcesses(proc = '/proc'): ListedProcess[] {
  return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name), proc) ?? []) : []));
}

/** Undefined for a process that is gone or a zombie: it uses nothing. */
export function readProcess(pid: number, proc = '/proc'): ListedProcess | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The name is in parentheses and may contain any character, parentheses included.
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

/** The descendants of the roots, and the roots themselves. */
export function descendants(processes: readonly ListedProcess[], roots: readonly number[]): ListedProcess[] {
  const byParent = Map.groupBy(processes, ({ parent }) => parent);
  const found = processes.filter(({ pid }) => roots.includes(pid));
  // The list grows while it is walked.
  for (const { pid } of found) found.push(...(byParent.get(pid) ?? []));
  return found;
}

export interface MemoryUse {
  /** Private to this process, in memory or swapped out. */
  readonly privateBytes: number;
  /** Shared memory that it has mapped: tmpfs files, and memory shared with its children. */
  readonly sharedBytes: number;
}

/** Cheap, but too high if processes share memory: each of them counts all of it. */
export function readMemory(pid: number, proc = '/proc'): MemoryUse {
  const figure = figuresOf(read(`${proc}/${pid}/status`));
  return { privateBytes: figure('RssAnon') + figure('VmSwap'), sharedBytes: figure('RssShmem') };
}

/** Exact, but the kernel walks every page: memory shared by n processes counts as 1/n in each. */
export function readMemoryShare(pid: number, proc = '/proc'): MemoryUse {
  const text = read(`${proc}/${pid}/smaps_rollup`);
  // Kernels before 5.4 do not distinguish the kinds.
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
