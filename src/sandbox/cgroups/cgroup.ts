import type { SandboxLimits } from '../limits.ts';
import type { Stats } from '../driver.ts';

export type CgroupLimits = Pick<SandboxLimits, 'memoryBytes' | 'processes' | 'cpus'>;

/** One group of processes under limits. Both generations of the kernel's interface look like this from above. */
export interface Cgroup {
  /** A process that writes 0 into each of these files has joined. */
  readonly joinFiles: readonly string[];
  /** No process starts in it any more, and every one in it is ended; settles when none is left. */
  kill(): Promise<void>;
  remove(): Promise<void>;
  stats(): Promise<Stats>;
}

export interface CgroupHierarchy {
  readonly version: 1 | 2;
  /** A delegated tree may come without the controller for processor time. */
  readonly limitsCpu: boolean;
  create(name: string, limits: CgroupLimits): Promise<Cgroup>;
  /** Every group that stands beneath ours, by name: what an earlier controller left. */
  list(): Promise<string[]>;
  open(name: string): Cgroup;
  /** Our own place in the tree, once nothing stands beneath it. */
  removeParent(): Promise<void>;
}

export type FoundHierarchy =
  | { readonly ok: true; readonly hierarchy: CgroupHierarchy }
  | { readonly ok: false; readonly reason: string };
