import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file under a directory of the project, as paths from its root. */
export function listFiles(root: string, top: string): string[] {
  return readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
