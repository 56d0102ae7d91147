// Each build is a directory of its own beneath `releases`, and `dist` is a link to the latest. What runs was started from
// a release and keeps it: one is removed only when it is neither among the last two nor in use.
import { lstat, readdir, readFile, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

const KEPT = 2;

/** Names sort by age. */
export function releaseName(now: Date): string {
  return now.toISOString().replaceAll(/[-:.]/g, '');
}

/** Points the link to a release, in one step. A directory in its place, as there was before releases, becomes one. */
export async function switchTo(link: string, release: string): Promise<void> {
  const found = await lstat(link).catch(() => undefined);
  if (found?.isDirectory()) await rename(link, join(dirname(release), releaseName(found.mtime)));
  const next = `${link}.${process.pid}`;
  await symlink(relative(dirname(link), release), next);
  await rename(next, link);
}

/** Removes the releases that nobody needs; answers their names. */
export async function pruneReleases(directory: string, inUse: ReadonlySet<string> | undefined): Promise<string[]> {
  if (!inUse) return [];
  const names = (await readdir(directory)).sort();
  const removed = names.slice(0, -KEPT).filter((name) => !inUse.has(name));
  for (const name of removed) await rm(join(directory, name), { recursive: true, force: true });
  return removed;
}

/** Releases whose directory a process holds open. Undefined where that cannot be known: then none is removed. */
export async function findReleasesInUse(directory: string): Promise<ReadonlySet<string> | undefined> {
  const processes = await readdir('/proc').catch(() => undefined);
  if (!processes) return undefined;
  const used = new Set<string>();
  for (const pid of processes.filter((name) => /^\d+$/.test(name))) {
    const files = await openFiles(pid, dirname(directory));
    if (!files) return undefined;
    for (const file of files) if (dirname(file) === directory) used.add(basename(file));
  }
  return used;
}

/** Undefined for a process of another user that may have been started from this checkout. */
async function openFiles(pid: string, root: string): Promise<string[] | undefined> {
  try {
    const names = await readdir(`/proc/${pid}/fd`);
    return await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return [];
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return (await mayRunFrom(root, command.split('\0'))) ? undefined : [];
  }
}

/** Whether a command may have started a program of this checkout: one with a relative path may always. */
export async function mayRunFrom(root: string, command: readonly string[]): Promise<boolean> {
  const program = command.find((word) => /(?:^|\/)dist\/[a-z-]+\.js$/.test(word));
  if (program === undefined || !isAbsolute(program)) return program !== undefined;
  // A checkout that cannot be read is another one.
  return (await realpath(dirname(dirname(program))).catch(() => undefined)) === (await realpath(root));
}
