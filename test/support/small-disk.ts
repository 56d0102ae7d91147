// A small file system of its own, in memory, that a test fills and frees.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly directory: string;
  fill(): void;
  free(): void;
  unmount(): void;
}

/** Why none can be made here; undefined where it can. */
export function smallDiskMissing(): string | undefined {
  try {
    mountSmallDisk(1).unmount();
    return undefined;
  } catch {
    return 'needs the right to mount a file system';
  }
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'service-small-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { encoding: 'utf8' });
  if (status !== 0) {
    rmdirSync(directory);
    throw new Error(`could not mount a file system: ${stderr}`);
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill() {
      const file = openSync(ballast, 'a');
      for (const bytes of [1_048_576, 4_096]) while (writes(file, bytes));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', directory]);
      rmdirSync(directory);
    },
  };
}

function writes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes, 'x')) === bytes;
  } catch {
    return false;
  }
}
