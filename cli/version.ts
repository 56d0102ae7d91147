import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package lies one directory above, for the sources and for the bundle. */
export function readVersion(directory = import.meta.dirname): string {
  try {
    return (JSON.parse(readFileSync(join(directory, '..', 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
