// What a backup consists of: a directory with the dump of the database, the files of the data directory beneath `data`,
// and `manifest.json`, which names every file with size and SHA-256. `manifest.sha256` is the checksum over all of it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';

export const DATABASE_DUMP = 'service.dump';
export const PROVIDER_DUMP = 'provider.dump';
export const BUNDLE_COPY = 'bundle.env';
export const DATA = 'data';
const MANIFEST = 'manifest.json';
const CHECKSUM = 'manifest.sha256';
const FORMAT = 1;

const entry = z.object({
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mode: z.number().int(),
});
const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  build: z.string(),
  createdAt: z.string(),
  schema: z.string(),
  /** Number of migrations that the database had. */
  migrations: z.number().int(),
  files: z.array(entry),
});

export type Entry = z.infer<typeof entry>;
export type Manifest = z.infer<typeof manifest>;

export async function writeManifest(directory: string, content: Omit<Manifest, 'format'>): Promise<string> {
  const text = `${JSON.stringify({ format: FORMAT, ...content }, undefined, 1)}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  await writeFile(join(directory, MANIFEST), text, { mode: 0o600 });
  // As sha256sum reads it.
  await writeFile(join(directory, CHECKSUM), `${sha256}  ${MANIFEST}\n`, { mode: 0o600 });
  return sha256;
}

export async function readManifest(directory: string): Promise<{ manifest: Manifest; sha256: string }> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => undefined);
  const [expected] = (await readFile(join(directory, CHECKSUM), 'utf8').catch(() => '')).split(' ');
  if (text === undefined)
    throw new OperatorError(`${directory} is no backup: it has no ${MANIFEST}`, 'Name the directory of a backup.');
  const sha256 = createHash('sha256').update(text).digest('hex');
  if (sha256 !== expected)
    throw new OperatorError(`${MANIFEST} does not match ${CHECKSUM}`, 'Copy the backup again, or use another one.');
  const parsed = manifest.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new OperatorError(
      'the backup has a format that this version does not know',
      'Use the version that made it, or a newer one.',
    );
  return { manifest: parsed.data, sha256 };
}

/** What differs from the manifest: one sentence for each file. */
export async function findDamage(directory: string, { files }: Manifest): Promise<string[]> {
  const faults: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const found = await hashFile(join(directory, path)).catch(() => undefined);
    if (found === undefined) faults.push(`${path} is missing or cannot be read`);
    else if (found.bytes !== bytes) faults.push(`${path} has ${found.bytes} bytes instead of ${bytes}`);
    else if (found.sha256 !== sha256) faults.push(`${path} was changed`);
  }
  const known = new Set([...files.map(({ path }) => path), MANIFEST, CHECKSUM]);
  for await (const path of filesBelow(directory)) if (!known.has(path)) faults.push(`${path} is not of this backup`);
  return faults;
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Regular files only: a socket or a link is no part of a backup. */
export async function* filesBelow(root: string, at = root): AsyncGenerator<string> {
  // A directory may be removed while it is walked.
  const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
  for (const found of entries) {
    const path = join(at, found.name);
    if (found.isDirectory()) yield* filesBelow(root, path);
    else if (found.isFile()) yield relative(root, path);
  }
}
