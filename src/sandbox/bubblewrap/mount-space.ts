// Where the controller mounts the disks of its sandboxes. Root mounts on the machine itself. Other users get a user and
// mount namespace, held open by a process that reads from a pipe of ours: when the controller dies for any reason, the
// pipe closes, the holder exits, and the mounts disappear with the namespace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Programs } from './programs.ts';

export interface MountSpace {
  /** Prepended to a command that must see the mounts. */
  readonly enter: readonly string[];
  /** The same path as seen by the controller itself. */
  reach(path: string): string;
  readonly mountInfo: string;
  close(): Promise<void>;
}

export const MACHINE: MountSpace = {
  enter: [],
  reach: (path) => path,
  mountInfo: '/proc/self/mountinfo',
  close: async () => {},
};

/**
 * It ignores signals, because systemd signals every process of a unit that it stops: it must outlive the controller.
 */
const HOLD = "trap '' TERM INT HUP; echo held; read -r _";

/** Undefined if the kernel does not allow such a namespace, or mounts in it. */
export async function openOwnSpace(programs: Programs): Promise<MountSpace | undefined> {
  // In its own process group: Ctrl-C in the terminal must not remove the disks before the sandboxes are gone.
  const holder = spawn(
    programs.unshare,
    [
      '--user',
      '--map-root-user',
      '--mount',
      '--propagation',
      'slave',
      programs.bash,
      '--noprofile',
      '--norc',
      '-c',
      HOLD,
    ],
    { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exited = once(holder, 'exit');
  exited.catch(() => {});
  holder.stdin.on('error', () => {});
  const held = await Promise.race([
    once(holder.stdout, 'data').then(
      () => true,
      () => false,
    ),
    exited.then(
      () => false,
      () => false,
    ),
  ]);
  if (!held || holder.pid === undefined) return undefined;
  let closing = false;
  holder.once('exit', () => {
    // Every disk is gone with it. Crashing is the right response: a new controller starts with a clean namespace.
    if (!closing) throw new Error('the process that holds the mounts of the sandboxes has ended');
  });
  return {
    // Root in there is our own user out here, so credentials stay as they are.
    enter: [programs.nsenter, '--target', String(holder.pid), '--user', '--mount', '--preserve-credentials'],
    reach: (path) => `/proc/${holder.pid}/root${path}`,
    mountInfo: `/proc/${holder.pid}/mountinfo`,
    async close() {
      closing = true;
      holder.stdin.end();
      await exited;
    },
  };
}
