// The files that a run left, in the data directory. A run wrote them, so nothing about them is trusted: only plain files
// in the run's own directory count, links are never followed, and a name is a path of plain segments. The run's log is in
// the same directory but is not an artifact.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { RUN_LOG } from './run-log.ts';

export interface Artifact {
  /** The path below `/workspace/artifacts`. */
  readonly name: string;
  readonly size: number;
}

const LISTED_MAX = 1_000;
const DEPTH_MAX = 16;

export async function listArtifacts(root: string, runId: string): Promise<Artifact[]> {
  const found: Artifact[] = [];
  await list(join(root, runId), [], found);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function list(directory: string, below: readonly string[], found: Artifact[]): Promise<void> {
  if (below.length > DEPTH_MAX || !(await isDirectory(directory))) return;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = [...below, entry.name];
    if (found.length >= LISTED_MAX) return;
    if (!isArtifactPath(path)) continue;
    if (entry.isDirectory()) await list(join(directory, entry.name), path, found);
    if (!entry.isFile()) continue;
    const stat = await lstat(join(directory, entry.name)).catch(() => undefined);
    if (stat?.isFile()) found.push({ name: path.join('/'), size: stat.size });
  }
}

/** An open file, which the caller closes. */
export async function openArtifact(
  root: string,
  runId: string,
  name: string,
): Promise<{ file: FileHandle; size: number }> {
  const path = name.split('/');
  if (!isArtifactPath(path) || path.length > DEPTH_MAX + 1) throw new AppError('not_found');
  let directory = join(root, runId);
  for (const segment of ['', ...path.slice(0, -1)]) {
    directory = join(directory, segment);
    if (!(await isDirectory(directory))) throw new AppError('not_found');
  }
  // Without O_NONBLOCK, opening a named pipe would block for ever.
  const file = await open(
    join(directory, path.at(-1) ?? ''),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => undefined);
  if (!file) throw new AppError('not_found');
  const stat = await file.stat();
  if (stat.isFile()) return { file, size: stat.size };
  await file.close();
  throw new AppError('not_found');
}

function isArtifactPath(segments: readonly string[]): boolean {
  return (
    segments[0] !== RUN_LOG &&
    segments.every(
      (name) => name !== '' && name !== '.' && name !== '..' && name.length <= 255 && !/[/\\\0]/.test(name),
    )
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}
