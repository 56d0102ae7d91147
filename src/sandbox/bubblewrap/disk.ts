// The disk that a run may write to. If the controller can mount, it is a tmpfs with the size of the limit: it
// disappears with its mount, and its pages count as memory of the run that wrote them. Otherwise it is a plain
// directory, measured by the watchdog.
import { chmod, chown, mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../process/make-directory.ts';
import { MACHINE, type MountSpace } from './mount-space.ts';
import type { Programs } from './programs.ts';
import { mustRun, runProgram } from './run-program.ts';

const PARTS = { workspace: 0o700, tmp: 0o1777, home: 0o700, shm: 0o1777 } as const;
/** A file takes at least one page of kernel memory besides its content. */
const BYTES_PER_FILE = 8 * 1024;

export interface Disk {
  /** The path as seen inside the mount space. */
  readonly directory: string;
  readonly space: MountSpace | undefined;
  /** The path by which the controller reaches a part of it. */
  reach(part: keyof typeof PARTS): string;
}

export function diskAt(directory: string, space: MountSpace | undefined): Disk {
  return { directory, space, reach: (part) => join((space ?? MACHINE).reach(directory), part) };
}

export async function makeDisk(
  programs: Programs,
  { directory, space, reach }: Disk,
  sizeBytes: number,
  uid: number | undefined,
): Promise<void> {
  await makeDirectory(directory, 0o711);
  if (space !== undefined) {
    const files = Math.max(1024, Math.floor(sizeBytes / BYTES_PER_FILE));
    await mustRun([
      ...space.enter,
      programs.mount,
      '-t',
      'tmpfs',
      '-o',
      `size=${Math.ceil(sizeBytes)},nr_inodes=${files},nosuid,nodev,mode=0711`,
      'service-sandbox',
      directory,
    ]);
  }
  for (const [name, mode] of Object.entries(PARTS) as [keyof typeof PARTS, number][]) {
    const path = reach(name);
    await mkdir(path);
    await chmod(path, mode);
    if (uid !== undefined) await chown(path, uid, uid);
  }
}

/**
 * Bytes written to it. Undefined if it cannot be measured, for example when a run made a directory unreadable to its
 * own user.
 */
export async function measureDisk(programs: Programs, { directory, space }: Disk): Promise<number | undefined> {
  if (space !== undefined) {
    const { blocks, bfree, bsize } = await statfs(space.reach(directory));
    return (blocks - bfree) * bsize;
  }
  const { stdout, stderr } = await runProgram([programs.du, '-sxk', '--', directory]);
  const kib = Number.parseInt(stdout, 10);
  return Number.isNaN(kib) || /permission denied/i.test(stderr) ? undefined : kib * 1024;
}

export async function unmount(programs: Programs, space: MountSpace, directory: string): Promise<void> {
  const { code, stderr } = await runProgram([...space.enter, programs.umount, '-l', directory]);
  if (code !== 0 && (await mountsBeneath(directory, space)).includes(directory))
    throw new Error(`a sandbox's disk cannot be unmounted: ${stderr.trim().slice(0, 200)}`);
}

/** Also works if a run removed the permissions of its directories, which only root could empty otherwise. */
export async function removeTree(programs: Programs, directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await runProgram([programs.chmod, '-R', 'u+rwX', '--', directory]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Mount points at or beneath the directory, deepest first. */
export async function mountsBeneath(directory: string, space: MountSpace = MACHINE): Promise<string[]> {
  const text = await readFile(space.mountInfo, 'utf8');
  const points = text.split('\n').map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '));
  return points.filter((point) => point === directory || point.startsWith(`${directory}/`)).toReversed();
}
