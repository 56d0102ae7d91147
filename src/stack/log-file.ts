// A part's log on disk: appended to over restarts, and bounded. At the limit the file becomes <name>.1, replacing
// the one before, so a part never holds more than twice the limit. Written at once: the last line before a crash is
// the one that matters.
import { closeSync, copyFileSync, fstatSync, mkdirSync, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const LIMIT_BYTES = 10 * 1024 * 1024;

export interface LogFile {
  write(chunk: Buffer): void;
  close(): void;
}

export function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  return {
    write(chunk) {
      if (size > 0 && size + chunk.length > limitBytes) {
        closeSync(file);
        renameSync(path, `${path}.1`);
        file = openSync(path, 'a', 0o600);
        size = 0;
      }
      writeSync(file, chunk);
      size += chunk.length;
    },
    close: () => closeSync(file),
  };
}

/** The same bound for a file that another program holds open for appending. */
export function boundForeignLogFile(path: string, limitBytes = LIMIT_BYTES): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= limitBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}
