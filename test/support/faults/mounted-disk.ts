// A small file system in memory that several programs of a test share; mounting it takes root.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachDisk, type SmallDisk } from './small-disk.ts';

export interface MountedDisk extends SmallDisk {
  unmount(): void;
}

/** Why none can be made here; undefined where it can. */
export function whyNoMountedDisk(): string | undefined {
  try {
    mountDisk(1).unmount();
    return undefined;
  } catch {
    return 'needs the right to mount a file system';
  }
}

export function mountDisk(megabytes: number): MountedDisk {
  const directory = mkdtempSync(join(tmpdir(), 'service-small-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    rmdirSync(directory);
    throw new Error(`could not mount a file system: ${stderr}`);
  }
  return {
    ...reachDisk(directory),
    unmount() {
      spawnSync('umount', ['--lazy', directory]);
      rmdirSync(directory);
    },
  };
}
