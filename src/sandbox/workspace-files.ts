// Files of a run, accessed from outside while the run may be changing them. Each segment of a path is opened
// separately, relative to the directory opened before and without following links, so no link that a run plants, not
// even between two steps, leads out of the workspace. `/proc/self/fd/N/name` is how Node expresses "name in that
// directory".
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, unlink } from 'node:fs/promises';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { FileEntry, WorkspaceFiles } from './driver.ts';
import { resolveWorkspacePath } from './resolve-workspace-path.ts';

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const WORKSPACE: FileEntry = { name: '', type: 'directory', size: 0 };
/** A pipe or device must not block us; anything but a plain file is refused after opening. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function workspaceFiles(workspace: string, uid: number | undefined): WorkspaceFiles {
  return {
    find: (path) =>
      within(workspace, path, async (directory, name): Promise<FileEntry | undefined> =>
        name === undefined ? WORKSPACE : entryOf(name, await lstat(beneath(directory, name))),
      ).catch(absent),
    list: (path, page) => listDirectory(workspace, path, page),
    read: (path, maxBytes) => within(workspace, path, (directory, name) => readWhole(directory, name, maxBytes)),
    write: (path, bytes) => replaceFile(workspace, path, bytes, uid),
  };
}

/** A directory with more entries than this is listed in part. */
const MAX_NAMES = 200_000;

async function listDirectory(
  workspace: string,
  path: string,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<{ entries: FileEntry[]; cursor?: string }> {
  const directory = await openDirectory(workspace, resolveWorkspacePath(path));
  try {
    const names: string[] = [];
    for await (const { name } of await opendir(`/proc/self/fd/${directory.fd}`)) {
      if (names.length === MAX_NAMES) break;
      if (name > after) names.push(name);
    }
    const page = names.toSorted().slice(0, limit);
    const last = page.at(-1);
    const entries: FileEntry[] = [];
    for (const name of page) {
      const stat = await lstat(beneath(directory, name)).catch(() => undefined);
      if (stat !== undefined) entries.push(entryOf(name, stat));
    }
    return { entries, ...(last !== undefined && names.length > page.length ? { cursor: last } : {}) };
  } finally {
    await directory.close();
  }
}

async function readWhole(directory: FileHandle, name: string | undefined, maxBytes: number): Promise<Buffer> {
  if (name === undefined) throw new AppError('invalid_request', { path: 'is a directory' });
  const file = await open(beneath(directory, name), FILE);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new AppError('invalid_request', { path: 'is not a plain file' });
    if (stat.size > maxBytes)
      throw new AppError('request_too_large', { path: 'the file is too large', limitBytes: maxBytes });
    // The file may grow in the meantime; no more is read than was allowed.
    const bytes = Buffer.alloc(stat.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

async function replaceFile(workspace: string, path: string, bytes: Buffer, uid: number | undefined): Promise<void> {
  const steps = resolveWorkspacePath(path);
  const name = steps.pop();
  if (name === undefined) throw new AppError('invalid_request', { path: 'must name a file' });
  const directory = await openDirectory(workspace, steps, async (made) => {
    // Through the open descriptor, not by name, which the run may have replaced with a link in the meantime.
    if (uid !== undefined) await made.chown(uid, uid);
    await made.chmod(0o755);
  });
  const temporary = beneath(directory, newId('.put'));
  try {
    const file = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await file.writeFile(bytes);
      // The mode that a run would give it: open() applies the controller's umask.
      await file.chmod(0o644);
      if (uid !== undefined) await file.chown(uid, uid);
    } finally {
      await file.close();
    }
    await rename(temporary, beneath(directory, name));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw asRefusal(error);
  } finally {
    await directory.close();
  }
}

async function within<T>(
  workspace: string,
  path: string,
  use: (directory: FileHandle, name: string | undefined) => Promise<T>,
): Promise<T> {
  const steps = resolveWorkspacePath(path);
  const name = steps.pop();
  const directory = await openDirectory(workspace, steps);
  try {
    return await use(directory, name);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await directory.close();
  }
}

async function openDirectory(
  workspace: string,
  steps: readonly string[],
  adopt?: (made: FileHandle) => Promise<void>,
): Promise<FileHandle> {
  let at = await open(workspace, DIRECTORY);
  for (const step of steps) {
    try {
      const next = await open(beneath(at, step), DIRECTORY).catch(async (error: NodeJS.ErrnoException) => {
        if (adopt === undefined || error.code !== 'ENOENT') throw error;
        await mkdir(beneath(at, step), { mode: 0o700 });
        const made = await open(beneath(at, step), DIRECTORY);
        await adopt(made);
        return made;
      });
      await at.close();
      at = next;
    } catch (error) {
      await at.close();
      throw asRefusal(error);
    }
  }
  return at;
}

function beneath(directory: FileHandle, name: string): string {
  return `/proc/self/fd/${directory.fd}/${name}`;
}

function entryOf(name: string, stat: Stats): FileEntry {
  const type = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'symlink' : 'other';
  return { name, type, size: type === 'file' ? stat.size : 0 };
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

const REFUSALS: Record<string, () => AppError> = {
  ENOENT: () => new AppError('not_found'),
  ENOTDIR: () => new AppError('not_found'),
  ELOOP: () => new AppError('invalid_request', { path: 'is a link, which is not followed' }),
  ENXIO: () => new AppError('invalid_request', { path: 'is not a plain file' }),
  EISDIR: () => new AppError('invalid_request', { path: 'is a directory' }),
  ENOSPC: () => new AppError('sandbox_disk_full'),
};

function asRefusal(error: unknown): unknown {
  return REFUSALS[(error as NodeJS.ErrnoException).code ?? '']?.() ?? error;
}
