// Copies the files that a run left in /workspace/artifacts to the data directory. The controller opens each file beneath the
// workspace without following links; this file decides how many, how much, and under which names they are kept.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { MAX_FILE_BYTES } from '../sandbox/protocol.ts';
import type { RunAttempt } from '../runs/delivery/engine.ts';
import { RUN_LOG } from '../runs/record/run-log.ts';
import { nameArtifact } from './name-artifact.ts';

const ARTIFACTS = '/workspace/artifacts';
/** The run's log is in the same directory. */
const TAKEN = new Set([RUN_LOG]);

export const ARTIFACT_CAPS = {
  files: 200,
  fileBytes: MAX_FILE_BYTES,
  totalBytes: 256 * 1024 * 1024,
  depth: 8,
  /** How many entries are considered; those beyond are only counted. */
  looked: 5_000,
  counted: 20_000,
  named: 20,
} as const;

export interface CollectedArtifacts {
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** The files that were left behind; absent when there are none. */
  readonly cut?: {
    readonly count: number;
    /** There are more: counting was given up. */
    readonly atLeast?: true;
    readonly examples: readonly { readonly path: string; readonly reason: string }[];
  };
}

interface Found {
  readonly path: string;
  readonly size: number;
  /** Among all entries, directories included. */
  readonly place: number;
}

export async function collectArtifacts(
  client: Pick<SandboxClient, 'listFiles' | 'readFile'>,
  id: string,
  attempt: Pick<RunAttempt, 'artifacts' | 'storage'>,
  signal: AbortSignal,
): Promise<CollectedArtifacts> {
  const examples: { path: string; reason: string }[] = [];
  let count = 0;
  let atLeast = false;
  const leave = (path: string, reason: string): void => {
    count++;
    if (examples.length < ARTIFACT_CAPS.named) examples.push({ path: path.toWellFormed(), reason });
  };

  const files: { name: string; size: number }[] = [];
  let total = 0;
  await attempt.storage?.begin();
  for await (const { path, size, place } of walk(client, id, signal, leave)) {
    if (place > ARTIFACT_CAPS.counted) {
      atLeast = true;
      break;
    }
    if (place > ARTIFACT_CAPS.looked) leave(path, `more than ${ARTIFACT_CAPS.looked} entries`);
    else if (files.length >= ARTIFACT_CAPS.files) leave(path, `more than ${ARTIFACT_CAPS.files} files`);
    else if (size > ARTIFACT_CAPS.fileBytes) leave(path, `larger than ${ARTIFACT_CAPS.fileBytes} bytes`);
    else if (total + size > ARTIFACT_CAPS.totalBytes)
      leave(path, `more than ${ARTIFACT_CAPS.totalBytes} bytes in total`);
    else {
      signal.throwIfAborted();
      const bytes = await client
        .readFile(id, `${ARTIFACTS}/${path}`, Math.min(ARTIFACT_CAPS.fileBytes, ARTIFACT_CAPS.totalBytes - total))
        .catch(refusalText);
      if (typeof bytes === 'string') {
        leave(path, bytes);
        continue;
      }
      if (attempt.storage && !(await attempt.storage.take(bytes.length))) {
        leave(path, "the organization's storage is full");
        continue;
      }
      const name = nameArtifact(path, TAKEN);
      if (await keep(join(await attempt.artifacts(), name), bytes)) {
        total += bytes.length;
        files.push({ name, size: bytes.length });
      } else leave(path, 'an earlier attempt left something else with that name');
    }
  }
  return { files, ...(count > 0 ? { cut: { count, ...(atLeast ? { atLeast } : {}), examples } } : {}) };
}

/** False if an earlier attempt left a file where this one has a directory, or the other way round. */
async function keep(file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600 });
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Plain files, directory by directory, ordered by name. Anything else is left behind. */
async function* walk(
  client: Pick<SandboxClient, 'listFiles'>,
  id: string,
  signal: AbortSignal,
  leave: (path: string, reason: string) => void,
): AsyncGenerator<Found> {
  const open = [''];
  let place = 0;
  for (let directory = open.shift(); directory !== undefined; directory = open.shift()) {
    let after: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await client
        .listFiles(id, directory === '' ? ARTIFACTS : `${ARTIFACTS}/${directory}`, after)
        .catch((error: unknown) => {
          const reason = refusalText(error);
          if (reason !== 'gone') leave(directory ?? '', reason);
          return { entries: [], cursor: undefined };
        });
      for (const { name, type, size } of page.entries) {
        const path = directory === '' ? name : `${directory}/${name}`;
        if (++place > ARTIFACT_CAPS.counted || type === 'file') yield { path, size, place };
        else if (type !== 'directory') leave(path, 'not a plain file');
        else if (path.split('/').length >= ARTIFACT_CAPS.depth)
          leave(path, `deeper than ${ARTIFACT_CAPS.depth} directories`);
        else open.push(path);
      }
      after = page.cursor;
    } while (after !== undefined);
  }
}

/** A file that cannot be read is left behind; a failure of the controller is thrown. */
function refusalText(error: unknown): string {
  if (error instanceof AppError && error.code === 'not_found') return 'gone';
  if (error instanceof AppError && (error.code === 'invalid_request' || error.code === 'request_too_large'))
    return String(error.details['path'] ?? 'not a plain file');
  throw error;
}
