// @ts-check
// Why a file or directory cannot be written, in words for the person who started the service instead of the operating
// system's error codes. Plain JavaScript: see read-options.js.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** @type {Readonly<Record<string, (path: string) => string>>} */
const FAULTS = {
  ENOSPC: (path) => `no space is left on the disk (${describeBytes(freeBytes(path))} free now)`,
  EDQUOT: () => 'your disk quota is used up',
  EROFS: () => 'the file system is read-only',
  EACCES: (path) => `this user may not write there${ownerOf(path)}`,
  EPERM: (path) => `this user may not write there${ownerOf(path)}`,
  ENOTDIR: () => 'a part of the path is a file, not a directory',
  ENAMETOOLONG: () => 'the path is too long',
  EMFILE: () => 'too many files are open (see ulimit -n)',
  ENFILE: () => 'too many files are open on this machine',
};

/**
 * @param {string | undefined} code
 * @param {string} path
 * @returns {string | undefined} Undefined for a code that is not about the path.
 */
export function describeFileFault(code, path) {
  return FAULTS[code ?? '']?.(nearestExisting(path));
}

/**
 * @param {string} directory It need not exist yet.
 * @returns {string | undefined} Why nothing can be created in it, or undefined if it is writable.
 */
export function findWriteFault(directory) {
  const existing = nearestExisting(directory);
  if (!statSync(existing).isDirectory()) return `${existing} is a file, not a directory`;
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return describeFileFault(code, existing) ?? String(code);
  }
}

/**
 * The space that this user may still write on the disk that holds the path.
 * @param {string} path
 */
export function freeBytes(path) {
  const { bavail, bsize } = statfsSync(nearestExisting(path));
  return bavail * bsize;
}

/** @param {number} bytes */
export function describeBytes(bytes) {
  const megabytes = bytes / 1e6;
  return megabytes < 1_000 ? `${Math.floor(megabytes)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}

/** @param {string} path */
function nearestExisting(path) {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Most often root, after an earlier start with sudo. @param {string} path */
function ownerOf(path) {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === process.getuid?.()) return '';
  return `, ${path} belongs to ${owner === 0 ? 'root' : `another user (uid ${owner})`}`;
}
