import { chmod, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Makes a directory and what is missing above it. Each gets the mode afterwards: one that mkdir is given, the umask cuts. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}
