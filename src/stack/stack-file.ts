// <data-dir>/stack.json: what runs where, for people, tools and the next start. It contains the database URL, so only
// its owner may read it.
import { readFile, rm } from 'node:fs/promises';
import type { WriteWatch } from './log-file.ts';
import { writeFileAtomic } from '../process/write-file-atomic.ts';

export interface StackPart {
  readonly pid: number;
  readonly port?: number;
  readonly url?: string;
  /** Of the local integration provider's Connect UI, which listens on a second port. */
  readonly connectPort?: number;
  readonly connectUrl?: string;
  /** Where the local mailbox takes mail. */
  readonly smtpPort?: number;
  readonly startedAt: string;
  readonly restarts: number;
  /** Distinguishes the process from a later one with the same pid. */
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
  /** Where the gateway listens, and whether users may name private addresses; for the doctor. */
  readonly gatewayHost?: string;
  readonly allowPrivateUrls?: boolean;
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
  /** Writes the current state; changes made during a write are written together afterwards. */
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** A full disk must not stop the service: a failed write is retried at the next change. */
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
    // In the same tick as the last check of `again`: a later change starts a new write.
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
