// What a command of a run has printed so far, for those who watch it: the end of it, in one small file beside the run's
// log that is written again while more comes and removed when the command ends. What it costs does not depend on how much
// is printed. The result that is recorded afterwards takes its place, so a disk that fails here is no fault of the run.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LiveOutput } from '../../contract/jobs.ts';

import { every, type EveryOptions } from '../../timing/every.ts';
import { RUN_LOG } from './run-log.ts';

export const OUTPUT_FILE = join(RUN_LOG, 'output.json');
export const SHOWN_CHARS = 16_000;
const WRITE_EVERY_MS = 400;

export interface OutputShow {
  add(text: string): void;
  /** Resolves once nothing is shown. */
  end(): Promise<void>;
}

/** @param event the event that the command began with; nothing is shown of one that has none. */
export function showOutput(runDirectory: string, event: number | undefined, log: EveryOptions['log']): OutputShow {
  if (event === undefined) return { add: () => {}, end: async () => {} };
  const file = join(runDirectory, OUTPUT_FILE);
  let shown: LiveOutput = { event, from: 0, text: '' };
  let written = shown;
  let fails = false;
  const writer = every({
    everyMs: WRITE_EVERY_MS,
    task: 'showing the output of a command',
    log,
    async run() {
      if (written === shown || fails) return;
      fails = true;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      written = shown;
      await writeFile(file, JSON.stringify(shown), { mode: 0o600 });
      fails = false;
    },
  });
  return {
    add(text) {
      const all = shown.text + text;
      const over = Math.max(0, all.length - SHOWN_CHARS);
      shown = { event, from: shown.from + over, text: all.slice(over) };
    },
    async end() {
      await writer.stop();
      if (written.text !== '') await rm(file, { force: true }).catch(() => {});
    },
  };
}
