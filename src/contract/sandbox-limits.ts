// How the limits of a run are enforced. The sandbox controller reports its means, and everything that shows a run uses
// these words. Isolation is not in this table: without it, no run is executed.
import { joinWords } from './join-words.ts';

export const LIMITED = ['memory', 'processes', 'disk', 'cpu', 'time'] as const;
export type Limited = (typeof LIMITED)[number];

interface MeansRow {
  /**
   * Whether the kernel or the container engine enforces the limit. A weak one reacts afterwards, or only lowers the
   * priority.
   */
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

/** How a sandbox is built, as shown by runs, the doctor and diagnostics. */
export interface Confinement {
  readonly driver: string;
  readonly limits: LimitMeans;
}

/** Limits that must be strong in production. CPU is not among them: a run that is only slowed down does no harm. */
const DECISIVE: readonly Limited[] = ['memory', 'processes', 'disk', 'time'];

/** The decisive limits that are only weakly enforced; empty if the controller is fit for production. */
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
