// What the watchdog ends, from what it has measured. Memory is handled as the kernel would: the largest process goes,
// and the run sees it; the rest of the command may go on. A disk that is over its limit ends every command of its
// sandbox, because nothing else stops the writing.
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
  /** Where the disk has no size of its own: what is on it, or undefined when that cannot be measured. */
  readonly watchedDisk?: { readonly bytes: number | undefined; readonly toleratedBytes: number };
}

export interface Victims {
  readonly id: string;
  readonly limit: 'memory' | 'processes' | 'disk';
  readonly processes: readonly MeasuredProcess[];
}

/** Below this share of its memory the machine itself is in danger, whatever each run may use. */
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
  // What was ended at is tolerated afterwards, or no command could remove anything: it was started unable to write more.
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
