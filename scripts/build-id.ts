// What tells two builds apart: the commit, if the sources are exactly that commit; else a hash of the sources, behind
// the commit they were changed from where there is one. Tests are no part of a build.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

/** Everything a build is made from; deploy/Dockerfile copies the same. */
export const SOURCES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts',
  'src',
  'stand-ins',
  'cli',
  'web',
  'connectors',
  'migrations',
] as const;

const COMMIT_DIGITS = 12;
const HASH_DIGITS = 12;
const GIT_TIMEOUT_MS = 20_000;
const IGNORED = /(?:\.test\.tsx?|\.log|\.env)$|^(?:node_modules|dist)$/;

export async function buildId(root: string): Promise<string> {
  const commit = await commitOf(root);
  if (commit?.changed === false) return commit.id;
  const hash = (await hashSources(root)).slice(0, HASH_DIGITS);
  return commit === undefined ? hash : `${commit.id}.${hash}`;
}

/** Undefined without git, and in a tree that only lies inside another repository. */
async function commitOf(root: string): Promise<{ readonly id: string; readonly changed: boolean } | undefined> {
  try {
    const top = await git(root, 'rev-parse', '--show-toplevel');
    if ((await realpath(top)) !== (await realpath(root))) return undefined;
    const id = (await git(root, 'rev-parse', 'HEAD')).slice(0, COMMIT_DIGITS);
    const status = await git(root, 'status', '--porcelain', '--untracked-files=all', '--', ...SOURCES);
    const changed = status.split('\n').some((line) => line !== '' && !IGNORED.test(line));
    return { id, changed };
  } catch {
    return undefined;
  }
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, {
    cwd: root,
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(SOURCES.map((name) => filesBelow(root, join(root, name))))).flat()) {
    const bytes = await readFile(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** In an order that no file system decides. */
async function filesBelow(root: string, path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined;
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries === undefined) return [relative(root, path)];
  const found: string[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (IGNORED.test(entry.name)) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, join(path, entry.name))));
    else if (entry.isFile()) found.push(relative(root, join(path, entry.name)));
  }
  return found;
}
