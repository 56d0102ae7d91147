import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a private file atomically: a reader, or a crash, finds either the old content or the new. */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.new`;
  try {
    await writeAndSync(fresh, text);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    // A failed write does not name its file.
    throw Object.assign(error as Error, { path });
  }
  const directory = await open(dirname(path), 'r');
  await directory.sync().catch(() => {});
  await directory.close();
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
