// What the watchdog kills, based on its measurements. Memory is handled as the kernel would: the largest process is
// killed, the run sees it, and the rest of the command may continue. If a disk is over its limit, every command of its
// sandbox is killed, because nothing else stops the writing.
import type { SandboxLimits } from '../limits.ts';
import type { ListedProcess } from './read-processes.ts';

export interface MeasuredProcess extends ListedProcess {
  readonly memoryBytes: number;
}

export interface Measured {
  readonly id: string;
  readonly limits: Pick<SandboxLimits, 'memoryBytes' | 'processes' | 'diskBytes'>;
  readonly memoryBytes: number;
  readonly processes: readonly MeasuredProcess[];
  /** For a disk without a size limit: the bytes on it, or undefined if they cannot be measured. */
  readonly watchedDisk?: { readonly bytes: number | undefined; readonly toleratedBytes: number };
}

export interface Victims {
  readonly id: string;
  readonly limit: 'memory' | 'processes' | 'disk';
  readonly processes: readonly MeasuredProcess[];
}

/** Below this share of free memory the machine itself is at risk, whatever each run may use. */
const MACHINE_FLOOR = 0.03;

export function chooseVictims(
  sandboxes: readonly Measured[],
  machine: { readonly totalBytes: number; readonly availableBytes: number },
): Victims[] {
  const victims = sandboxes.flatMap((one) => findVictims(one) ?? []);
  if (victims.length > 0 || machine.availableBytes >= machine.totalBytes * MACHINE_FLOOR) return victims;
  const greediest = sandboxes.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  return greediest === undefined || greediest.processes.length === 0
    ? []
    : [{ id: greediest.id, limit: 'memory', processes: largest(greediest.processes) }];
}

function findVictims({ id, limits, memoryBytes, processes, watchedDisk }: Measured): Victims | undefined {
  if (processes.length === 0) return undefined;
  // The size at which commands were killed is tolerated afterwards, or no command could remove anything: new commands
  // cannot write more.
  if (
    watchedDisk !== undefined &&
    (watchedDisk.bytes ?? Infinity) > Math.max(limits.diskBytes, watchedDisk.toleratedBytes)
  )
    return { id, limit: 'disk', processes };
  if (memoryBytes > limits.memoryBytes) return { id, limit: 'memory', processes: largest(processes) };
  const excess = processes.reduce((sum, { threads }) => sum + threads, 0) - limits.processes;
  return excess > 0 ? { id, limit: 'processes', processes: youngest(processes, excess) } : undefined;
}

function largest(processes: readonly MeasuredProcess[]): MeasuredProcess[] {
  return processes.toSorted((a, b) => b.memoryBytes - a.memoryBytes).slice(0, 1);
}

function youngest(processes: readonly MeasuredProcess[], threads: number): MeasuredProcess[] {
  const chosen: MeasuredProcess[] = [];
  let left = threads;
  for (const process of processes.toSorted((a, b) => b.startTime - a.startTime)) {
    if (left <= 0) break;
    chosen.push(process);
    left -= process.threads;
  }
  return chosen;
}
