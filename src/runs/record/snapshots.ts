// The workspace of a run as it was after one of its steps: a full archive and what changed since, in the run's directory
// beside its log. The manifest says which archives count, and is replaced as a whole: a crash at any moment leaves the
// one before, and files that no manifest names are removed with the next. What the archives hold is opened nowhere but in
// a sandbox.
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import { writeFileAtomic } from '../../process/write-file-atomic.ts';
import { RUN_LOG } from './run-log.ts';

const DIRECTORY = join(RUN_LOG, 'snapshot');
const MANIFEST = 'manifest.json';
/** A full archive is due when those after it take more than it does, and this; or when they are many. */
const MOST_CHANGES_BYTES = 16 * 1024 * 1024;
const MOST_FILES = 32;

const manifest = z.object({
  /** The step after which the workspace was like this. */
  after: z.string(),
  /** The head of the run's chain with which its writer's attempt began. */
  writer: z.number().int(),
  /** In order: the first is full. */
  files: z
    .array(z.object({ name: z.string().regex(/^snap_[0-9a-z]{26}$/), bytes: z.number().int().positive() }))
    .min(1),
});

export type Snapshot = z.output<typeof manifest>;
export type SnapshotFile = Snapshot['files'][number];

/** Undefined if there is none that could be restored. */
export async function findSnapshot(runDirectory: string): Promise<Snapshot | undefined> {
  const found = await readManifest(runDirectory);
  if (found === undefined) return undefined;
  for (const { name, bytes } of found.files) {
    const stat = await lstat(join(runDirectory, DIRECTORY, name)).catch(() => undefined);
    if (!stat?.isFile() || stat.size !== bytes) return undefined;
  }
  return found;
}

export function openSnapshotFile(runDirectory: string, { name }: SnapshotFile): Readable {
  return createReadStream(join(runDirectory, DIRECTORY, name));
}

export function bytesOf(files: readonly SnapshotFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Whether the next archive should be a full one. */
export function isOutgrown([full, ...changes]: readonly SnapshotFile[]): boolean {
  return changes.length + 1 >= MOST_FILES || bytesOf(changes) > (full?.bytes ?? 0) + MOST_CHANGES_BYTES;
}

/** Writes an archive that no manifest names yet; it is on the disk once this resolves. */
export async function writeSnapshotFile(runDirectory: string, archive: AsyncIterable<Buffer>): Promise<SnapshotFile> {
  await mkdir(join(runDirectory, DIRECTORY), { recursive: true, mode: 0o700 });
  const name = newId('snap');
  const path = join(runDirectory, DIRECTORY, name);
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of archive) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { name, bytes };
}

/** False if an attempt that began later has written one: this one has lost the run and does not know it yet. */
export async function recordSnapshot(runDirectory: string, snapshot: Snapshot): Promise<boolean> {
  const directory = join(runDirectory, DIRECTORY);
  const there = await readManifest(runDirectory);
  if (there !== undefined && there.writer > snapshot.writer) return false;
  await writeFileAtomic(join(directory, MANIFEST), JSON.stringify(snapshot));
  const kept = new Set([MANIFEST, ...snapshot.files.map(({ name }) => name)]);
  for (const name of await readdir(directory)) if (!kept.has(name)) await rm(join(directory, name), { force: true });
  return true;
}

/** Whether there is anything of one, restorable or not. */
export function hasSnapshot(runDirectory: string): Promise<boolean> {
  return lstat(join(runDirectory, DIRECTORY)).then(
    () => true,
    () => false,
  );
}

/** The manifest first: without it the rest means nothing. */
export async function removeSnapshot(runDirectory: string): Promise<void> {
  await rm(join(runDirectory, DIRECTORY, MANIFEST), { force: true });
  await rm(join(runDirectory, DIRECTORY), { recursive: true, force: true });
}

async function readManifest(runDirectory: string): Promise<Snapshot | undefined> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(runDirectory, DIRECTORY, MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}
