import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package's own directory, found the same way from the sources and from a bundle in dist/. */
export function packageRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) throw new Error('package.json not found above the running program');
  }
}
