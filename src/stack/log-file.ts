// A part's log on disk: appended to over restarts, and bounded. At the limit the file becomes <name>.1, replacing
// the one before, so a part never holds more than twice the limit. Written at once: the last line before a crash is
// the one that matters. What cannot be written is lost, because a full disk must not take the part down with its log;
// it is written again, in a file that somebody moved away as well, as soon as that is possible.
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

/** Told of every write of a file of the stack. */
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
  /** The file that has the name now: it may have been moved away or removed. */
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

/** Makes the directory of logs, but not the one that holds it: where the data directory is gone, it stays gone. */
function openFile(path: string): OpenFile {
  if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined) mkdirSync(dirname(path), { mode: 0o700 });
  const descriptor = openSync(path, 'a', 0o600);
  const { ino, size } = fstatSync(descriptor);
  return { descriptor, inode: ino, size };
}

/** A disk may report only now that what it took could not be kept. */
function attemptToClose(close: () => void): void {
  try {
    close();
  } catch {
    // Nothing depends on it.
  }
}

/** The same bound for a file that another program holds open for appending. */
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
    // No room for both: the bound matters more.
    rmSync(`${path}.1`, { force: true });
  }
}
