// The files that a run left, from the data directory. A run wrote them, so nothing about them is trusted: only plain
// files directly in the job's own directory exist, no link is followed, and a name is one segment.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../base/errors.ts';

export interface Artifact {
  readonly name: string;
  readonly size: number;
}

const LISTED_MAX = 1_000;

export async function listArtifacts(root: string, jobId: string): Promise<Artifact[]> {
  const directory = join(root, jobId);
  if (!(await isDirectory(directory))) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && isPlainName(entry.name)).map(({ name }) => name).sort();
  const sized = await Promise.all(
    names.slice(0, LISTED_MAX).map(async (name) => {
      const stat = await lstat(join(directory, name)).catch(() => undefined);
      return stat?.isFile() ? [{ name, size: stat.size }] : [];
    }),
  );
  return sized.flat();
}

/** An open file; whoever gets it closes it. */
export async function openArtifact(root: string, jobId: string, name: string): Promise<{ file: FileHandle; size: number }> {
  const directory = join(root, jobId);
  if (!isPlainName(name) || !(await isDirectory(directory))) throw new AppError('not_found');
  // Without O_NONBLOCK a named pipe would never open.
  const file = await open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (!file) throw new AppError('not_found');
  const stat = await file.stat();
  if (stat.isFile()) return { file, size: stat.size };
  await file.close();
  throw new AppError('not_found');
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= 255 && !/[/\\\0]/.test(name);
}

async function isDirectory(path: string): Promise<boolean> {
  return lstat(path).then((stat) => stat.isDirectory(), () => false);
}
