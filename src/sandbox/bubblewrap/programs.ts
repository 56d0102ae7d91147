// The programs of a launch, by absolute path: nothing is looked up in a PATH that someone else may set.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

const DIRECTORIES = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Debian's package for each, to tell people what to install. */
export const PACKAGES = {
  bwrap: 'bubblewrap',
  bash: 'bash',
  setpriv: 'util-linux',
  prlimit: 'util-linux',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'mount',
  umount: 'mount',
  mkfifo: 'coreutils',
  nice: 'coreutils',
  du: 'coreutils',
  chmod: 'coreutils',
} as const;

export type ProgramName = keyof typeof PACKAGES;
export type Programs = Readonly<Record<ProgramName, string>>;

/** `bwrap` is the path of a bubblewrap that is not installed system-wide. */
export async function findPrograms(bwrap?: string): Promise<{ programs: Programs } | { missing: ProgramName[] }> {
  const found: Partial<Record<ProgramName, string>> = {};
  for (const name of Object.keys(PACKAGES) as ProgramName[]) {
    const path = name === 'bwrap' && bwrap !== undefined ? bwrap : await findProgram(name);
    if (path !== undefined) found[name] = path;
  }
  const missing = (Object.keys(PACKAGES) as ProgramName[]).filter((name) => found[name] === undefined);
  return missing.length > 0 ? { missing } : { programs: found as Programs };
}

export async function findProgram(name: string): Promise<string | undefined> {
  for (const directory of DIRECTORIES) {
    const path = join(directory, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}
