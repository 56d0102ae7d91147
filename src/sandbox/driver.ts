// What the controller asks of an engine that can hold a run. bubblewrap is the one that is always meant; gVisor and
// Docker stand behind the same seven verbs. Nothing of an engine shows above this file.
import type { Readable } from 'node:stream';
import type { LimitMeans } from '../contract/sandbox-limits.ts';
import type { SandboxLimits } from './limits.ts';

export interface SandboxSpec {
  readonly id: string;
  readonly limits: SandboxLimits;
  readonly env: Readonly<Record<string, string>>;
  /** Where the egress proxy of this sandbox listens; absent means no network at all. */
  readonly egress?: { readonly directory: string };
}

export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: Buffer;
}

/** Why a command was ended from outside. */
export type EndReason = 'timeout' | 'killed' | 'abandoned' | 'expired' | 'disk_full' | 'stopping';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Where the driver itself ended it. */
  readonly reason?: EndReason;
}

export interface RunningCommand {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles once every process of the command is gone and its output was read. */
  readonly exited: Promise<Exit>;
  kill(): void;
}

export interface Stats {
  readonly memoryPeakBytes?: number;
  readonly cpuMs?: number;
  readonly processes?: number;
  /** How often the kernel ended a process for want of memory. */
  readonly memoryKills?: number;
  /** How often a process was refused because there were too many. */
  readonly processesRefused?: number;
}

export interface FileEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
}

/** Files beneath /workspace. No path leads out of it, whatever links the run has planted. */
export interface WorkspaceFiles {
  /** In the order of names; the cursor is the last one, where more follow. */
  list(
    path: string,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ entries: FileEntry[]; cursor?: string }>;
  read(path: string, maxBytes: number): Promise<Buffer>;
  write(path: string, bytes: Buffer): Promise<void>;
  /** What stands at the path, or undefined for nothing. */
  find(path: string): Promise<FileEntry | undefined>;
}

export interface DriverSandbox {
  readonly files: WorkspaceFiles;
  /** Who must be able to reach the egress socket; undefined means the controller's own user. */
  readonly uid: number | undefined;
  exec(command: Command): Promise<RunningCommand>;
  /** Ends every process; settles when none is left. */
  kill(): Promise<void>;
  destroy(): Promise<void>;
  stats(): Promise<Stats>;
}

export type Probe =
  /** `why` says what stands in the way of stronger limits. */
  | { readonly ok: true; readonly limits: LimitMeans; readonly why?: string }
  /** `absent` means that its engine is not installed at all, which nobody who did not ask for it wants to hear. */
  | { readonly ok: false; readonly reason: string; readonly fix: string; readonly absent?: boolean };

export interface SandboxDriver {
  readonly name: DriverName;
  /**
   * Clears away what an earlier controller left behind (processes, cgroups, mounts, directories), then runs a real
   * sandbox and looks at what it holds. Comes before everything else.
   */
  probe(): Promise<Probe>;
  /** A directory for the egress socket of a sandbox that is about to be made. */
  egressDirectory(id: string): Promise<string>;
  create(spec: SandboxSpec): Promise<DriverSandbox>;
  /** Leaves the machine as it was found; no sandbox may be left. */
  close(): Promise<void>;
}

export const DRIVERS = ['bubblewrap', 'gvisor', 'docker'] as const;
export type DriverName = (typeof DRIVERS)[number];
