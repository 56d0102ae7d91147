// A disk that a test can fill: a tmpfs over a directory, in a mount namespace that only the program under test is in.
// It needs no root and goes with that program, however it ends. The test reaches its files through the program's /proc.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MOUNT = 'mount -t tmpfs -o "size=$1,mode=0700" service-test "$2" && shift 2 && exec "$@"';
const FILLER = 'filler';

/** The command that is put in front of the program. Without root a second namespace gives the user back who they are. */
export function onSmallDisk(directory: string, bytes: number): readonly string[] {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  const [namespace, back] =
    uid === 0
      ? [['--mount'], []]
      : [
          ['--map-root-user', '--mount'],
          ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`],
        ];
  return [
    'unshare',
    ...namespace,
    '--propagation',
    'private',
    'sh',
    '-c',
    MOUNT,
    'sh',
    String(bytes),
    directory,
    ...back,
  ];
}

/** Why there can be no such disk here; undefined where there can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  const [program = '', ...args] = [...onSmallDisk('/mnt', 1_000_000), 'true'];
  return spawnSync(program, args).status === 0
    ? undefined
    : 'a disk of its own cannot be mounted: neither as root nor in a user namespace';
}

export interface SmallDisk {
  /** Where the test finds the directory. */
  readonly path: string;
  /** To the last byte. */
  fill(): void;
  free(): void;
}

export function reachSmallDisk(directory: string, pid: number): SmallDisk {
  return reachDisk(`/proc/${pid}/root${directory}`);
}

export function reachDisk(path: string): SmallDisk {
  return {
    path,
    fill() {
      const file = openSync(join(path, FILLER), 'a');
      for (let size = 1 << 20; size >= 1;) if (!wrote(file, Buffer.alloc(size))) size >>= 1;
      closeSync(file);
    },
    free: () => rmSync(join(path, FILLER), { force: true }),
  };
}

function wrote(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch {
    return false;
  }
}
