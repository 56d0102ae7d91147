import type { SandboxLimits } from '../limits.ts';
import type { Stats } from '../driver.ts';

export type CgroupLimits = Pick<SandboxLimits, 'memoryBytes' | 'processes' | 'cpus'>;

/** One group of processes under limits: the same interface over both versions of cgroups. */
export interface Cgroup {
  /** A process joins by writing 0 into each of these files. */
  readonly joinFiles: readonly string[];
  /** Prevents new processes and kills the existing ones; resolves once none is left. */
  kill(): Promise<void>;
  remove(): Promise<void>;
  stats(): Promise<Stats>;
}

export interface CgroupHierarchy {
  readonly version: 1 | 2;
  /** A delegated tree may lack the controller for processor time. */
  readonly limitsCpu: boolean;
  create(name: string, limits: CgroupLimits): Promise<Cgroup>;
  /** The names of the groups beneath ours: what an earlier controller left. */
  list(): Promise<string[]>;
  open(name: string): Cgroup;
  /** Removes our own group, once nothing is left beneath it. */
  removeParent(): Promise<void>;
}

export type FoundHierarchy =
  | { readonly ok: true; readonly hierarchy: CgroupHierarchy }
  | { readonly ok: false; readonly reason: string };
