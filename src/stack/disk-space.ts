// A full disk is the one machine fault that stops every part at once, each with a different message. It is checked
// before the first write and reported once if it happens later, as is any other reason why the stack's files cannot be
// written.
import { describeBytes, describeFileFault, freeBytes } from './file-faults.js';
import type { WriteWatch } from './log-file.ts';
import { StackError } from './stack-error.ts';

/** A new cluster takes 45 MB, and its write-ahead log grows from there. */
const FIRST_START_BYTES = 150e6;
const LATER_START_BYTES = 20e6;
const FULL_BELOW_BYTES = 5e6;

export function requireSpace(directory: string, isFirst: boolean, free = freeBytes(directory)): void {
  const needed = isFirst ? FIRST_START_BYTES : LATER_START_BYTES;
  if (free >= needed) return;
  throw new StackError(
    `the disk that holds ${directory} is full: ${describeBytes(free)} are free, and ${isFirst ? 'the first' : 'a'} start needs ${describeBytes(needed)}. Free some space, or choose another directory with --data-dir.`,
  );
}

const ABOUT_SPACE = /ENOSPC|EDQUOT|No space left on device/i;

export interface DiskWatch extends WriteWatch {
  /** A part ended or logged a complaint. */
  heard(text: string): void;
}

export interface DiskWatchEvents {
  warn(line: string): void;
  /** Writing works again. */
  recovered(line: string): void;
}

/** Reports a problem once, and again only after it was resolved in between. */
export function watchDisk(
  directory: string,
  { warn, recovered }: DiskWatchEvents,
  free: () => number = () => freeBytes(directory),
): DiskWatch {
  let said = false;
  let failing = false;
  const say = (line: string): void => {
    if (!said) warn(line);
    said = true;
  };
  const full = (left: number): string =>
    `the disk that holds ${directory} is full: ${describeBytes(left)} are free. Free some space; the parts come back by themselves.`;
  return {
    heard(text) {
      const left = attempt(free) ?? Infinity;
      if (left < FULL_BELOW_BYTES || (ABOUT_SPACE.test(text) && left < LATER_START_BYTES)) say(full(left));
      else if (!failing) said = false;
    },
    failed(path, error) {
      failing = true;
      const left = attempt(free) ?? Infinity;
      const code = String((error as NodeJS.ErrnoException).code ?? 'unknown');
      if (left < FULL_BELOW_BYTES) say(full(left));
      else
        say(
          `${path} cannot be written: ${attempt(() => describeFileFault(code, path)) ?? code}. Everything else keeps running; writing resumes once that is fixed.`,
        );
    },
    wrote() {
      // On a nearly full disk space comes and goes: recovery counts only with some room to spare.
      if (!failing || (attempt(free) ?? Infinity) < LATER_START_BYTES) return;
      failing = false;
      said = false;
      recovered(`${directory} can be written again`);
    },
  };
}

/** On a failing disk even the free space cannot always be read. */
function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
