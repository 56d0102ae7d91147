// Which sandboxes ended when a controller was stopped in order. The next controller reports it to requests for one of
// them, so that a run that lost its sandbox to a restart can be told from one whose sandbox died.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../telemetry/log.ts';
import { MAX_LIFE_MS } from './limits.ts';

export interface StoppedSandboxes {
  readonly ids: ReadonlySet<string>;
  add(ids: readonly string[]): Promise<void>;
}

/** When each was stopped. Entries that would have expired by now are dropped. */
type Kept = Record<string, number>;

export async function openStoppedSandboxes(file: string, log: Log): Promise<StoppedSandboxes> {
  const now = Date.now();
  const kept = Object.fromEntries(Object.entries(await read(file)).filter(([, at]) => now - at < MAX_LIFE_MS));
  return {
    ids: new Set(Object.keys(kept)),
    async add(ids) {
      const all: Kept = { ...kept, ...Object.fromEntries(ids.map((id) => [id, Date.now()])) };
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, JSON.stringify(all), { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'could not store stopped sandboxes, their runs will count an attempt');
      }
    },
  };
}

async function read(file: string): Promise<Kept> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch {
    return {};
  }
}
