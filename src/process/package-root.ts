// Where a program finds its files. A bundle is in the directory of its release, with everything the release reads
// later; `dist` only links to the latest. Node resolves that link once at startup, so a running program keeps its files
// when another release is built.
import { existsSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The directory of the package, found the same way from the sources and from a bundle. */
export function packageRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) throw new Error('package.json not found above the running program');
  }
}

/** Where the built programs are: this release's or, from the sources, the latest. */
export function programDirectory(): string {
  if (import.meta.filename.endsWith('.ts')) return join(packageRoot(), 'dist');
  return basename(import.meta.dirname) === 'parts' ? dirname(import.meta.dirname) : import.meta.dirname;
}

/** A directory of files that belong to the release, such as its migrations. */
export function releaseDirectory(name: 'migrations' | 'connectors' | 'passwords'): string {
  return join(import.meta.filename.endsWith('.ts') ? packageRoot() : programDirectory(), name);
}

/** Keeps the directory open as long as the process lives, so that a build that removes old releases keeps this one. */
export function holdRelease(): void {
  if (existsSync(programDirectory())) openSync(programDirectory(), 'r');
}
