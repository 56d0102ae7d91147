// <data-dir>/stack.json: what runs where, for people, tools and the next start. It holds the database URL, so only
// its owner may read it.
import { readFile, rm } from 'node:fs/promises';
import type { WriteWatch } from './log-file.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

export interface StackPart {
  readonly pid: number;
  readonly port?: number;
  readonly url?: string;
  /** Of the local integration provider's Connect UI, which has a port of its own. */
  readonly connectPort?: number;
  readonly connectUrl?: string;
  readonly startedAt: string;
  readonly restarts: number;
  /** Tells the process from a later one under the same number. */
  readonly identity?: string;
}

export interface StackState {
  readonly url: string;
  readonly publicUrl: string;
  readonly startedAt: string;
  readonly pid: number;
  readonly stopping?: true;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly parts: Readonly<Record<string, StackPart>>;
}

export async function findStackState(path: string): Promise<StackState | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StackState;
  } catch {
    return undefined;
  }
}

export interface StackFile {
  /** Writes the newest state; changes that come while one is written are written together, next. */
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk that is full must not stop the service: what cannot be written is tried again at the next change. */
export function openStackFile(path: string, state: () => StackState, watch: WriteWatch): StackFile {
  let writing: Promise<void> | undefined;
  let again = false;
  let removed = false;
  const write = async (): Promise<void> => {
    do {
      again = false;
      await writeFileAtomic(path, `${JSON.stringify(state(), undefined, 2)}\n`).then(
        () => watch.wrote(path),
        (error: unknown) => watch.failed(path, error),
      );
    } while (again);
    // In the same turn as the last look at `again`: a change that comes later begins to write anew.
    writing = undefined;
  };
  return {
    async update() {
      if (removed) return;
      if (writing !== undefined) again = true;
      await (writing ??= write());
    },
    async remove() {
      removed = true;
      await writing;
      await rm(path, { force: true }).catch((error: unknown) => watch.failed(path, error));
    },
  };
}
