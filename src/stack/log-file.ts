// A part's log on disk: appended to over restarts, and bounded. At the limit the file becomes <name>.1, replacing
// the one before, so a part never holds more than twice the limit. Written at once: the last line before a crash is
// the one that matters. What cannot be written is lost, because a full disk must not take the part down with its log.
import { closeSync, copyFileSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const LIMIT_BYTES = 10 * 1024 * 1024;

export interface LogFile {
  write(chunk: Buffer): void;
  close(): void;
}

export function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  let open: { file: number; size: number } | undefined;
  const reopen = (): { file: number; size: number } => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'a', 0o600);
    return { file, size: fstatSync(file).size };
  };
  const close = (): void => {
    if (open !== undefined) closeSync(open.file);
    open = undefined;
  };
  const append = (chunk: Buffer): void => {
    open ??= reopen();
    if (open.size > 0 && open.size + chunk.length > limitBytes) {
      close();
      renameSync(path, `${path}.1`);
      open = reopen();
    }
    writeSync(open.file, chunk);
    open.size += chunk.length;
  };
  const whereItCan = (act: () => void): void => {
    try {
      act();
    } catch {
      close();
    }
  };
  whereItCan(() => (open = reopen()));
  return { write: (chunk) => whereItCan(() => append(chunk)), close };
}

/** The same bound for a file that another program holds open for appending. */
export function boundForeignLogFile(path: string, limitBytes = LIMIT_BYTES): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= limitBytes) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // No room for both: the bound matters more.
    rmSync(`${path}.1`, { force: true });
  }
  truncateSync(path);
}
