// What a run changed in its repository, beside its log: the list as JSON, and the patch. A run has made the patch, so it is
// sent as an attachment and never interpreted here.
import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../base/ids.ts';
import { type Changes, changes } from '../../contract/patches/run-changes.ts';
import { RUN_LOG } from './run-log.ts';

const LIST = 'changes.json';
const PATCH = 'changes.patch';

export async function keepChanges(
  runDirectory: string,
  found: Omit<Changes, 'patch'>,
  patch: { readonly bytes: Buffer; readonly cut: boolean } | undefined,
): Promise<Changes> {
  const directory = join(runDirectory, RUN_LOG);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const kept: Changes = {
    ...found,
    ...(patch === undefined
      ? {}
      : {
          patch: {
            sha256: createHash('sha256').update(patch.bytes).digest('hex'),
            bytes: patch.bytes.length,
            ...(patch.cut ? { cut: true } : {}),
          },
        }),
  };
  if (patch !== undefined) await replace(join(directory, PATCH), patch.bytes);
  await replace(join(directory, LIST), JSON.stringify(kept));
  return kept;
}

export async function findChanges(runDirectory: string): Promise<Changes | undefined> {
  const text = await readFile(join(runDirectory, RUN_LOG, LIST), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return changes.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** An open file, which the caller closes. */
export async function openPatch(runDirectory: string): Promise<{ file: FileHandle; size: number } | undefined> {
  const file = await open(join(runDirectory, RUN_LOG, PATCH)).catch(() => undefined);
  return file && { file, size: (await file.stat()).size };
}

/** A reader sees the old content or the new. */
async function replace(path: string, content: Buffer | string): Promise<void> {
  const temporary = `${path}.${newId('new')}`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, path);
}
