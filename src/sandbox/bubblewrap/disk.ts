// What a run may write: one file system in memory, of the size that the limit says. It is gone with its mount, and
// its pages count as memory of the run that wrote them. Without root there is no mount and so no size.
import { chown, chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Programs } from './programs.ts';
import { runProgram, mustRun } from './run-program.ts';

const PARTS = { workspace: 0o700, tmp: 0o1777, home: 0o700, shm: 0o1777 } as const;
/** A file costs at least a page of kernel memory besides its own pages. */
const BYTES_PER_FILE = 8 * 1024;

export async function makeDisk(programs: Programs, directory: string, sizeBytes: number, uid: number | undefined): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o711);
  if (uid !== undefined) {
    const files = Math.max(1024, Math.floor(sizeBytes / BYTES_PER_FILE));
    await mustRun(programs.mount, ['-t', 'tmpfs', '-o', `size=${Math.ceil(sizeBytes)},nr_inodes=${files},nosuid,nodev,mode=0711`, 'service-sandbox', directory]);
  }
  for (const [name, mode] of Object.entries(PARTS)) {
    const path = join(directory, name);
    await mkdir(path);
    await chmod(path, mode);
    if (uid !== undefined) await chown(path, uid, uid);
  }
}

export async function unmount(programs: Programs, directory: string): Promise<void> {
  const { code, stderr } = await runProgram(programs.umount, ['-l', directory]);
  if (code !== 0 && (await mountsBeneath(directory)).includes(directory)) throw new Error(`a sandbox's disk cannot be unmounted: ${stderr.trim().slice(0, 200)}`);
}

/** Mount points at or beneath the directory, the deepest first. */
export async function mountsBeneath(directory: string): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8');
  const points = text.split('\n').map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '));
  return points.filter((point) => point === directory || point.startsWith(`${directory}/`)).toReversed();
}
