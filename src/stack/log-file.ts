// A part's log on disk: kept across restarts, and bounded. At the limit the file becomes <name>.1, replacing the
// previous one, so a part never takes more than twice the limit. Writes are synchronous: the last line before a crash
// is the one that matters. A line that cannot be written is dropped, because a full disk must not stop the part;
// logging resumes as soon as it can, also after someone moved the file away.
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const LIMIT_BYTES = 10 * 1024 * 1024;

export interface LogFile {
  write(chunk: Buffer): void;
  close(): void;
}

/** Notified of every write to a file of the stack. */
export interface WriteWatch {
  failed(path: string, error: unknown): void;
  wrote(path: string): void;
}

interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  size: number;
}

export function openLogFile(path: string, watch: WriteWatch, limitBytes = LIMIT_BYTES): LogFile {
  let open: OpenFile | undefined;
  let torn = false;
  const close = (): void => {
    const file = open;
    open = undefined;
    if (file !== undefined) closeSync(file.descriptor);
  };
  /** The file that has this name now: it may have been moved or removed. */
  const current = (): OpenFile => {
    if (open?.inode === statSync(path, { throwIfNoEntry: false })?.ino && open !== undefined) return open;
    close();
    return (open = openFile(path));
  };
  const append = (chunk: Buffer): void => {
    let file = current();
    if (file.size > 0 && file.size + chunk.length > limitBytes) {
      renameSync(path, `${path}.1`);
      file = current();
    }
    const bytes = torn ? Buffer.concat([Buffer.from('\n'), chunk]) : chunk;
    for (let done = 0; done < bytes.length;) {
      const written = writeSync(file.descriptor, bytes, done);
      done += written;
      file.size += written;
      // The rest of a line that a full disk cut off would otherwise run into the next one.
      torn = done < bytes.length;
    }
  };
  const attempt = (act: () => void): void => {
    try {
      act();
      watch.wrote(path);
    } catch (error) {
      watch.failed(path, error);
      attemptToClose(close);
    }
  };
  attempt(() => void current());
  return { write: (chunk) => attempt(() => append(chunk)), close: () => attemptToClose(close) };
}

/** Creates the log directory but not its parent: a data directory that was removed stays removed. */
function openFile(path: string): OpenFile {
  if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined) mkdirSync(dirname(path), { mode: 0o700 });
  const descriptor = openSync(path, 'a', 0o600);
  const { ino, size } = fstatSync(descriptor);
  return { descriptor, inode: ino, size };
}

/** A disk may report a failed write only on close. */
function attemptToClose(close: () => void): void {
  try {
    close();
  } catch {
    // Nothing depends on it.
  }
}

/** The same limit for a file that another program holds open for appending. */
export function boundForeignLogFile(path: string, watch: WriteWatch, limitBytes = LIMIT_BYTES): void {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= limitBytes) return;
    copyAside(path);
    truncateSync(path);
  } catch (error) {
    watch.failed(path, error);
  }
}

function copyAside(path: string): void {
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // No room for both: the limit matters more.
    rmSync(`${path}.1`, { force: true });
  }
}
