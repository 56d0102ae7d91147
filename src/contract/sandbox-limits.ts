// How the limits of a run are enforced. The sandbox controller says which means it has, and every place that shows a
// run uses these words. Isolation is not in this table: it is the same everywhere, or there are no runs.
import { joinWords } from './join-words.ts';

export const LIMITED = ['memory', 'processes', 'disk', 'cpu', 'time'] as const;
export type Limited = (typeof LIMITED)[number];

interface MeansRow {
  /** Whether the kernel, or the engine around the run, refuses what goes beyond. A weak one reacts afterwards, or asks nicely. */
  readonly strong: boolean;
  /** As it stands in a sentence: "memory by cgroup". */
  readonly name: string;
}

export const MEANS = {
  cgroup: { strong: true, name: 'cgroup' },
  engine: { strong: true, name: 'the container engine' },
  tmpfs: { strong: true, name: 'a sized tmpfs' },
  timer: { strong: true, name: 'a timer' },
  rlimit: { strong: false, name: 'rlimit and watchdog' },
  watchdog: { strong: false, name: 'watchdog' },
  priority: { strong: false, name: 'low priority only' },
} as const satisfies Record<string, MeansRow>;

export type Means = keyof typeof MEANS;
export type LimitMeans = Readonly<Record<Limited, Means>>;

/** What a sandbox is made with, as runs, the doctor and diagnostics show it. */
export interface Confinement {
  readonly driver: string;
  readonly limits: LimitMeans;
}

/** Limits that must be strong where strangers are served. Processor time is not among them: what is slowed down harms nobody. */
const DECISIVE: readonly Limited[] = ['memory', 'processes', 'disk', 'time'];

/** The decisive limits that are only weakly enforced; empty where the controller may serve in production. */
export function findWeakLimits(limits: LimitMeans): Limited[] {
  return DECISIVE.filter((name) => !MEANS[limits[name]].strong);
}

/** For example "memory, processes and cpu by cgroup, disk by a sized tmpfs, time by a timer". */
export function describeLimits(limits: LimitMeans): string {
  const means = [...new Set(LIMITED.map((name) => limits[name]))];
  return means
    .map((one) => `${joinWords(LIMITED.filter((name) => limits[name] === one))} by ${MEANS[one].name}`)
    .join(', ');
}
