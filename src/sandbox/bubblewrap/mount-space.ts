// Where the controller mounts the disks of its sandboxes. Root mounts on the machine itself. Anyone else gets a user
// and mount namespace of the controller's own, held open by a process that reads from a pipe of ours: when the
// controller dies, however it dies, the pipe closes, the holder ends, and the mounts are gone with the namespace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Programs } from './programs.ts';

export interface MountSpace {
  /** Put in front of a command that must see the mounts. */
  readonly enter: readonly string[];
  /** The same path as the controller itself reaches it. */
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

/** It ends after the controller, not with it: systemd signals every process of a unit that it stops. */
const HOLD = "trap '' TERM INT HUP; echo held; read -r _";

/** Undefined where the kernel does not let us make such a namespace, or mount in it. */
export async function openOwnSpace(programs: Programs): Promise<MountSpace | undefined> {
  // A process group of its own: a Ctrl-C in the terminal must not take the disks away before the sandboxes are gone.
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
    // Every disk is gone with it. Ending is the honest answer: a new controller starts with a clean space.
    if (!closing) throw new Error('the process that holds the mounts of the sandboxes has ended');
  });
  return {
    // Being root in there is being ourselves out here, so credentials stay as they are.
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
