// A full disk is the one fault of the machine that stops every part at once, each in its own words. It is looked for
// before the first write, and named once when it happens later.
import { describeBytes, freeBytes } from './file-faults.js';
import { StackError } from './stack-error.ts';

/** A new cluster takes 45 MB, and its write-ahead log grows from there. */
const FIRST_START_BYTES = 150e6;
const LATER_START_BYTES = 20e6;
const FULL_BELOW_BYTES = 5e6;

export function requireSpace(directory: string, isFirst: boolean, free = freeBytes(directory)): void {
  const needed = isFirst ? FIRST_START_BYTES : LATER_START_BYTES;
  if (free >= needed) return;
  throw new StackError(`the disk that holds ${directory} is full: ${describeBytes(free)} are free, and ${isFirst ? 'the first' : 'a'} start needs ${describeBytes(needed)}. Free some space, or choose another directory with --data-dir.`);
}

const ABOUT_SPACE = /ENOSPC|EDQUOT|No space left on device/i;

export interface DiskWatch {
  /** A part has ended, or has complained. */
  heard(text: string): void;
}

/** Says once that the disk is full, and again only after there was room in between. */
export function watchDisk(directory: string, warn: (line: string) => void, free: () => number = () => freeBytes(directory)): DiskWatch {
  let said = false;
  return {
    heard(text) {
      const left = free();
      const full = left < FULL_BELOW_BYTES || (ABOUT_SPACE.test(text) && left < LATER_START_BYTES);
      if (full && !said) warn(`the disk that holds ${directory} is full: ${describeBytes(left)} are free. Free some space; the parts come back by themselves.`);
      said = full;
    },
  };
}
