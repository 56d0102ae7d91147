// Where a program finds its files. A bundle lies in a directory of its own release, with everything that the release
// reads later; `dist` only points to the latest. Node follows that link once, when the program starts, so what runs keeps
// its files whatever is built beside it.
import { existsSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The package's own directory, found the same way from the sources and from a bundle. */
export function packageRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) throw new Error('package.json not found above the running program');
  }
}

/** Where the built programs are: those of this release or, from the sources, the latest. */
export function programDirectory(): string {
  if (import.meta.filename.endsWith('.ts')) return join(packageRoot(), 'dist');
  return basename(import.meta.dirname) === 'parts' ? dirname(import.meta.dirname) : import.meta.dirname;
}

/** A directory of files that belong to the release, such as its migrations. */
export function releaseDirectory(name: 'migrations' | 'connectors'): string {
  return join(import.meta.filename.endsWith('.ts') ? packageRoot() : programDirectory(), name);
}

/** Keeps the directory open for as long as the process lives: a build that removes old releases sees it there. */
export function holdRelease(): void {
  if (existsSync(programDirectory())) openSync(programDirectory(), 'r');
}
