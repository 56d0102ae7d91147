import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a private file so that a reader, or a crash, finds the old one or the new one and nothing between. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.new`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  const directory = await open(dirname(path), 'r');
  await directory.sync().catch(() => {});
  await directory.close();
}
