import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));

/** The path of a file in this directory or the nearest parent that has it. */
export function findAbove(file: string, directory = HERE): string | undefined {
  const path = join(directory, file);
  if (existsSync(path)) return path;
  const above = dirname(directory);
  return above === directory ? undefined : findAbove(file, above);
}
