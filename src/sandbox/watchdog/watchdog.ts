// Limits on machines without cgroups: measures what each sandbox uses, a few times a second while a command runs, and
// kills what uses too much. It reacts and does not prevent: between two measurements a run can exceed its limits.
// Rlimits (launch-script.ts) bound by how much.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stats } from '../driver.ts';
import type { SandboxLimits } from '../limits.ts';
import { signalProcess } from '../signal-process.ts';
import { chooseVictims, type Measured, type Victims } from './choose-victims.ts';
import {
  descendants,
  type ListedProcess,
  type MemoryUse,
  readMachineMemory,
  readMemory,
  readMemoryShare,
  readProcess,
  readProcesses,
} from './read-processes.ts';

interface Watched {
  readonly id: string;
  readonly limits: SandboxLimits;
  /** The processes that we started for it; everything else in it descends from these. */
  roots(): readonly number[];
  disk(): Promise<{ readonly bytes: number | undefined; readonly hasOwnSize: boolean }>;
  /** Called before processes are killed. */
  exceeded(limit: Victims['limit']): void;
}

export interface Watchdog {
  watch(sandbox: Watched): { stats(): Stats; stop(): void };
  close(): Promise<void>;
}

const INTERVAL_MS = 150;

interface Watch {
  readonly sandbox: Watched;
  peakBytes: number;
  memoryKills: number;
  processKills: number;
  /** The bytes on a watched disk when commands were last killed because of it. */
  toleratedBytes: number;
}

export function createWatchdog(): Watchdog {
  const watches = new Map<string, Watch>();
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const busy = [...watches.values()].filter(({ sandbox }) => sandbox.roots().length > 0);
    if (busy.length === 0) return;
    const processes = readProcesses();
    const measured = await Promise.all(busy.map((watch) => measure(watch, processes)));
    for (const { id, memoryBytes } of measured) {
      const watch = watches.get(id);
      if (watch !== undefined) watch.peakBytes = Math.max(watch.peakBytes, memoryBytes);
    }
    for (const victims of chooseVictims(measured, readMachineMemory()))
      end(watches.get(victims.id), victims, measured.find(({ id }) => id === victims.id)?.watchedDisk?.bytes);
  }

  async function keepLooking(): Promise<void> {
    while (watches.size > 0 && !stopping.signal.aborted) {
      await look();
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
    looking = undefined;
  }

  return {
    watch(sandbox) {
      const watch: Watch = { sandbox, peakBytes: 0, memoryKills: 0, processKills: 0, toleratedBytes: 0 };
      watches.set(sandbox.id, watch);
      looking ??= keepLooking();
      return {
        stats: () => ({
          ...(watch.peakBytes === 0 ? {} : { memoryPeakBytes: watch.peakBytes }),
          memoryKills: watch.memoryKills,
          ...(watch.processKills === 0 ? {} : { processesRefused: watch.processKills }),
        }),
        stop: () => void watches.delete(sandbox.id),
      };
    },
    async close() {
      stopping.abort();
      await looking;
    },
  };
}

async function measure(
  { sandbox: { id, limits, roots, disk }, toleratedBytes }: Watch,
  processes: readonly ListedProcess[],
): Promise<Measured> {
  const own = descendants(processes, roots());
  const { bytes, hasOwnSize } = await disk();
  // Files in a tmpfs count as shared memory of the processes that map them: the larger figure includes the other.
  const total = (uses: readonly MemoryUse[]): number =>
    sum(uses.map(({ privateBytes }) => privateBytes)) +
    Math.max(hasOwnSize ? (bytes ?? 0) : 0, sum(uses.map(({ sharedBytes }) => sharedBytes)));
  const bound = own.map(({ pid }) => readMemory(pid));
  const memoryBytes =
    total(bound) > limits.memoryBytes ? total(own.map(({ pid }) => readMemoryShare(pid))) : total(bound);
  return {
    id,
    limits,
    memoryBytes,
    processes: own.map((process, index) => ({
      ...process,
      memoryBytes: (bound[index]?.privateBytes ?? 0) + (bound[index]?.sharedBytes ?? 0),
    })),
    ...(hasOwnSize ? {} : { watchedDisk: { bytes, toleratedBytes } }),
  };
}

function end(watch: Watch | undefined, { limit, processes }: Victims, diskBytes: number | undefined): void {
  if (watch === undefined) return;
  if (limit === 'memory') watch.memoryKills++;
  if (limit === 'processes') watch.processKills++;
  if (limit === 'disk') watch.toleratedBytes = diskBytes ?? Infinity;
  watch.sandbox.exceeded(limit);
  for (const { pid, startTime } of processes) {
    if (readProcess(pid)?.startTime === startTime) signalProcess(pid, 'SIGKILL');
  }
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
