// What the controller needs from an engine that can hold a run. bubblewrap is the default; gVisor and Docker have the
// same interface. Nothing above this file depends on the engine.
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
  /** Bytes are there from the beginning, and can be read again; a stream is a pipe. */
  readonly stdin?: Buffer | Readable;
  /** False for a command of ours that needs no way out: starting the forwarder costs more than the command. */
  readonly network?: false;
}

/** Why a command was killed from outside. */
export type EndReason = 'timeout' | 'killed' | 'abandoned' | 'expired' | 'disk_full' | 'stopping';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set if the driver itself killed it. */
  readonly reason?: EndReason;
}

export interface RunningCommand {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once every process of the command is gone and its output was read. */
  readonly exited: Promise<Exit>;
  kill(): void;
}

export interface Stats {
  readonly memoryPeakBytes?: number;
  readonly cpuMs?: number;
  readonly processes?: number;
  /** How often the kernel killed a process because memory ran out. */
  readonly memoryKills?: number;
  /** How often a fork was refused because there were too many processes. */
  readonly processesRefused?: number;
}

export interface FileEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
}

/** Files beneath /workspace. No path leads out of it, whatever links the run has planted. */
export interface WorkspaceFiles {
  /** Sorted by name; the cursor is the last name, if more follow. */
  list(
    path: string,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ entries: FileEntry[]; cursor?: string }>;
  read(path: string, maxBytes: number): Promise<Buffer>;
  write(path: string, bytes: Buffer): Promise<void>;
  /** What exists at the path, or undefined. */
  find(path: string): Promise<FileEntry | undefined>;
}

export interface DriverSandbox {
  readonly files: WorkspaceFiles;
  /** The user who must be able to reach the egress socket; undefined means the controller's own. */
  readonly uid: number | undefined;
  exec(command: Command): Promise<RunningCommand>;
  /** Kills every process; resolves once none is left. */
  kill(): Promise<void>;
  destroy(): Promise<void>;
  stats(): Promise<Stats>;
}

export type Probe =
  /** `why` says what prevents stronger limits. */
  | { readonly ok: true; readonly limits: LimitMeans; readonly why?: string }
  /** `absent` means that its engine is not installed, which matters only to those who chose it. */
  | { readonly ok: false; readonly reason: string; readonly fix: string; readonly absent?: boolean };

export interface SandboxDriver {
  readonly name: DriverName;
  /**
   * Removes what an earlier controller left behind (processes, cgroups, mounts, directories), then runs a real sandbox
   * and checks that it is secure. Must be called before everything else.
   */
  probe(): Promise<Probe>;
  /** A directory for the egress socket of a sandbox that is about to be created. */
  egressDirectory(id: string): Promise<string>;
  create(spec: SandboxSpec): Promise<DriverSandbox>;
  /** Restores the machine; no sandbox may be left. */
  close(): Promise<void>;
}

export const DRIVERS = ['bubblewrap', 'gvisor', 'docker'] as const;
export type DriverName = (typeof DRIVERS)[number];
