// The clock of processes that a test sets while they run, by libfaketime: only the time of day, never the one that
// counts how long something takes.
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [library] = ['/', join(import.meta.dirname, '..', '..', '.cache', 'debian', 'root')].flatMap((root) =>
  globSync('usr/lib/*/faketime/libfaketime.so.1', { cwd: root }).map((file) => join(root, file)),
);

/** Why no clock can be set here; undefined where one can. */
export const fakeClockMissing: string | undefined = library === undefined ? 'libfaketime is not installed' : undefined;

export interface FakeClock {
  readonly environment: Record<string, string>;
  /** From now on, by so many seconds ahead of the machine's or behind it. */
  shift(seconds: number): void;
}

export function makeFakeClock(directory: string): FakeClock {
  const file = join(directory, 'clock');
  const shift = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  shift(0);
  return {
    environment:
      library === undefined
        ? {}
        : {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: file,
            FAKETIME_CACHE_DURATION: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          },
    shift,
  };
}
