import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TarEntry } from '../../src/base/write-tar.ts';

const EXECUTABLE = 0o111;

/** Files below `from`, or `from` itself, for the place `to` in an archive. Marks of the build and caches stay behind. */
export function gatherFiles(from: string, to: string, keep: (path: string) => boolean = () => true): TarEntry[] {
  const stat = statSync(from);
  if (stat.isDirectory())
    return readdirSync(from)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) => gatherFiles(join(from, name), `${to}/${name}`, keep));
  if (!stat.isFile() || !keep(to)) return [];
  return [{ path: to, content: readFileSync(from), mode: (stat.mode & EXECUTABLE) === 0 ? 0o644 : 0o755 }];
}

/** One file, under its own name. */
export function gatherFile(from: string, directory: string): TarEntry[] {
  return gatherFiles(from, `${directory}/${basename(from)}`);
}
